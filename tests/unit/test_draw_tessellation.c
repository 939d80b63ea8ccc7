/* SPDX-License-Identifier: MIT
 *
 * Tessellated draws: that their worst case is one, and what a batch records. The driver is fake and
 * writes down what it is told.
 */
#include "../../shaders/lib/allot_sizes.glsl"
#include "../../shaders/lib/tessellator.glsl"
#include "draw/plan_rules.h"
#include "draw/sizes.h"
#include "draw/tessellation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../common/within.h"

#include "draw_app.h"

static struct pgs_variants variants;
static struct pgs_emulated_pipeline pipeline;

static int set_up(void **unused)
{
    (void)unused;
    variants = (struct pgs_variants){0};
    fake_variant(&variants, PGS_VARIANT_VERTEX, 11);
    fake_variant(&variants, PGS_VARIANT_CONTROL, 12);
    fake_variant(&variants, PGS_VARIANT_EVALUATION, 13);
    fake_variant(&variants, PGS_VARIANT_GEOMETRY, 14);
    fake_variant(&variants, PGS_VARIANT_STORED_0, 15);
    pipeline = (struct pgs_emulated_pipeline){
        .variants = &variants,
        .layout = &layout,
        .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
        .tessellated = true,
        .pass_through = true,
        .tessellation_flags = PGS_TESS_QUADS,
        .patch_control_points = 4,
        .patch = {.vertex_count = 5, .stride_w = 28},
        .control_in = {.stride_w = 4},
        .gs = {.input_vertices = 3,
               .output_kind = 3,
               .stream_mask = 1,
               .max_vertices = 3,
               .invocations = 1,
               .in = {.stride_w = 12},
               .out_stride_w = 8,
               .xfb = {.enabled = true, .copy_count = 1}},
    };
    state = (struct pgs_graphics_state){.pipeline = &pipeline};
    return open_batch(64);
}

static const struct pgs_plan_rules rules = {.max_out_vertices = PGS_MAX_OUT_VERTICES_UINT32};

static struct pgs_draw_plan plan_of(uint32_t count, uint32_t instances)
{
    const struct pgs_draw_call call = {.count = count, .instance_count = instances};
    const struct pgs_emulated_pipeline *of = state.pipeline ? state.pipeline : state.counted;
    struct pgs_draw_plan plan;
    bool too_large;
    const bool work = pgs_draw_plan(of, &state, &call, &rules, &plan, &too_large);
    assert_int_equal(work, plan.subdraw_count != 0);
    assert_false(too_large);
    return plan;
}

static float some_level(void)
{
    const float level = (float)(rand() % 6600) / 100.0f;
    return rand() % 3 == 0 ? 64.0f : rand() % 3 == 0 ? 1.0f : level;
}

static uint32_t bits_of(float level)
{
    return floatBitsToUint(level);
}

static void no_patch_gives_more_than_the_bound(void **unused)
{
    (void)unused;
    srand(1);
    for (uint32_t flags = 0; flags < 64; flags++) {
        if ((flags & PGS_TESS_DOMAIN) == 3 || (flags & PGS_TESS_SPACING) == PGS_TESS_SPACING)
            continue;
        const struct pgs_tess_bound bound = pgs_tess_bound(flags);
        for (int i = 0; i < 3000; i++) {
            const struct pgs_tess_patch patch = pgs_tess_patch_of(
                flags, bits_of(some_level()), bits_of(some_level()), bits_of(some_level()),
                bits_of(some_level()), bits_of(some_level()), bits_of(some_level()));
            assert_true(patch.vertex_count <= bound.vertices);
            assert_true(patch.primitive_count <= bound.primitives);
        }
        const uint32_t most = bits_of(1000.0f);
        const struct pgs_tess_patch largest =
            pgs_tess_patch_of(flags, most, most, most, most, most, most);
        if ((flags & PGS_TESS_SPACING) == PGS_TESS_FRACTIONAL_ODD)
            continue;
        assert_int_equal(largest.vertex_count, bound.vertices);
        assert_int_equal(largest.primitive_count, bound.primitives);
    }
}

/* As tess_allot takes it. */
static uint64_t taken_B(const struct pgs_draw_plan *p, uint32_t vertices, uint32_t primitives)
{
    const struct pgs_allot_shape shape = {
        .max_vertices = pipeline.gs.max_vertices,
        .out_stride_w = pipeline.gs.out_stride_w,
        .out_kind = pipeline.gs.output_kind,
        .stream_count = pgs_spv_stream_count(pipeline.gs.stream_mask),
        .raster = pgs_raster_reads_stored(p->raster),
        .counted = p->count == PGS_COUNT_EMITS,
    };
    const uint32_t flags =
        pipeline.tessellation_flags | (pgs_raster_draws_evaluated(p->raster) ? PGS_TESS_STORED : 0);
    const uint32_t gs_invocations =
        pgs_plan_runs(p, PGS_STAGE_GEOMETRY) ? primitives * pipeline.gs.invocations : 0;
    const uint32_t quads = pgs_allot_sum(pgs_allot_sizes_of(shape, gs_invocations)) +
                           pgs_quads(vertices, 4) + pgs_quads(vertices, pipeline.gs.in.stride_w) +
                           pgs_quads(primitives, pgs_tess_primitive_stride_w(flags));
    return (uint64_t)pgs_quads_to_units(quads) * PGS_POOL_UNIT_B;
}

static void small_draws_cannot_run_out(void **unused)
{
    (void)unused;
    fake_physical.features.fullDrawIndexUint32 = VK_TRUE;
    const struct pgs_tess_bound bound = pgs_tess_bound(pipeline.tessellation_flags);
    for (uint32_t patches = 1; patches < 30; patches++) {
        state.queries.generated[0] = patches % 2;
        pipeline.rasterizer_discard = patches % 3 == 0;
        pipeline.gs.invocations = 1 + patches % 5;
        pipeline.tes_stored = patches % 7 == 0;
        const struct pgs_draw_plan p = plan_of(4 * patches, 1);
        const uint64_t worst_B = pgs_tess_worst_B(rules.max_out_vertices, &pipeline, &p);
        for (uint32_t n = 0; n <= patches; n++)
            assert_true(taken_B(&p, n * bound.vertices, n * bound.primitives) <= worst_B);
        assert_true(taken_B(&p, patches * bound.vertices, patches * bound.primitives) + 256 >=
                    worst_B);
    }
    const struct pgs_draw_plan huge = plan_of(1u << 30, 2);
    assert_true(pgs_tess_worst_B(rules.max_out_vertices, &pipeline, &huge) == PGS_POOL_UNKNOWN_B);
}

static void knows_when_vertices_are_too_many(void **unused)
{
    (void)unused;
    pipeline.patch_control_points = 1;
    const uint32_t triangles = UINT32_MAX / (64 * 64 * 2 * 3);
    struct pgs_draw_plan p = plan_of(triangles, 1);
    assert_int_equal(pgs_tess_worst_vertices(&pipeline, &p), (uint64_t)triangles * 8192 * 3);
    p = plan_of(triangles, 2);
    assert_int_equal(pgs_tess_worst_vertices(&pipeline, &p), (uint64_t)triangles * 8192 * 6);
    pipeline.tessellation_flags = PGS_TESS_ISOLINES;
    p = plan_of(10, 1);
    assert_int_equal(pgs_tess_worst_vertices(&pipeline, &p), 10 * 64 * 64 * 2);
    pipeline.tessellation_flags |= PGS_TESS_POINT_MODE;
    assert_int_equal(pgs_tess_worst_vertices(&pipeline, &p), 10 * 64 * 65);
}

static void records_stage_by_stage(void **unused)
{
    (void)unused;
    const struct pgs_draw *draw =
        add_sealed((struct pgs_draw_call){.count = 1200, .instance_count = 2});
    record_batch(batch, PGS_BATCH_FIRST);
    expect("barrier from raster; "
           "bind 11; dispatch 38 x 1; "
           "bind 12; barrier; dispatch 600 x 1; "
           "bind tess_count; barrier; dispatch 3 x 1; "
           "bind tess_allot; barrier; dispatch 1 x 1; "
           "bind tessellate; barrier to grids; dispatch 600 x 1; "
           "bind 13; barrier; dispatch by grid; "
           "bind 14; barrier; dispatch by grid; "
           "bind count_tiles; barrier; dispatch by grid; "
           "bind scan_tiles; barrier; dispatch 1 x 1; "
           "bind expand; barrier; dispatch by grid; "
           "bind pool_close; dispatch 1 x 1; "
           "barrier to raster and host");
    expect_grid(draw, 0, offsetof(struct pgs_grids, evaluation));
    expect_grid(draw, 1, offsetof(struct pgs_grids, geometry));
    expect_grid(draw, 2, offsetof(struct pgs_grids, tiles));
    expect_grid(draw, 3, offsetof(struct pgs_grids, tiles));
    replay(draw);
    expect("vertex; index; draw 1");
}

/* The control shader shades the vertices of few patches, or of any number. */
static void shades_vertices_of_few_patches(void **unused)
{
    (void)unused;
    pipeline.tes_stored = true;
    for (uint32_t i = 0; i < 4; i++) {
        pipeline.fused_patches = i == 3 ? PGS_COST_MOST : 6;
        add_sealed((struct pgs_draw_call){.count = 12, .instance_count = i < 2 ? 2 : 3});
        record_batch(batch, i ? 0 : PGS_BATCH_FIRST);
        const char *fused = strstr(event_log.text, "bind 16; "),
                   *apart = strstr(event_log.text, "bind 11; ");
        assert_true((fused != NULL) == (i % 2 == 1) && (apart != NULL) == (i % 2 == 0));
        assert_true(
            strstr(event_log.text, fused ? "bind 16; dispatch" : "bind 12; barrier; dispatch"));
        fake_variant(&variants, PGS_VARIANT_FUSED_CONTROL, 16);
        pgs_batch_next_pass(batch);
        forget();
    }
}

static void knows_what_its_grids_dispatch(void **unused)
{
    (void)unused;
    const struct pgs_kernels kernels = {.layout = VK_NULL_HANDLE};
    uint32_t weights[PGS_GRID_COUNT];
#define WEIGHT(grid) weights[offsetof(struct pgs_grids, grid) / sizeof(struct pgs_grid)]
    const struct pgs_draw *draw =
        add_sealed((struct pgs_draw_call){.count = 12, .instance_count = 1});
    pgs_compute_weigh(draw, &kernels, weights);
    assert_int_equal(WEIGHT(evaluation), PGS_SHADER_GROUP_EL);
    assert_int_equal(WEIGHT(geometry), PGS_SHADER_GROUP_EL);
    assert_int_equal(WEIGHT(tiles), 2 * PGS_TILE_EL);
    assert_int_equal(WEIGHT(vertex) + WEIGHT(restart) + WEIGHT(control), 0);
    assert_int_equal(WEIGHT(patches) + WEIGHT(one), 0);
    draw =
        add_sealed((struct pgs_draw_call){.indirect = true, .max_draws = 3, .args_stride_B = 16});
    pgs_compute_weigh(draw, &kernels, weights);
    assert_int_equal(WEIGHT(vertex), PGS_SHADER_GROUP_EL);
    assert_int_equal(WEIGHT(restart), 0);
    assert_int_equal(WEIGHT(control), pipeline.patch.vertex_count + PGS_SHADER_GROUP_EL);
    assert_int_equal(WEIGHT(patches), PGS_TILE_EL);
    assert_int_equal(WEIGHT(evaluation), PGS_SHADER_GROUP_EL);
    assert_int_equal(WEIGHT(one), 2 * PGS_TILE_EL);
    assert_int_equal(fake.grid_count, 0); /* nothing was recorded */
    fake_variant(&variants, PGS_VARIANT_FUSED_CONTROL, 16);
    for (uint32_t i = 0; i < 2; i++) { /* only the GPU knows whether there are few */
        pipeline.fused_patches = i ? PGS_COST_MOST : 1000;
        draw = add_sealed(
            (struct pgs_draw_call){.indirect = true, .max_draws = 3, .args_stride_B = 16});
        pgs_compute_weigh(draw, &kernels, weights);
        assert_int_equal(WEIGHT(vertex), i ? 0 : PGS_SHADER_GROUP_EL);
        assert_int_equal(WEIGHT(control), pipeline.patch.vertex_count + PGS_SHADER_GROUP_EL);
    }
}

/* What the evaluation shader stores is drawn; the geometry shader would only copy it. */
static void draws_what_evaluation_stores(void **unused)
{
    (void)unused;
    pipeline.tes_stored = true;
    const struct pgs_draw *draw =
        add_sealed((struct pgs_draw_call){.count = 12, .instance_count = 1});
    const struct pgs_draw_record *record = draw->subdraws[0].record.mapped;
    const struct pgs_tessellation *tess = at(record->tessellation);
    assert_int_equal(tess->flags, PGS_TESS_QUADS | PGS_TESS_STORED);
    assert_int_equal(record->invocations, 0);
    assert_int_not_equal(record->draw_args, 0);
    record_batch(batch, PGS_BATCH_FIRST);
    expect("barrier from raster; "
           "bind 11; dispatch 1 x 1; "
           "bind 12; barrier; dispatch 3 x 1; "
           "bind tess_count; barrier; dispatch 1 x 1; "
           "bind tess_allot; barrier; dispatch 1 x 1; "
           "bind tessellate; barrier to grids; dispatch 3 x 1; "
           "bind 13; barrier; dispatch by grid; "
           "bind pool_close; barrier; dispatch 1 x 1; "
           "barrier to raster and host");
    replay(draw);
    assert_int_equal(fake.slots_at.offset_B, draw->subdraws[0].tessellation.offset_B +
                                                 offsetof(struct pgs_tessellation, vertices));
    expect("vertex; index; draw 1");
}

/* Each kernel that writes grids is waited for by what reads them. */
static void waits_for_the_grids_of_indirect_draws(void **unused)
{
    (void)unused;
    const struct pgs_draw *draw =
        add_sealed((struct pgs_draw_call){.indirect = true, .max_draws = 3, .args_stride_B = 16});
    record_batch(batch, PGS_BATCH_FIRST);
    expect("barrier from raster; "
           "bind indirect; dispatch 1 x 1; "
           "bind 11; barrier to grids; dispatch by grid; "
           "bind 12; barrier; dispatch by grid; "
           "bind tess_count; barrier; dispatch by grid; "
           "bind tess_allot; barrier; dispatch by grid; "
           "bind tessellate; barrier to grids; dispatch by grid; "
           "bind 13; barrier; dispatch by grid; "
           "bind 14; barrier; dispatch by grid; "
           "bind count_tiles; barrier; dispatch by grid; "
           "bind scan_tiles; barrier; dispatch by grid; "
           "bind expand; barrier; dispatch by grid; "
           "bind pool_close; dispatch 1 x 1; "
           "barrier to raster and host");
    expect_grid(draw, 0, offsetof(struct pgs_grids, vertex));
    expect_grid(draw, 1, offsetof(struct pgs_grids, control));
    expect_grid(draw, 2, offsetof(struct pgs_grids, patches));
    expect_grid(draw, 3, offsetof(struct pgs_grids, one));
    expect_grid(draw, 4, offsetof(struct pgs_grids, control));
    expect_grid(draw, 5, offsetof(struct pgs_grids, evaluation));
    pgs_batch_next_pass(batch);
    fake_variant(&variants, PGS_VARIANT_FUSED_CONTROL, 16);
    pipeline.fused_patches = PGS_COST_MOST;
    add_sealed((struct pgs_draw_call){.indirect = true, .max_draws = 3, .args_stride_B = 16});
    record_batch(batch, 0);
    assert_non_null(strstr(event_log.text, "bind indirect; dispatch 1 x 1; "
                                           "bind 16; barrier to grids; dispatch by grid; "
                                           "bind tess_count; barrier; dispatch by grid; "));
    forget();
}

static const struct pgs_draw_call indirect = {
    .indirect = true, .max_draws = 3, .args_stride_B = 16};

static struct pgs_rounds rounds_of(struct pgs_draw_call call)
{
    struct pgs_rounds rounds;
    assert_int_equal(pgs_batch_rounds(batch, &state, &call, &rounds), VK_SUCCESS);
    return rounds;
}

/* Patches take from the pool in turn, and what they become. */
static void shares_out_what_only_the_gpu_knows(void **unused)
{
    (void)unused;
    pipeline.goes_in_rounds = pipeline.reads_instances = true;
    const struct pgs_rounds rounds = rounds_of(indirect);
    assert_int_equal(rounds.all, 8);
    struct pgs_draw_call part = indirect;
    part.rounds = rounds.all;
    part.progress = rounds.progress;
    part.share_B = rounds.share_B;
    part.part_first = 7;
    part.part_count = 1;
    const struct pgs_draw *draw = add_sealed(part);
    const struct pgs_indirect *root = draw->indirect_mapped;
    assert_int_equal(draw->pool->kind, PGS_POOL_SHARE);
    assert_int_equal(draw->plan.patch_count, 0); /* the GPU finds which */
    assert_int_equal(root->flags & (PGS_INDIRECT_LAST_ROUND | PGS_INDIRECT_TESS_ROUND),
                     PGS_INDIRECT_LAST_ROUND | PGS_INDIRECT_TESS_ROUND);
    record_batch(batch, PGS_BATCH_FIRST);
    expect("barrier from raster; "
           "bind indirect_patches; dispatch 1 x 1; "
           "bind 11; barrier to grids; dispatch by grid; "
           "bind 12; barrier; dispatch by grid; "
           "bind tess_count; barrier; dispatch by grid; "
           "bind tess_round; barrier; dispatch 1 x 1; "
           "bind tessellate; barrier to grids; dispatch by grid; "
           "bind 13; barrier; dispatch by grid; "
           "bind 14; barrier; dispatch by grid; "
           "bind count_tiles; barrier; dispatch by grid; "
           "bind scan_tiles; barrier; dispatch by grid; "
           "bind expand; barrier; dispatch by grid; "
           "bind pool_close; dispatch 1 x 1; "
           "barrier to raster and host");
}

/* What a vertex shader can draw loses only patches that find no memory: that is rarer than commands
 * that are executed again and again. */
static void shares_out_patches_alone(void **unused)
{
    (void)unused;
    pipeline.goes_in_rounds = pipeline.reads_instances = true;
    pipeline.tes_stored = true;
    pipeline.gs.xfb.enabled = false;
    fake_variant(&variants, PGS_VARIANT_INLINE, 16);
    assert_int_equal(rounds_of(indirect).all, 0);
    state.is_once = true;
    assert_int_equal(rounds_of(indirect).all, 8);
    struct pgs_draw_call part = indirect;
    part.part_count = 1;
    part.rounds = 8;
    part.progress = 0x100;
    part.share_B = 1 << 20;
    const uint32_t stages = add_sealed(part)->plan.stages;
    assert_int_equal(stages & PGS_STAGES_INDIRECT, PGS_STAGE_BIT(INDIRECT_PATCHES));
    assert_true(stages & PGS_STAGE_BIT(TESS_ALLOT));
}

static void counts_without_evaluation(void **unused)
{
    (void)unused;
    pipeline.native_raster = true;
    state = (struct pgs_graphics_state){.counted = &pipeline, .queries.generated[0] = 64};
    const struct pgs_draw_call call = {.count = 8, .instance_count = 1};
    struct pgs_draw *draw;
    assert_int_equal(add_to(batch, &state, &call, &draw), VK_SUCCESS);
    assert_null(draw); /* the driver draws */
    assert_int_equal(pgs_batch_seal(batch), VK_SUCCESS);
    record_batch(batch, PGS_BATCH_FIRST);
    expect("barrier from raster; "
           "bind 11; dispatch 1 x 1; "
           "bind 12; barrier; dispatch 2 x 1; "
           "bind tess_count; barrier; dispatch 1 x 1; "
           "bind xfb_program; barrier; dispatch 1 x 1");
}

/* One invocation has less to compile; more patches have workgroups. */
static void counts_few_patches_by_one_invocation_on_cpus(void **unused)
{
    (void)unused;
    pipeline.native_raster = true;
    const struct pgs_device_class before = fake_physical.traits;
    fake_physical.traits.kind = PGS_DEVICE_CPU;
    for (uint32_t more = 0; more < 2; more++) {
        state = (struct pgs_graphics_state){.counted = &pipeline, .queries.generated[0] = 64};
        const struct pgs_draw_call call = {.count = 4 * (PGS_TILE_EL + more), .instance_count = 1};
        struct pgs_draw *draw;
        assert_int_equal(add_to(batch, &state, &call, &draw), VK_SUCCESS);
        assert_int_equal(pgs_batch_seal(batch), VK_SUCCESS);
        record_batch(batch, PGS_BATCH_FIRST);
        expect(more ? "barrier from raster; "
                      "bind 11; dispatch 17 x 1; "
                      "bind 12; barrier; dispatch 257 x 1; "
                      "bind tess_count; barrier; dispatch 2 x 1; "
                      "bind tess_allot; barrier; dispatch 1 x 1; "
                      "bind xfb_program; barrier to grids; dispatch 1 x 1"
                    : "barrier from raster; "
                      "bind 11; dispatch 16 x 1; "
                      "bind 12; barrier; dispatch 256 x 1; "
                      "bind tess_few; barrier; dispatch 1 x 1; "
                      "bind xfb_program; barrier; dispatch 1 x 1");
        pgs_batch_next_pass(batch);
    }
    fake_physical.traits = before;
}

/* Each is a raster draw, into whose arguments control shaders write how many vertices it has. Their
 * sum is what the draw cost. */
static void draws_few_patches_one_by_one(void **unused)
{
    (void)unused;
    const struct pgs_device_class before = fake_physical.traits;
    fake_physical.traits.kind = PGS_DEVICE_CPU;
    fake_physical.traits.costs.of[PGS_COST_CPU_KSTEPS] = 1000;
    memset(fake_device.inline_ksteps, 0, sizeof(fake_device.inline_ksteps));
    pipeline.tes_stored = pipeline.inline_is_bounded = pipeline.patch.by_patch = true;
    pipeline.inline_steps = 1000;
    pipeline.small_gs_invocations = 5;
    pipeline.number = 7;
    state.is_once = true;
    fake_variant(&variants, PGS_VARIANT_INLINE, 16);
    fake_variant(&variants, PGS_VARIANT_INLINE_CALL, 17);
    const struct pgs_draw_call call = {.count = 8, .instance_count = 2};
    struct pgs_draw *draw;
    assert_int_equal(add_to(batch, &state, &call, &draw), VK_SUCCESS);
    assert_true(draw->plan.by_patch && draw->plan.watched);
    assert_int_equal(pgs_batch_seal(batch), VK_SUCCESS);
    const struct pgs_subdraw *subdraw = &draw->subdraws[0];
    struct pgs_tessellation record;
    memcpy(&record, subdraw->tessellation.mapped, sizeof(record));
    assert_true(record.flags & PGS_TESS_BY_PATCH && record.flags & PGS_TESS_INLINE);
    assert_int_equal(record.inline_args, subdraw->inline_args.address);
    VkDrawIndirectCommand *args = subdraw->inline_args.mapped;
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(args[i].vertexCount, 0);
        assert_int_equal(args[i].instanceCount, 1);
        assert_int_equal(args[i].firstVertex, i << PGS_PATCH_DRAW_LOG2);
        assert_int_equal(args[i].firstInstance, 0);
        args[i].vertexCount = 3 * (i + 1);
    }
    record_batch(batch, PGS_BATCH_FIRST);
    expect("barrier from raster; "
           "bind 11; dispatch 1 x 1; "
           "bind 12; barrier; dispatch 4 x 1; "
           "barrier to raster");
    pgs_batch_reset(batch, false);
    assert_int_equal(fake_device.inline_ksteps[7], 10);
    fake_physical.traits = before;
}

static struct pgs_draw *add_patches(uint32_t patches)
{
    const struct pgs_draw_call call = {.count = 4 * patches, .instance_count = 1};
    struct pgs_draw *draw;
    assert_int_equal(add_to(batch, &state, &call, &draw), VK_SUCCESS);
    return draw;
}

/* What the GPU would write. */
static void execute(const struct pgs_draw *draw, uint32_t vertices, uint32_t primitives)
{
    struct pgs_tessellation *made = draw->subdraws[0].tessellation.mapped;
    made->vertex_count = vertices;
    made->primitive_count = primitives;
}

/* On GPUs: how many vertices fewer the draws before would have evaluated stored decides. */
static void learns_what_patches_become(void **unused)
{
    (void)unused;
    const struct pgs_device_class before = fake_physical.traits;
    fake_physical.traits.kind = PGS_DEVICE_IMMEDIATE;
    fake_physical.traits.costs.of[PGS_COST_INLINE_PATCHES] = 256;
    fake_physical.traits.costs.of[PGS_COST_INLINE_EVALUATIONS] = 9600;
    pgs_forget_learned(&fake_device.learned, PGS_LEARNED_PATCHES);
    pipeline.tes_stored = true;
    pipeline.gs.xfb.enabled = false;
    pipeline.number = 7;
    fake_variant(&variants, PGS_VARIANT_INLINE, 16);
    assert_int_equal(add_patches(256)->plan.raster, PGS_RASTER_INLINE_TES);
    struct pgs_draw *draw = add_patches(320);
    assert_int_equal(draw->plan.raster, PGS_RASTER_TES_STORED_OR_INLINE);
    assert_true(draw->tells_patches);
    pgs_batch_reset(batch, false); /* it was never executed */
    draw = add_patches(320);
    assert_int_equal(draw->plan.raster, PGS_RASTER_TES_STORED_OR_INLINE);
    execute(draw, 320 * 6, 320 * 4); /* six vertices more for each */
    pgs_batch_reset(batch, false);
    assert_int_equal(add_patches(960)->plan.raster, PGS_RASTER_INLINE_TES);
    assert_int_equal(add_patches(960)->plan.raster, PGS_RASTER_TES_STORED_OR_INLINE); /* together */
    pgs_batch_next_pass(batch);
    draw = add_patches(640);
    assert_int_equal(draw->plan.raster, PGS_RASTER_INLINE_TES);
    assert_int_equal(pgs_batch_seal(batch), VK_SUCCESS);
    record_batch(batch, PGS_BATCH_FIRST);
    expect("barrier from raster; "
           "bind 11; dispatch 40 x 1; "
           "bind 12; barrier; dispatch 640 x 1; "
           "bind tess_count; barrier; dispatch 3 x 1; "
           "bind tess_allot; barrier; dispatch 1 x 1; "
           "barrier to raster and host");
    execute(draw, 640 * 9, 640 * 8); /* the levels have risen */
    const struct pgs_emulated_pipeline was = pipeline;
    memset(&pipeline, 0xFF, sizeof(pipeline)); /* it is destroyed */
    pgs_batch_reset(batch, false);
    pipeline = was;
    assert_int_equal(add_patches(656)->plan.raster, PGS_RASTER_TES_STORED_OR_INLINE);
    assert_int_equal(add_patches(224)->plan.raster, PGS_RASTER_INLINE_TES);
    pipeline.evaluation_steps =
        PGS_USUAL_EVALUATION_STEPS / 2; /* a shorter shader may more often */
    assert_int_equal(add_patches(656)->plan.raster, PGS_RASTER_INLINE_TES);
    assert_int_equal(add_patches(656)->plan.raster, PGS_RASTER_TES_STORED_OR_INLINE);
    pipeline.evaluation_steps = 0;
    draw = add_patches(320);
    execute(draw, 320 * 3, 320); /* nothing is evaluated twice */
    pgs_batch_reset(batch, false);
    assert_int_equal(add_patches(256 * 32)->plan.raster, PGS_RASTER_INLINE_TES);
    assert_int_equal(add_patches(256 * 32 + 1)->plan.raster, PGS_RASTER_TES_STORED_OR_INLINE);
    pgs_batch_reset(batch, false);
    pipeline.number += PGS_TIER_SLOTS; /* another one in its place */
    assert_int_equal(add_patches(257)->plan.raster, PGS_RASTER_TES_STORED_OR_INLINE);
    fake_physical.traits = before;
}

/* A dispatch takes a CPU longer than the few patches of a draw. */
static void draws_share_dispatches_of_few_patches_on_cpus(void **unused)
{
    (void)unused;
    pipeline.native_raster = true;
    const struct pgs_device_class before = fake_physical.traits;
    fake_physical.traits.kind = PGS_DEVICE_CPU;
    state = (struct pgs_graphics_state){.counted = &pipeline, .queries.generated[0] = 64};
    const struct pgs_draw_call call = {.count = 8, .instance_count = 1};
    for (uint32_t i = 0; i < 8; i++) {
        struct pgs_draw *draw;
        assert_int_equal(add_to(batch, &state, &call, &draw), VK_SUCCESS);
    }
    assert_int_equal(pgs_batch_seal(batch), VK_SUCCESS);
    record_batch(batch, PGS_BATCH_FIRST);
    expect("barrier from raster; "
           "bind 11; dispatch 1 x 1 of 2 draws; dispatch 1 x 1 of 6 draws; "
           "bind 12; barrier; dispatch 2 x 1 of 2 draws; dispatch 2 x 1 of 6 draws; "
           "bind tess_few; barrier; dispatch 1 x 1 of 2 draws; dispatch 1 x 1 of 6 draws; "
           "bind xfb_program; barrier; dispatch 1 x 1");
    fake_physical.traits = before;
}

static void captures_what_geometry_emits(void **unused)
{
    (void)unused;
    pipeline.native_raster = true;
    state = (struct pgs_graphics_state){.counted = &pipeline, .interval = 64};
    const struct pgs_draw_call call = {.count = 8, .instance_count = 1};
    struct pgs_draw *draw;
    assert_int_equal(add_to(batch, &state, &call, &draw), VK_SUCCESS);
    assert_int_equal(pgs_batch_seal(batch), VK_SUCCESS);
    record_batch(batch, PGS_BATCH_FIRST);
    expect("barrier from raster; "
           "bind 11; dispatch 1 x 1; "
           "bind 12; barrier; dispatch 2 x 1; "
           "bind tess_count; barrier; dispatch 1 x 1; "
           "bind tess_allot; barrier; dispatch 1 x 1; "
           "bind tessellate; barrier to grids; dispatch 2 x 1; "
           "bind 13; barrier; dispatch by grid; "
           "bind 14; barrier; dispatch by grid; "
           "bind capture_tiles; barrier; dispatch by grid; "
           "bind capture_scan; barrier; dispatch 1 x 1; "
           "bind xfb_program; barrier; dispatch 1 x 1; "
           "bind pool_close; dispatch 1 x 1; "
           "bind capture_geometry; barrier; dispatch by grid; "
           "barrier to host");
}

static void fills_records(void **unused)
{
    (void)unused;
    state.queries.generated[0] = 64;
    const struct pgs_draw *draw =
        add_sealed((struct pgs_draw_call){.count = 12, .instance_count = 5});
    const struct pgs_draw_record *record = draw->subdraws[0].record.mapped;
    assert_int_equal(record->flags & PGS_DRAW_TESSELLATED, PGS_DRAW_TESSELLATED);
    assert_int_equal(record->topology,
                     VK_PRIMITIVE_TOPOLOGY_PATCH_LIST | 4 << PGS_PATCH_VERTICES_LOG2);
    assert_int_equal(record->primitive_count, 3);
    assert_int_equal(record->instance_count, 5);
    assert_int_equal(record->in_stride_w, 4);
    assert_int_equal(record->out_stride_w, 8);
    assert_int_equal(record->grids, draw->grids.address);
    assert_int_equal(record->capture, draw->subdraws[0].capture);
    assert_int_not_equal(record->draw_args, 0);
    assert_int_equal(record->pool, draw->pool->header.address);
    const struct pgs_tessellation *tess = at(record->tessellation);
    assert_int_equal(tess->flags, PGS_TESS_QUADS);
    assert_int_equal(tess->patch_vertices_in, 4);
    assert_int_equal(tess->patch_vertices_out, 5);
    assert_int_equal(tess->patch_stride_w, 28);
    assert_int_equal(tess->vertex_stride_w, 12);
    assert_true(tess->patches && tess->starts && tess->tile_sums);
    assert_true(tess->starts >= tess->patches + 15 * 28 * 4);
}

static const struct pgs_pool *pool_of(const struct pgs_draw *draw)
{
    const struct pgs_draw_record *record = draw->subdraws[0].record.mapped;
    return at(record->pool);
}

/* Whatever the others turn out to want, the first has memory for its worst case. */
/* What the kernels refuse is what the plan and the pools expect them to refuse. */
static void records_have_the_limit_of_the_plan(void **unused)
{
    static const struct {
        enum pgs_spv_polygons polygons;
        bool lists;
        uint32_t most;
    } cases[] = {{PGS_SPV_POLYGONS_FILLED, false, PGS_MAX_OUT_VERTICES_UINT32},
                 {PGS_SPV_POLYGONS_FILLED, true, UINT32_MAX / 3},
                 {PGS_SPV_POLYGONS_LINES, false, PGS_MAX_OUT_VERTICES}};
    (void)unused;
    fake_physical.features.fullDrawIndexUint32 = VK_TRUE;
    for (size_t i = 0; i < 3; i++) {
        pipeline.polygons = cases[i].polygons;
        pipeline.lists = cases[i].lists;
        const struct pgs_draw *draw =
            add_sealed((struct pgs_draw_call){.count = 12, .instance_count = 1});
        const struct pgs_draw_record *record = draw->subdraws[0].record.mapped;
        assert_int_equal(pgs_max_record_vertices(&fake_device, &pipeline), cases[i].most);
        assert_int_equal(record->max_gs_invocations, cases[i].most / 3);
        pgs_batch_next_pass(batch);
    }
}

/* Nothing can draw it without memory. So each round has that for its worst case, and the pool for
 * it is no larger than a pass should have. */
static void draws_in_rounds_what_would_be_lost(void **unused)
{
    (void)unused;
    const uint64_t room_B = UINT64_C(1) << 30; /* as large as a pool may be */
    const struct pgs_draw_call all = {.count = 12000, .instance_count = 2};
    const struct pgs_rounds rounds = rounds_of(all);
    assert_int_equal(rounds.all, 6000);
    assert_within(rounds.each, 101, 5999); /* there are less than 64 */
    assert_false(rounds.begins_anew);
    for (uint32_t first = 0; first < 6000; first += rounds.each) {
        struct pgs_draw_call part = all;
        part.part_first = first;
        part.part_count = 6000 - first < rounds.each ? 6000 - first : rounds.each;
        const struct pgs_draw *draw = add_call(part);
        const struct pgs_draw_record *record = draw->subdraws[0].record.mapped;
        const struct pgs_tessellation *tess = at(record->tessellation);
        assert_int_equal(draw->pool->kind, PGS_POOL_ROUND);
        assert_true(draw->pool->wanted_B <= room_B && draw->pool->wanted_B);
        assert_int_equal(tess->patch_first, first);
        assert_int_equal(tess->patch_count, part.part_count);
        assert_int_equal(record->primitive_count, 3000);
        assert_int_equal(record->instance_count, 2);
        assert_true(rounds_of(all).begins_anew);
        pgs_batch_next_pass(batch);
    }
}

/* Many patches seldom have the highest levels. If they had, there are more rounds next time. */
static void learns_how_many_rounds_it_takes(void **unused)
{
    (void)unused;
    struct pgs_draw_call all = {.count = 4000000, .instance_count = 1};
    assert_int_equal(rounds_of(all).each, 1000000 / 64 + 1);
    all.part_count = 1000000 / 64 + 1;
    const struct pgs_draw *draw = add_call(all);
    assert_int_equal(draw->pool->kind, PGS_POOL_ROUND);
    assert_int_equal(draw->pool->wanted_B, UINT64_C(1) << 30);
    assert_int_equal(pgs_batch_seal(batch), VK_SUCCESS);
    struct pgs_pool *pool = draw->pool->header.mapped;
    pool->needed_units = pool->size_units + 1;
    pgs_batch_reset(batch, false);
    all.part_count = 0;
    assert_int_equal(rounds_of(all).each, 1000000 / 128 + 1);
    fake_device.rounds_log2 = 0;
}

static void needs_no_rounds(void **unused)
{
    (void)unused;
    const struct pgs_draw_call all = {.count = 12000, .instance_count = 2},
                               some = {.count = 400, .instance_count = 1},
                               few = {.count = 40, .instance_count = 1};
    assert_int_equal(rounds_of(few).all, 0); /* the usual pool holds it */
    assert_int_equal(add_call(few)->pool->kind, PGS_POOL_SURE);
    assert_int_equal(rounds_of(some).all, 0); /* a pass may have so much more */
    assert_int_equal(add_call(some)->pool->kind, PGS_POOL_ROUND);
    assert_int_equal(
        rounds_of((struct pgs_draw_call){.indirect = true, .max_draws = 3, .args_stride_B = 16})
            .all,
        0);
    fake_variant(&variants, PGS_VARIANT_INLINE, 16); /* a vertex shader may stand in */
    assert_int_equal(rounds_of(all).all, 0);
}

/* Of a draw in rounds, the first counts what is not the round's alone. */
static void counts_rounds_together(void **unused)
{
    (void)unused;
    state.queries.statistics = 64;
    for (uint32_t first = 0; first < 6; first += 3) {
        const struct pgs_draw *draw = add_call((struct pgs_draw_call){
            .count = 24, .instance_count = 1, .part_first = first, .part_count = 3});
        const struct pgs_capture *capture = at(draw->subdraws[0].capture);
        assert_int_equal(capture->flags & PGS_CAPTURE_STATISTICS,
                         first ? 0 : PGS_CAPTURE_STATISTICS);
    }
}

static void takes_nothing_from_draws_that_fit(void **unused)
{
    (void)unused;
    const struct pgs_draw_call small = {.count = 12, .instance_count = 1},
                               large = {.count = 1200, .instance_count = 1},
                               unknown = {.indirect = true, .max_draws = 1};
    const struct pgs_draw_plan p = plan_of(12, 1);
    struct pgs_draw *draws[4];
    assert_int_equal(add_to(batch, &state, &unknown, &draws[0]), VK_SUCCESS);
    assert_int_equal(add_to(batch, &state, &small, &draws[1]), VK_SUCCESS);
    assert_int_equal(add_to(batch, &state, &large, &draws[2]), VK_SUCCESS);
    assert_int_equal(add_to(batch, &state, &unknown, &draws[3]), VK_SUCCESS);
    assert_int_equal(pgs_batch_seal(batch), VK_SUCCESS);
    const struct pgs_pool *sure = pool_of(draws[1]);
    assert_int_equal(sure->size_units * (uint64_t)PGS_POOL_UNIT_B,
                     pgs_tess_worst_B(rules.max_out_vertices, &pipeline, &p));
    assert_ptr_equal(pool_of(draws[0]), pool_of(draws[3]));
    assert_ptr_not_equal(pool_of(draws[0]), sure);
    assert_ptr_not_equal(pool_of(draws[2]), sure);
    assert_ptr_not_equal(pool_of(draws[2]), pool_of(draws[0]));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(no_patch_gives_more_than_the_bound),
        TEST(small_draws_cannot_run_out),
        TEST(knows_when_vertices_are_too_many),
        TEST(records_stage_by_stage),
        TEST(shades_vertices_of_few_patches),
        TEST(knows_what_its_grids_dispatch),
        TEST(draws_what_evaluation_stores),
        TEST(waits_for_the_grids_of_indirect_draws),
        TEST(counts_without_evaluation),
        TEST(counts_few_patches_by_one_invocation_on_cpus),
        TEST(draws_few_patches_one_by_one),
        TEST(learns_what_patches_become),
        TEST(draws_share_dispatches_of_few_patches_on_cpus),
        TEST(captures_what_geometry_emits),
        TEST(fills_records),
        TEST(takes_nothing_from_draws_that_fit),
        TEST(records_have_the_limit_of_the_plan),
        TEST(draws_in_rounds_what_would_be_lost),
        TEST(needs_no_rounds),
        TEST(learns_how_many_rounds_it_takes),
        TEST(counts_rounds_together),
        TEST(shares_out_what_only_the_gpu_knows),
        TEST(shares_out_patches_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
