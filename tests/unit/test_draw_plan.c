/* SPDX-License-Identifier: MIT
 *
 * How much work a draw is, and how it is split: pure arithmetic.
 */
#include "../../shaders/lib/allot_sizes.glsl"
#include "draw/plan.h"
#include "draw/sizes.h"
#include "draw/topology.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_variants.h"

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

static struct pgs_variants variants;

static struct pgs_emulated_pipeline triangles(void)
{
    variants = (struct pgs_variants){0};
    fake_variant(&variants, PGS_VARIANT_VERTEX, 1);
    fake_variant(&variants, PGS_VARIANT_GEOMETRY, 2);
    fake_variant(&variants, PGS_VARIANT_STORED_0, 3);
    return (struct pgs_emulated_pipeline){
        .variants = &variants,
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

static const struct pgs_plan_rules rules = {.max_slots = PGS_MAX_SLOTS};

static bool plan(const struct pgs_emulated_pipeline *pipeline,
                 const struct pgs_graphics_state *state, struct pgs_draw_call call,
                 struct pgs_draw_plan *out)
{
    bool too_large;
    const bool work = pgs_draw_plan(pipeline, state, &call, &rules, out, &too_large);
    assert_false(too_large);
    return work;
}

static void plans_small_draw_as_one_part(void **unused)
{
    (void)unused;
    const struct pgs_emulated_pipeline pipeline = triangles();
    const struct pgs_graphics_state state = {.primitive_restart = VK_TRUE,
                                             .rasterizer_discard = VK_TRUE};
    struct pgs_draw_plan p;
    assert_true(
        plan(&pipeline, &state, (struct pgs_draw_call){.count = 11, .instance_count = 5}, &p));
    assert_int_equal(p.primitives, 3);
    assert_int_equal(p.vertices, 55);
    assert_int_equal(p.units, 3 * 5 * 2);
    assert_int_equal(p.part_count, 1);
    assert_int_equal(p.part_units, 30);
    assert_int_equal(pgs_part_unit_count(&p, 0), 30);
    /* Static state of the pipeline, whatever the command buffer says. */
    assert_false(pgs_plan_runs(&p, PGS_STAGE_RESTART_EMIT));
    assert_int_equal(p.raster, PGS_RASTER_STORED);
}

static void takes_dynamic_state_where_the_pipeline_says_so(void **unused)
{
    (void)unused;
    struct pgs_emulated_pipeline pipeline = triangles();
    pipeline.dynamic_topology = pipeline.dynamic_restart = pipeline.dynamic_discard = true;
    const struct pgs_graphics_state state = {.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                                             .primitive_restart = VK_TRUE,
                                             .rasterizer_discard = VK_TRUE};
    struct pgs_draw_plan p;
    assert_true(plan(&pipeline, &state,
                     (struct pgs_draw_call){.indexed = true, .count = 11, .instance_count = 1},
                     &p));
    assert_int_equal(p.topology, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
    assert_int_equal(p.primitives, 9);
    assert_true(pgs_plan_runs(&p, PGS_STAGE_RESTART_EMIT));
    assert_int_equal(p.raster, PGS_RASTER_NONE);
    assert_true(
        plan(&pipeline, &state, (struct pgs_draw_call){.count = 11, .instance_count = 1}, &p));
    assert_false(pgs_plan_runs(&p, PGS_STAGE_RESTART_EMIT)); /* only indexed draws restart */
}

static void finds_nothing_to_do(void **unused)
{
    (void)unused;
    struct pgs_emulated_pipeline pipeline = triangles();
    const struct pgs_graphics_state state = {0};
    struct pgs_draw_plan p;
    assert_false(
        plan(&pipeline, &state, (struct pgs_draw_call){.count = 2, .instance_count = 1}, &p));
    assert_false(
        plan(&pipeline, &state, (struct pgs_draw_call){.count = 0, .instance_count = 1}, &p));
    assert_false(
        plan(&pipeline, &state, (struct pgs_draw_call){.count = 3, .instance_count = 0}, &p));
    pipeline.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST; /* not what the shader reads */
    assert_false(
        plan(&pipeline, &state, (struct pgs_draw_call){.count = 6, .instance_count = 1}, &p));
}

static void splits_what_has_too_many_slots(void **unused)
{
    (void)unused;
    struct pgs_emulated_pipeline pipeline = triangles();
    pipeline.gs.max_vertices = 1000;
    pipeline.gs.invocations = 32;
    const struct pgs_graphics_state state = {0};
    struct pgs_draw_plan p;
    assert_true(plan(&pipeline, &state,
                     (struct pgs_draw_call){.count = 3 * 1000, .instance_count = 7}, &p));
    assert_int_equal(p.units, 1000 * 7 * 32);
    assert_int_equal(p.part_units, PGS_MAX_SLOTS / 1000);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < p.part_count; i++) {
        const uint32_t units = pgs_part_unit_count(&p, i);
        assert_true(units > 0 && (uint64_t)units * 1000 <= PGS_MAX_SLOTS);
        sum += units;
    }
    assert_int_equal(sum, p.units);
}

static void refuses_what_32_bits_cannot_count(void **unused)
{
    (void)unused;
    struct pgs_emulated_pipeline pipeline = triangles();
    const struct pgs_graphics_state state = {0};
    struct pgs_draw_plan p;
    bool too_large;
    const struct pgs_draw_call many_vertices = {.count = 1u << 20, .instance_count = 1u << 12};
    assert_false(pgs_draw_plan(&pipeline, &state, &many_vertices, &rules, &p, &too_large));
    assert_true(too_large);
    pipeline.gs.invocations = 32;
    const struct pgs_draw_call many_units = {.count = 1u << 20, .instance_count = 1u << 11};
    assert_false(pgs_draw_plan(&pipeline, &state, &many_units, &rules, &p, &too_large));
    assert_true(too_large);
}

static void gives_each_primitive_its_corners(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t kind, most, corners;
    } cases[] = {{1, 1, 1}, {1, 7, 7}, {2, 1, 0}, {2, 2, 2},      {2, 7, 12},
                 {3, 2, 0}, {3, 3, 3}, {3, 4, 6}, {3, 1024, 3066}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct pgs_emulated_pipeline pipeline = {
            .gs = {.output_kind = cases[i].kind, .max_vertices = cases[i].most}};
        assert_int_equal(pgs_inline_corners(&pipeline), cases[i].corners);
    }
    const struct pgs_emulated_pipeline known = {
        .raster_stream = 1,
        .gs = {.output_kind = 3,
               .max_vertices = 20,
               .pattern = {.is_known = true, .primitives = {7, 2}}},
    };
    assert_int_equal(pgs_inline_corners(&known), 6);
}

static void sizes_hold_the_worst_case(void **unused)
{
    (void)unused;
    struct pgs_emulated_pipeline pipeline = triangles();
    struct pgs_spv_geometry_info *gs = &pipeline.gs;
    struct pgs_part_sizes sizes;
    struct pgs_draw_plan p = {.raster = PGS_RASTER_STORED,
                              .stages = PGS_STAGES_STORE,
                              .vertices = 1000,
                              .primitives = 300};
    gs->max_vertices = 33;
    pgs_part_sizes(gs, &p, 257, &sizes);
    assert_int_equal(sizes.slots_B, 257 * 33 * 12 * 4);
    assert_int_equal(sizes.cuts_B, 257 * 2 * 4);
    assert_int_equal(sizes.counts_B, 257 * 4);
    assert_int_equal(sizes.tile_sums_B, 2 * 4);
    assert_int_equal(sizes.indices_B, 257 * (33 + 11) * 4); /* eleven single triangles */
    gs->output_kind = 2;
    pgs_part_sizes(gs, &p, 1, &sizes);
    assert_int_equal(sizes.indices_B, (33 + 16) * 4);
    gs->output_kind = 1;
    pgs_part_sizes(gs, &p, 1, &sizes);
    assert_int_equal(sizes.indices_B, 33 * 4);
    gs->max_vertices = 1024;
    gs->out_stride_w = 128;
    pgs_part_sizes(gs, &p, PGS_MAX_SLOTS / 1024, &sizes);
    assert_true(sizes.slots_B == UINT64_C(16383) * 1024 * 128 * 4); /* 8 GiB: beyond 32 bits */

    struct pgs_draw_sizes shared;
    pgs_draw_sizes(&pipeline, &p, 600, &shared);
    assert_int_equal(shared.vertices_B, 1000 * 8 * 4);
    assert_int_equal(shared.primitive_list_B + shared.restart_tiles_B + shared.restart_count_B, 0);
    p.stages |= PGS_STAGES_RESTART;
    pgs_draw_sizes(&pipeline, &p, 600, &shared);
    assert_int_equal(shared.primitive_list_B, 300 * 8);
    assert_int_equal(shared.restart_tiles_B, 3 * 16);
    assert_int_equal(shared.restart_count_B, 8);
}

static void stores_no_vertices_where_one_stage_is_both(void **unused)
{
    (void)unused;
    struct pgs_emulated_pipeline pipeline = triangles();
    fake_variant(&variants, PGS_VARIANT_VERTEX, 0);
    fake_variant(&variants, PGS_VARIANT_GEOMETRY, 0);
    fake_variant(&variants, PGS_VARIANT_FUSED, 2);
    const struct pgs_graphics_state state = {0};
    struct pgs_draw_call call = {.count = 11, .instance_count = 5};
    struct pgs_draw_plan p;
    assert_true(plan(&pipeline, &state, call, &p));
    assert_int_equal(p.stages & PGS_STAGES_SHADERS, PGS_STAGE_BIT(GEOMETRY));
    assert_int_equal(p.units, 30);
    struct pgs_draw_sizes shared;
    pgs_draw_sizes(&pipeline, &p, 11, &shared);
    assert_int_equal(shared.vertices_B, 0);
    call.indirect = true;
    call.max_draws = 2;
    assert_true(plan(&pipeline, &state, call, &p));
    assert_int_equal(p.stages & PGS_STAGES_SHADERS, PGS_STAGE_BIT(GEOMETRY));
}

static struct pgs_emulated_pipeline capturing(void)
{
    struct pgs_emulated_pipeline pipeline = triangles();
    pipeline.gs.feedback = (struct pgs_spv_xfb){.enabled = true, .run_count = 1};
    return pipeline;
}

static struct pgs_draw_plan plan_of(const struct pgs_emulated_pipeline *pipeline,
                                    const struct pgs_graphics_state *state)
{
    struct pgs_draw_plan p;
    const struct pgs_draw_call call = {.count = 6, .instance_count = 2};
    const bool work = plan(pipeline, state, call, &p);
    assert_int_equal(work, p.part_count != 0); /* zero where nothing is to be done */
    return p;
}

static void leaves_native_draws_to_the_driver(void **unused)
{
    (void)unused;
    const struct pgs_graphics_state none = {0}, interval = {.interval = 1},
                                    generated = {.queries.generated[0] = 1};
    variants = (struct pgs_variants){0};
    fake_variant(&variants, PGS_VARIANT_VERTEX, 1);
    struct pgs_emulated_pipeline pipeline = {
        .native_raster = true,
        .variants = &variants,
        .topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
        .gs = {.output_kind = 2,
               .in = {.stride_w = 8},
               .feedback = {.enabled = true, .run_count = 1}},
    };
    assert_int_equal(plan_of(&pipeline, &none).part_count, 0);
    struct pgs_draw_plan p = plan_of(&pipeline, &interval);
    assert_int_equal(p.xfb, PGS_XFB_VS);
    assert_int_equal(p.xfb_invocations, 12); /* two of each line */
    assert_int_equal(p.part_count, 1);
    struct pgs_draw_sizes shared;
    pgs_draw_sizes(&pipeline, &p, 6, &shared);
    assert_int_equal(shared.vertices_B, 0);
    struct pgs_part_sizes sizes;
    pgs_part_sizes(&pipeline.gs, &p, p.units, &sizes);
    assert_int_equal(sizes.slots_B + sizes.counts_B + sizes.indices_B + sizes.primitives_B, 0);
    p = plan_of(&pipeline, &generated);
    assert_int_equal(p.stages, PGS_STAGE_BIT(FEEDBACK));
    pgs_draw_sizes(&pipeline, &p, 6, &shared);
    assert_int_equal(shared.vertices_B, 0);
    /* Patches are not ours to count. */
    pipeline.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    assert_int_equal(plan_of(&pipeline, &generated).part_count, 0);
}

static void sizes_hold_every_stream(void **unused)
{
    (void)unused;
    struct pgs_emulated_pipeline pipeline = capturing();
    struct pgs_spv_geometry_info *gs = &pipeline.gs;
    struct pgs_part_sizes sizes;
    assert_int_equal(pgs_spv_stream_count(gs->stream_mask), 1);
    gs->stream_mask = 1;
    assert_int_equal(pgs_spv_stream_count(gs->stream_mask), 1);
    gs->stream_mask = 0xA;
    assert_int_equal(pgs_spv_stream_count(gs->stream_mask), 4);
    struct pgs_draw_plan p = {
        .raster = PGS_RASTER_STORED, .count = PGS_COUNT_EMITS, .stages = PGS_STAGES_STORE};
    gs->max_vertices = 33;
    pgs_part_sizes(gs, &p, 257, &sizes);
    assert_int_equal(sizes.cuts_B, 257 * 3 * 2 * 4);
    assert_int_equal(sizes.primitives_B, 257 * 4 * 4);
    assert_int_equal(sizes.capture_tiles_B, 2 * 4 * 4);
    assert_int_not_equal(sizes.indices_B, 0);
    p.count = PGS_COUNT_NONE;
    p.raster = PGS_RASTER_NONE;
    pgs_part_sizes(gs, &p, 257, &sizes);
    assert_int_equal(sizes.primitives_B + sizes.capture_tiles_B, 0);
    assert_int_equal(sizes.indices_B + sizes.tile_sums_B + sizes.draw_args_B, 0);
    assert_int_not_equal(sizes.slots_B, 0);
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
    static const uint32_t units[] = {0,   1,     2,       255,     256,       257,
                                     511, 65536, 1000003, 1 << 24, 300000000, UINT32_MAX - 1};
    static const uint32_t max_vertices[] = {1, 2, 3, 31, 32, 33, 64, 1024};
    static const uint32_t masks[] = {1, 2, 5, 0xA};
    for (uint32_t n = 0; n < sizeof(units) / 4 * 8 * 4 * 3 * 4; n++) {
        const struct pgs_spv_geometry_info gs = {
            .max_vertices = max_vertices[n / 12 % 8],
            .stream_mask = masks[n / 96 % 4],
            .output_kind = 1 + n % 3,
            .out_stride_w = 4 * (1 + n % 30),
        };
        const struct pgs_draw_plan p = {.raster = n / 3 % 2 ? PGS_RASTER_NONE : PGS_RASTER_STORED,
                                        .count = n / 6 % 2 ? PGS_COUNT_EMITS : PGS_COUNT_NONE,
                                        .stages = PGS_STAGE_BIT(GEOMETRY)};
        const uint32_t count = units[n / 384];
        struct pgs_part_sizes sizes;
        pgs_part_sizes(&gs, &p, count, &sizes);
        const struct pgs_allot_shape shape = {
            .max_vertices = gs.max_vertices,
            .out_stride_w = gs.out_stride_w,
            .out_kind = gs.output_kind,
            .stream_count = pgs_spv_stream_count(gs.stream_mask),
            .draw_flags = pgs_spv_stream_count(gs.stream_mask) > 1 ? PGS_DRAW_STREAMS : 0,
            .raster = p.raster == PGS_RASTER_STORED,
            .counted = p.count == PGS_COUNT_EMITS,
        };
        const struct pgs_allot_sizes quads = pgs_allot_sizes_of(shape, count);
        expect_quads(quads.slots, sizes.slots_B);
        expect_quads(quads.cuts, sizes.cuts_B);
        expect_quads(quads.counts, sizes.counts_B);
        expect_quads(quads.tile_sums, sizes.tile_sums_B);
        expect_quads(quads.indices, sizes.indices_B);
        expect_quads(quads.primitives, sizes.primitives_B);
        expect_quads(quads.capture_tiles, sizes.capture_tiles_B);
        const uint64_t sum = (uint64_t)quads.slots + quads.cuts + quads.counts + quads.tile_sums +
                             quads.indices + quads.primitives + quads.capture_tiles;
        assert_int_equal(pgs_allot_sum(quads), sum < PGS_QUADS_MAX ? sum : PGS_QUADS_MAX);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_primitives),
        cmocka_unit_test(knows_vertices_per_primitive),
        cmocka_unit_test(plans_small_draw_as_one_part),
        cmocka_unit_test(takes_dynamic_state_where_the_pipeline_says_so),
        cmocka_unit_test(finds_nothing_to_do),
        cmocka_unit_test(splits_what_has_too_many_slots),
        cmocka_unit_test(refuses_what_32_bits_cannot_count),
        cmocka_unit_test(gives_each_primitive_its_corners),
        cmocka_unit_test(sizes_hold_the_worst_case),
        cmocka_unit_test(stores_no_vertices_where_one_stage_is_both),
        cmocka_unit_test(leaves_native_draws_to_the_driver),
        cmocka_unit_test(sizes_hold_every_stream),
        cmocka_unit_test(gpu_takes_as_much_as_the_plan_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
