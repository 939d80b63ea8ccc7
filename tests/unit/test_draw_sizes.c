/* SPDX-License-Identifier: MIT
 *
 * How much memory a draw takes, and what topologies come to: pure arithmetic.
 */
#include "../../shaders/lib/allot_sizes.glsl"
#include "draw/plan.h"
#include "draw/sizes.h"
#include "draw/topology.h"
#include "pipeline/inline_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* "Primitive Topologies" of the specification, for counts around every threshold. */
static void counts_primitives(void **state)
{
    (void)state;
    static const uint8_t expected[][14] = {
        [VK_PRIMITIVE_TOPOLOGY_POINT_LIST] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13},
        [VK_PRIMITIVE_TOPOLOGY_LINE_LIST] = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6},
        [VK_PRIMITIVE_TOPOLOGY_LINE_STRIP] = {0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
        [VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4},
        [VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP] = {0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
        [VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN] = {0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
        [VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3,
                                                            3},
        [VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY] = {0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
                                                             10},
        [VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1,
                                                                2, 2},
        [VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY] = {0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3,
                                                                 4, 4},
        [VK_PRIMITIVE_TOPOLOGY_PATCH_LIST] = {0},
    };
    for (int topology = 0; topology <= VK_PRIMITIVE_TOPOLOGY_PATCH_LIST; topology++)
        for (uint32_t count = 0; count < 14; count++)
            assert_int_equal(pgs_input_primitives(topology, count), expected[topology][count]);
    assert_int_equal(pgs_input_primitives(VK_PRIMITIVE_TOPOLOGY_POINT_LIST, UINT32_MAX),
                     UINT32_MAX);
    assert_int_equal(pgs_input_primitives(VK_PRIMITIVE_TOPOLOGY_MAX_ENUM, 12), 0);
}

static void knows_vertices_per_primitive(void **state)
{
    (void)state;
    static const uint32_t expected[] = {1, 2, 2, 3, 3, 3, 4, 4, 6, 6, 0};
    for (int topology = 0; topology <= VK_PRIMITIVE_TOPOLOGY_PATCH_LIST; topology++)
        assert_int_equal(pgs_input_vertices(topology), expected[topology]);
    static const uint32_t expected_main[] = {1, 2, 2, 3, 3, 3, 2, 2, 3, 3, 0};
    for (int topology = 0; topology <= VK_PRIMITIVE_TOPOLOGY_PATCH_LIST; topology++)
        assert_int_equal(pgs_main_vertices(topology), expected_main[topology]);
}

static struct pgs_emulated_pipeline triangles(void)
{
    return (struct pgs_emulated_pipeline){
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .gs = {.input_vertices = 3,
               .output_kind = 3,
               .stream_mask = 1,
               .max_vertices = 4,
               .invocations = 2,
               .in = {.stride_w = 8},
               .out_stride_w = 12},
    };
}

static void gives_each_primitive_its_vertices(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t kind, most, vertices;
    } cases[] = {{1, 1, 1}, {1, 7, 7}, {2, 1, 0}, {2, 2, 2},      {2, 7, 12},
                 {3, 2, 0}, {3, 3, 3}, {3, 4, 6}, {3, 1024, 3066}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct pgs_emulated_pipeline pipeline = {
            .gs = {.output_kind = cases[i].kind, .max_vertices = cases[i].most}};
        assert_int_equal(pgs_inline_vertices_per_gs_invocation(&pipeline, PGS_VARIANT_INLINE, 0),
                         cases[i].vertices);
    }
    const struct pgs_emulated_pipeline known = {
        .raster_stream = 1,
        .gs = {.output_kind = 3,
               .max_vertices = 20,
               .pattern = {.is_known = true, .primitives = {7, 2}}},
    };
    assert_int_equal(pgs_inline_vertices_per_gs_invocation(&known, PGS_VARIANT_INLINE, 1), 6);
}

static void sizes_hold_the_worst_case(void **unused)
{
    (void)unused;
    struct pgs_emulated_pipeline pipeline = triangles();
    struct pgs_spv_geometry_info *gs = &pipeline.gs;
    struct pgs_subdraw_sizes sizes;
    struct pgs_draw_plan p = {.raster = PGS_RASTER_STORED,
                              .stages = PGS_STAGES_STORE | PGS_STAGE_BIT(COUNT_TILES),
                              .vertices = 1000,
                              .primitives = 300};
    gs->max_vertices = 33;
    pgs_subdraw_sizes(gs, &p, 257, &sizes);
    assert_int_equal(sizes.out_vertices_B, 257 * 33 * 12 * 4);
    assert_int_equal(sizes.strip_ends_B, 257 * 2 * 4);
    assert_int_equal(sizes.counts_B, 257 * 4);
    assert_int_equal(sizes.tile_sums_B, 2 * 4);
    assert_int_equal(sizes.indices_B, 257 * (33 + 11) * 4); /* eleven single triangles */
    p.stages = PGS_STAGES_STORE;                            /* no kernel writes them */
    p.packed = true;
    pgs_subdraw_sizes(gs, &p, 257, &sizes);
    assert_int_equal(sizes.tile_sums_B, 0);
    assert_int_equal(sizes.strip_ends_B, 257 * (2 + 33) * 4);
    p.packed = false;
    gs->output_kind = 2;
    pgs_subdraw_sizes(gs, &p, 1, &sizes);
    assert_int_equal(sizes.indices_B, (33 + 16) * 4);
    gs->output_kind = 1;
    pgs_subdraw_sizes(gs, &p, 1, &sizes);
    assert_int_equal(sizes.indices_B, 33 * 4);
    gs->output_kind = 3;
    gs->max_vertices = 2;
    p.stages = PGS_STAGE_BIT(GEOMETRY) | PGS_STAGE_BIT(EXPAND_POLYGONS);
    pgs_subdraw_sizes(gs, &p, 257, &sizes);
    assert_int_equal(sizes.indices_B, 4); /* no triangle, but a list that is bound */
    p.stages = PGS_STAGES_STORE;
    gs->max_vertices = 1024;
    gs->out_stride_w = 128;
    pgs_subdraw_sizes(gs, &p, PGS_MAX_OUT_VERTICES / 1024, &sizes);
    assert_true(sizes.out_vertices_B ==
                UINT64_C(16383) * 1024 * 128 * 4); /* 8 GiB: beyond 32 bits */

    struct pgs_draw_sizes shared;
    pgs_draw_sizes(&pipeline, &p, 600, &shared);
    assert_int_equal(shared.vertices_B, 1000 * 8 * 4);
    assert_int_equal(shared.primitive_list_B + shared.restart_tiles_B + shared.restart_count_B, 0);
    p.stages |= PGS_STAGES_RESTART;
    pgs_draw_sizes(&pipeline, &p, 600, &shared);
    assert_int_equal(shared.primitive_list_B, 300 * 8);
    assert_int_equal(shared.restart_tiles_B, 3 * 16);
    assert_int_equal(shared.restart_count_B, 8);
    p.stages = PGS_STAGE_BIT(GEOMETRY); /* which runs the vertex shader, too */
    pgs_draw_sizes(&pipeline, &p, 600, &shared);
    assert_int_equal(shared.vertices_B, 0);
    p = (struct pgs_draw_plan){.raster = PGS_RASTER_NATIVE, .stages = PGS_STAGE_BIT(XFB_PROGRAM)};
    pgs_subdraw_sizes(gs, &p, 600, &sizes);
    assert_int_equal(sizes.out_vertices_B + sizes.counts_B + sizes.indices_B + sizes.primitives_B,
                     0);
}

static struct pgs_emulated_pipeline capturing(void)
{
    struct pgs_emulated_pipeline pipeline = triangles();
    pipeline.gs.xfb = (struct pgs_spv_xfb){.enabled = true, .copy_count = 1};
    return pipeline;
}

static void sizes_hold_every_stream(void **unused)
{
    (void)unused;
    struct pgs_emulated_pipeline pipeline = capturing();
    struct pgs_spv_geometry_info *gs = &pipeline.gs;
    struct pgs_subdraw_sizes sizes;
    assert_int_equal(pgs_spv_stream_count(gs->stream_mask), 1);
    gs->stream_mask = 1;
    assert_int_equal(pgs_spv_stream_count(gs->stream_mask), 1);
    gs->stream_mask = 0xA;
    assert_int_equal(pgs_spv_stream_count(gs->stream_mask), 4);
    struct pgs_draw_plan p = {
        .raster = PGS_RASTER_STORED, .count = PGS_COUNT_EMITS, .stages = PGS_STAGES_STORE};
    gs->max_vertices = 33;
    pgs_subdraw_sizes(gs, &p, 257, &sizes);
    assert_int_equal(sizes.strip_ends_B, 257 * 3 * 2 * 4);
    assert_int_equal(sizes.primitives_B, 257 * 4 * 4);
    assert_int_equal(sizes.capture_tiles_B, 2 * 4 * 4);
    assert_int_not_equal(sizes.indices_B, 0);
    p.count = PGS_COUNT_NONE;
    p.raster = PGS_RASTER_NONE;
    pgs_subdraw_sizes(gs, &p, 257, &sizes);
    assert_int_equal(sizes.primitives_B + sizes.capture_tiles_B, 0);
    assert_int_equal(sizes.indices_B + sizes.tile_sums_B + sizes.draw_args_B, 0);
    assert_int_not_equal(sizes.out_vertices_B, 0);
}

static void expect_quads(uint32_t quads, uint64_t size_B)
{
    const uint64_t exact = (size_B + 15) / 16;
    assert_int_equal(quads, exact < PGS_QUADS_MAX ? exact : PGS_QUADS_MAX);
}

/* Draws whose size only the GPU knows need no other memory than those that the CPU plans. */
static void gpu_takes_as_much_as_the_plan_says(void **unused)
{
    (void)unused;
    static const uint32_t gs_invocations[] = {
        0, 1, 2, 255, 256, 257, 511, 65536, 1000003, 1 << 24, 300000000, UINT32_MAX - 1};
    static const uint32_t max_vertices[] = {1, 2, 3, 31, 32, 33, 64, 1024};
    static const uint32_t masks[] = {1, 2, 5, 0xA};
    static const enum pgs_raster_path rasters[] = {PGS_RASTER_STORED, PGS_RASTER_NONE,
                                                   PGS_RASTER_POLYGONS, PGS_RASTER_STORED};
    for (uint32_t n = 0; n < 4 * sizeof(gs_invocations) / 4 * 8 * 4 * 3 * 4; n++) {
        const uint32_t half = sizeof(gs_invocations) / 4 * 8 * 4 * 3 * 4;
        const struct pgs_spv_geometry_info gs = {
            .max_vertices = max_vertices[n / 12 % 8],
            .stream_mask = masks[n / 96 % 4],
            .output_kind = 1 + n % 3,
            .out_stride_w = 4 * (1 + n % 30),
        };
        const uint32_t way = n / half % 2 * 2 + n / 3 % 2;
        const bool fetches = n / half > 1 && rasters[way] == PGS_RASTER_STORED;
        const bool lists = way == 3, stippled = way == 2 && gs.output_kind == 2 && n % 5 < 2;
        const struct pgs_draw_plan p = {.raster = rasters[way],
                                        .count = n / 6 % 2 ? PGS_COUNT_EMITS : PGS_COUNT_NONE,
                                        .fetches = fetches,
                                        .stages = PGS_STAGE_BIT(GEOMETRY) |
                                                  PGS_STAGE_BIT(COUNT_TILES) |
                                                  (lists ? PGS_STAGE_BIT(EXPAND_POLYGONS) : 0) |
                                                  (stippled ? PGS_STAGE_BIT(STIPPLE) : 0),
                                        .packed = n % 7 < 3};
        const uint32_t count = gs_invocations[n % half / 384];
        struct pgs_subdraw_sizes sizes;
        pgs_gs_array_sizes(&gs, &p, count, &sizes);
        const struct pgs_allot_shape shape = {
            .max_vertices = gs.max_vertices,
            .out_stride_w = gs.out_stride_w,
            .out_kind = gs.output_kind,
            .stream_count = pgs_spv_stream_count(gs.stream_mask),
            .draw_flags = (pgs_spv_stream_count(gs.stream_mask) > 1 ? PGS_DRAW_STREAMS : 0) |
                          (p.raster == PGS_RASTER_POLYGONS ? PGS_DRAW_POLYGONS : 0) |
                          (lists ? PGS_DRAW_LISTS : 0) | (p.packed ? PGS_DRAW_PACKED : 0) |
                          (fetches ? PGS_DRAW_FETCHED : 0) | (stippled ? PGS_DRAW_STIPPLED : 0),
            .raster = p.raster != PGS_RASTER_NONE,
            .counted = p.count == PGS_COUNT_EMITS,
        };
        const struct pgs_allot_sizes quads = pgs_allot_sizes_of(shape, count);
        expect_quads(quads.out_vertices, sizes.out_vertices_B);
        expect_quads(quads.strip_ends, sizes.strip_ends_B);
        expect_quads(quads.counts, sizes.counts_B);
        expect_quads(quads.tile_sums, sizes.tile_sums_B);
        expect_quads(quads.indices, sizes.indices_B);
        expect_quads(quads.primitives, sizes.primitives_B);
        expect_quads(quads.capture_tiles, sizes.capture_tiles_B);
        const uint64_t sum = (uint64_t)quads.out_vertices + quads.strip_ends + quads.counts +
                             quads.tile_sums + quads.indices + quads.primitives +
                             quads.capture_tiles;
        assert_int_equal(pgs_allot_sum(quads), sum < PGS_QUADS_MAX ? sum : PGS_QUADS_MAX);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_primitives),
        cmocka_unit_test(knows_vertices_per_primitive),
        cmocka_unit_test(gives_each_primitive_its_vertices),
        cmocka_unit_test(sizes_hold_the_worst_case),
        cmocka_unit_test(sizes_hold_every_stream),
        cmocka_unit_test(gpu_takes_as_much_as_the_plan_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
