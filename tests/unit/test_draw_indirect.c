/* SPDX-License-Identifier: MIT
 *
 * Indirect draws: what is planned and recorded of them, and what their kernel is told. The driver
 * is fake and writes down what it is told.
 */
#include "draw/indirect.h"
#include "draw/plan.h"
#include "draw/record.h"
#include "draw/sizes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

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
    fake_variant(&variants, PGS_VARIANT_GEOMETRY, 12);
    fake_variant(&variants, PGS_VARIANT_STORED_0, 14);
    pipeline = (struct pgs_emulated_pipeline){
        .handle = (VkPipeline)(uintptr_t)14,
        .variants = &variants,
        .layout = &layout,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
        .gs = {.input_vertices = 3,
               .output_kind = 3,
               .stream_mask = 1,
               .max_vertices = 4,
               .invocations = 2,
               .in = {.stride_w = 12},
               .out_stride_w = 8,
               .xfb = {.enabled = true, .copy_count = 1}},
    };
    state = (struct pgs_graphics_state){
        .pipeline = &pipeline,
        .index_buffer = BUFFER(INDICES),
        .index_offset_B = 16,
        .index_size_B = VK_WHOLE_SIZE,
        .index_type = VK_INDEX_TYPE_UINT16,
    };
    fake_instance.settings.plan = PGS_PLAN_AUTO;
    return open_batch(2);
}

static struct pgs_draw_call call_of(uint32_t draws, uint32_t stride_B, VkDeviceSize offset_B)
{
    return (struct pgs_draw_call){
        .indirect = true,
        .args = {BUFFER(ARGS), offset_B},
        .args_stride_B = stride_B,
        .max_draws = draws,
    };
}

static void records_all_draws_of_a_call_together(void **unused)
{
    (void)unused;
    const struct pgs_draw *draw = add_sealed(call_of(3, 16, 0));
    record_batch(batch, PGS_BATCH_FIRST);
    expect("barrier from raster; "
           "bind indirect; dispatch 1 x 1; "
           "bind 11; barrier to grids; dispatch by grid; "
           "bind 12; barrier; dispatch by grid; "
           "bind count_tiles; barrier; dispatch by grid; "
           "bind scan_tiles; barrier; dispatch by grid; "
           "bind expand; barrier; dispatch by grid; "
           "bind pool_close; dispatch 1 x 1; "
           "barrier to raster and host");
    expect_grid(draw, 0, offsetof(struct pgs_grids, vertex));
    expect_grid(draw, 1, offsetof(struct pgs_grids, geometry));
    expect_grid(draw, 2, offsetof(struct pgs_grids, tiles));
    expect_grid(draw, 3, offsetof(struct pgs_grids, one));
    replay(draw);
    expect("vertex; index; draw 1; vertex; draw 1; vertex; draw 1");
    assert_null(add_sealed(call_of(0, 16, 0)));
}

/* Where that costs a CPU less than draws one by one, if instances find their records. */
static void one_raster_draw_takes_all_records(void **unused)
{
    (void)unused;
    fake_physical.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU;
    fake_physical.features.multiDrawIndirect = VK_TRUE;
    for (uint32_t can = 0; can < 2; can++) {
        fake_physical.features.drawIndirectFirstInstance = can;
        const struct pgs_draw *draw = add_sealed(call_of(3, 16, 0));
        for (uint32_t i = 0; i < 3; i++) {
            const struct pgs_subdraw subdraw = pgs_draw_subdraw(draw, i);
            const struct pgs_draw_record *r = subdraw.record.mapped;
            assert_int_equal(r->raster_instance, can ? i : 0);
            assert_int_equal(r->draw_args, subdraw.draw_args.address);
        }
        replay(draw);
        expect(can ? "vertex; index; draw 3"
                   : "vertex; index; draw 1; vertex; draw 1; vertex; draw 1");
    }
    fake_physical.features.drawIndirectFirstInstance = VK_FALSE;
    fake_physical.features.multiDrawIndirect = VK_FALSE;
    fake_physical.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_OTHER;
}

static void restarts_where_indices_do(void **unused)
{
    (void)unused;
    pipeline.primitive_restart = pipeline.rasterizer_discard = true;
    struct pgs_draw_call call = call_of(2, 20, 0);
    call.indexed = true;
    const struct pgs_draw *draw = add_sealed(call);
    record_batch(batch, PGS_BATCH_FIRST);
    expect("barrier from raster; "
           "bind indirect; dispatch 1 x 1; "
           "bind 11; barrier to grids; dispatch by grid; "
           "bind restart_tiles; dispatch by grid; "
           "bind restart_scan; barrier; dispatch by grid; "
           "bind restart_emit; barrier; dispatch by grid; "
           "bind 12; barrier; dispatch by grid; "
           "bind pool_close; barrier; dispatch 1 x 1; "
           "barrier to host");
    expect_grid(draw, 1, offsetof(struct pgs_grids, restart));
    expect_grid(draw, 2, offsetof(struct pgs_grids, one));
    const struct pgs_draw_record *first = draw->subdraws[0].record.mapped;
    const struct pgs_draw_record *second = draw->subdraws[1].record.mapped;
    assert_int_equal(first->draw_args, 0);
    assert_true(first->restart_count && second->restart_count);
    assert_int_not_equal(first->restart_count, second->restart_count);
}

/* The kernel reads no arguments that are not wholly there. */
static void expect_args(uint32_t count, uint32_t draws, bool indexed, uint32_t stride_B,
                        VkDeviceSize offset_B, int buffer)
{
    struct pgs_draw_call call = call_of(draws, stride_B, offset_B);
    call.indexed = indexed;
    call.args.buffer = BUFFER(buffer);
    const struct pgs_draw *draw = add_sealed(call);
    const struct pgs_indirect *indirect = at(draw->indirect);
    assert_int_equal(indirect->args_count, count);
    assert_int_equal(indirect->record_count, draws);
    assert_int_equal(indirect->args_stride_B, stride_B);
    if (count)
        assert_int_equal(indirect->args, ADDRESS(buffer) + offset_B);
}

static void bounds_arguments_by_their_buffer(void **unused)
{
    (void)unused;
    expect_args(62, 62, false, 16, 0, ARGS); /* 1000 bytes */
    expect_args(62, 100, false, 16, 0, ARGS);
    expect_args(62, 63, false, 16, 8, ARGS);
    expect_args(61, 63, false, 16, 12, ARGS);
    expect_args(49, 63, true, 20, 16, ARGS);
    expect_args(1, 1, true, 0, 980, ARGS);
    expect_args(0, 1, true, 0, 984, ARGS);
    expect_args(1, 1, false, 0, 984, ARGS);
    expect_args(0, 4, false, 16, 1000, ARGS);
    expect_args(0, 4, false, 16, UINT64_MAX - 3, ARGS);
    expect_args(0, 4, false, 16, 2, ARGS); /* not at a word */
    expect_args(1, 2, false, UINT32_MAX - 3, 0, ARGS);
    expect_args(1, 2, false, 18, 0, ARGS);
    expect_args(0, 2, false, 16, 0, NONE);
    expect_args(0, 2, false, 16, 0, EXTERNAL);
}

static void tells_of_counts_and_conditions(void **unused)
{
    (void)unused;
    struct pgs_draw_call call = call_of(5, 16, 4);
    call.draw_index = 100;
    call.draw_count = (struct pgs_counter){BUFFER(COUNTS), 60};
    state.condition = (struct pgs_condition){BUFFER(COUNTS), 8, true};
    const struct pgs_draw *draw = add_sealed(call);
    const struct pgs_indirect *indirect = at(draw->indirect);
    assert_int_equal(indirect->count, ADDRESS(COUNTS) + 60);
    assert_int_equal(indirect->condition, ADDRESS(COUNTS) + 8);
    assert_int_equal(indirect->flags,
                     PGS_SETUP_CONDITION | PGS_SETUP_INVERTED | PGS_INDIRECT_STORES);
    assert_int_equal(indirect->first_draw, 100);
    assert_int_equal(draw->setup, 0); /* the same kernel asks */
    state.condition = (struct pgs_condition){0};
    call.draw_count.offset_B = 64; /* not there: nothing is drawn */
    indirect = at(add_sealed(call)->indirect);
    assert_int_equal(indirect->args_count, 0);
    assert_int_equal(indirect->flags, PGS_INDIRECT_STORES);
}

/* Where the geometry shader does it all, nothing is taken for vertices, but sets are bound. */
static void takes_no_vertices_where_one_stage_is_both(void **unused)
{
    (void)unused;
    fake_variant(&variants, PGS_VARIANT_VERTEX, 0);
    fake_variant(&variants, PGS_VARIANT_GEOMETRY, 0);
    fake_variant(&variants, PGS_VARIANT_FUSED, 12);
    const struct pgs_draw *draw = add_sealed(call_of(2, 16, 0));
    const struct pgs_indirect *indirect = at(draw->indirect);
    assert_int_equal(indirect->flags, PGS_INDIRECT_STORES);
    const struct pgs_draw_record *record = at(indirect->records);
    assert_int_equal(record->in_stride_w, 0);
    assert_int_equal(record->invocations, 2);
    record_batch(batch, PGS_BATCH_FIRST);
    assert_null(strstr(event_log.text, "bind 11"));
    assert_non_null(strstr(event_log.text, "bind 12"));
}

static void fills_records(void **unused)
{
    (void)unused;
    state.queries.generated[0] = 64;
    struct pgs_draw_call call = call_of(3, 20, 0);
    call.indexed = true;
    call.draw_index = 7;
    const struct pgs_draw *draw = add_sealed(call);
    const struct pgs_indirect *indirect = at(draw->indirect);
    assert_int_equal(indirect->indices, ADDRESS(INDICES) + 16);
    assert_int_equal(indirect->index_bound_el, 120);
    for (uint32_t i = 0; i < 3; i++) {
        const struct pgs_draw_record *record =
            at(indirect->records + (uint64_t)i * indirect->record_stride_B);
        assert_true(record == pgs_draw_subdraw(draw, i).record.mapped);
        assert_int_equal(record->draw_index, 7 + i);
        assert_int_equal(
            record->vertex_count + record->instance_count + record->gs_invocation_bound, 0);
        assert_int_equal(record->flags & (PGS_DRAW_INDIRECT | PGS_DRAW_INDEXED),
                         PGS_DRAW_INDIRECT | PGS_DRAW_INDEXED);
        assert_int_equal(record->in_stride_w, 12);
        assert_int_equal(record->out_stride_w, 8);
        assert_int_equal(record->invocations, 2);
        assert_int_equal(record->capture, pgs_draw_subdraw(draw, i).capture);
        assert_int_equal(record->grids, draw->grids.address);
        assert_int_equal(record->pool, draw->pool->header.address);
        assert_true(record->max_gs_invocations);
        const struct pgs_capture *capture = at(record->capture);
        assert_int_equal(capture->flags, PGS_CAPTURE_GEOMETRY | PGS_CAPTURE_STATISTICS);
    }
}

static void expect_placed(const struct pgs_draw *draw, VkDeviceAddress args)
{
    const struct pgs_inline_draw *inline_draw = draw->inline_root.mapped;
    assert_int_equal(inline_draw->records, draw->subdraws[0].record.address);
    assert_int_equal(inline_draw->record_stride_B, draw->record_stride_B);
    assert_int_equal(inline_draw->record_count, draw->plan.subdraw_count);
    assert_int_equal(inline_draw->vertices_per_gs_invocation, 6);
    assert_int_equal(inline_draw->args, args);
}

/* One of the two has no instances, and only the GPU knows which. */
static void draws_both_ways(void **unused)
{
    (void)unused;
    fake_variant(&variants, PGS_VARIANT_INLINE_CALL, 13);
    const struct pgs_draw *draw = add_sealed(call_of(2, 16, 0));
    expect_placed(draw, draw->inline_args.address);
    const struct pgs_indirect *indirect = at(draw->indirect);
    assert_int_equal(indirect->inline_draw, draw->inline_root.address);
    assert_int_equal(indirect->flags, PGS_INDIRECT_STORES);
    replay(draw);
    expect("draw with 13; vertex; draw indirect; draw with 14; "
           "vertex; index; draw 1; vertex; draw 1");
    fake_instance.settings.plan = PGS_PLAN_COMPUTE;
    draw = add_sealed(call_of(2, 16, 0));
    assert_true(!draw->inline_root.buffer && !draw->inline_args.buffer);
    replay(draw);
    expect("vertex; index; draw 1; vertex; draw 1"); /* as 14 has been left bound */
}

static void draws_without_memory_where_it_is_told_to(void **unused)
{
    (void)unused;
    fake_variant(&variants, PGS_VARIANT_INLINE, 13);
    fake_variant(&variants, PGS_VARIANT_INLINE_CALL, 15);
    pipeline.inline_is_exact = true;
    fake_instance.settings.plan = PGS_PLAN_VERTEX;
    const struct pgs_draw *draw = add_sealed(call_of(2, 16, 0));
    assert_null(draw->pool);
    const struct pgs_indirect *indirect = at(draw->indirect);
    const struct pgs_draw_record *record = draw->subdraws[0].record.mapped;
    assert_int_equal(indirect->inline_draw, draw->inline_root.address);
    assert_int_equal(indirect->flags, 0);
    assert_int_equal(record->invocations, 2);
    assert_int_equal(record->flags & PGS_DRAW_MAIN, 0);
    record_batch(batch, PGS_BATCH_FIRST);
    expect("barrier from raster; bind indirect_inline; dispatch 1 x 1; barrier to raster");
    replay(draw);
    expect("draw with 15; vertex; draw indirect");
    pipeline.gs.pattern = (struct pgs_spv_emit_pattern){.is_known = true, .primitives = {2}};
    replay(add_sealed(call_of(1, 16, 0))); /* has no record to search for */
    expect("draw with 13; vertex; draw indirect");
    pipeline.gs.pattern.is_known = false;
    replay(add_sealed(call_of(1, 16, 0))); /* could have too many vertices for one list */
    expect("draw with 15; vertex; draw indirect");
    pgs_batch_next_pass(batch);
    draw = add_sealed((struct pgs_draw_call){.count = 12, .instance_count = 3});
    expect_placed(draw, 0);
    replay(draw);
    expect("draw with 13; vertex; draw 1 of 360 from 98");
}

/* One invocation has less to compile; calls of several draws have a workgroup. */
static void reads_one_draw_by_one_invocation_on_cpus(void **unused)
{
    (void)unused;
    fake_variant(&variants, PGS_VARIANT_INLINE, 13);
    fake_variant(&variants, PGS_VARIANT_INLINE_CALL, 15);
    pipeline.inline_is_exact = true;
    fake_instance.settings.plan = PGS_PLAN_VERTEX;
    const struct pgs_device_class before = fake_physical.traits;
    fake_physical.traits.kind = PGS_DEVICE_CPU;
    for (uint32_t draws = 2; draws > 0; draws--) {
        fake.has_digits = false;
        add_sealed(call_of(draws, 16, 0));
        record_batch(batch, PGS_BATCH_FIRST);
        assert_true(fake.has_digits);
        expect(draws > 1
                   ? "barrier from raster; bind indirect_inline; dispatch 1 x 1; barrier to raster"
                   : "barrier from raster; bind indirect_one; dispatch 1 x 1; barrier to raster");
        pgs_batch_next_pass(batch);
    }
    fake_physical.traits = before;
}

/* Each is bound where the one before in the pass has left, or the application bound, another. */
static void binds_what_is_not_bound(void **unused)
{
    (void)unused;
    const struct pgs_draw_call call = {.count = 12, .instance_count = 1};
    fake_variant(&variants, PGS_VARIANT_INLINE, 13);
    pipeline.inline_is_exact = true;
    pipeline.gs.pattern = (struct pgs_spv_emit_pattern){.is_known = true, .primitives = {2}};
    fake_instance.settings.plan = PGS_PLAN_VERTEX;
    replay(add_sealed(call));
    expect("draw with 13; vertex; draw 1 of 120 from 16"); /* one list */
    replay(add_sealed(call));
    expect("draw 1 of 120 from 34");
    fake_instance.settings.plan = PGS_PLAN_COMPUTE;
    replay(add_sealed(call));
    expect("draw with 14; vertex; index; draw 1");
    replay(add_sealed(call));
    expect("vertex; draw 1");
    fake_instance.settings.plan = PGS_PLAN_VERTEX;
    replay(add_sealed(call));
    expect("draw with 13; vertex; draw 1 of 120 from 84");
    state.driver_pipeline = (VkPipeline)(uintptr_t)14;
    state.bind_count++;
    replay(add_sealed(call));
    expect("draw with 13; draw 1 of 120 from 102");
    state.driver_pipeline = (VkPipeline)(uintptr_t)13; /* finished since */
    state.bind_count++;
    replay(add_sealed(call));
    expect("draw 1 of 120 from 120");
    state.driver_pipeline = (VkPipeline)(uintptr_t)14;
    state.bind_count++;
    fake_instance.settings.plan = PGS_PLAN_COMPUTE;
    replay(add_sealed(call));
    expect("vertex; index; draw 1");
    pgs_batch_next_pass(batch); /* nobody knows what is bound there */
    replay(add_sealed(call));
    expect("draw with 14; vertex; index; draw 1");
    pgs_batch_next_pass(batch);
    state.bind_count++; /* but for what the application has bound since the last draw */
    replay(add_sealed(call));
    expect("vertex; index; draw 1");
    struct pgs_batch *sibling;
    struct pgs_draw *draw;
    assert_int_equal(pgs_batch_create(&fake_device, batch, NULL, &sibling), VK_SUCCESS);
    assert_int_equal(add_to(sibling, &state, &call, &draw), VK_SUCCESS); /* another has drawn */
    replay(draw);
    expect("draw with 14; vertex; index; draw 1");
    pgs_batch_destroy(sibling);
    pgs_batch_next_pass(batch);
    fake_physical.replays_layers = true; /* a layer begins with what the last one has left */
    state.bind_count++;
    replay(add_sealed(call));
    fake_physical.replays_layers = false;
    expect("draw with 14; vertex; index; draw 1");
}

/* The driver draws; beside it what is captured, or counted alone, for which no memory is taken. */
static void counts_native_draws(void **unused)
{
    (void)unused;
    pipeline.native_raster = true;
    fake_variant(&variants, PGS_VARIANT_GEOMETRY, 0);
    state.pipeline = NULL;
    state.counted = &pipeline;
    assert_null(add_sealed(call_of(2, 16, 0)));
    assert_true(pgs_batch_is_empty(batch)); /* nobody asks */
    state.queries.generated[0] = 64;
    assert_null(add_sealed(call_of(2, 16, 0)));
    record_batch(batch, PGS_BATCH_FIRST);
    const struct pgs_xfb_program *program = root_of(PGS_KERNEL_XFB_PROGRAM, 0);
    assert_int_equal(program->op_count, 2);
    expect("barrier from raster; "
           "bind indirect; dispatch 1 x 1; "
           "bind xfb_program; barrier to grids; dispatch 1 x 1");
    pgs_batch_next_pass(batch);
    /* Nothing of the pool for captures either. */
    state.interval = 64;
    assert_null(add_sealed(call_of(2, 16, 0)));
    record_batch(batch, PGS_BATCH_FIRST);
    const struct pgs_indirect *indirect = root_of(PGS_KERNEL_INDIRECT, 0);
    expect("barrier from raster; "
           "bind indirect; dispatch 1 x 1; "
           "bind xfb_program; barrier to grids; dispatch 1 x 1; "
           "bind 11; barrier; dispatch by grid");
    assert_int_equal(indirect->flags, PGS_INDIRECT_CAPTURE);
    assert_int_equal(indirect->capture_el, 3);
    assert_int_equal(indirect->capture_bound_el, PGS_MAX_INVOCATIONS); /* of an unknown interval */
    const struct pgs_draw_record *record = at(indirect->records);
    assert_int_equal(record->pool | record->in_stride_w, 0);
    assert_true(at(record->capture) ==
                (const void *)((const unsigned char *)record - PGS_CAPTURE_BEFORE_B));
    pgs_batch_next_pass(batch);
    /* But the list of primitives where indices restart. */
    pipeline.primitive_restart = true;
    struct pgs_draw_call call = call_of(2, 20, 0);
    call.indexed = true;
    assert_null(add_sealed(call));
    record_batch(batch, PGS_BATCH_FIRST);
    expect("barrier from raster; "
           "bind indirect; dispatch 1 x 1; "
           "bind restart_tiles; barrier to grids; dispatch by grid; "
           "bind restart_scan; barrier; dispatch by grid; "
           "bind restart_emit; barrier; dispatch by grid; "
           "bind xfb_program; dispatch 1 x 1; "
           "bind pool_close; barrier; dispatch 1 x 1; "
           "bind 11; barrier; dispatch by grid; "
           "barrier to host");
}

static uint32_t bound_indices(void)
{
    struct pgs_bound_indices indices;
    pgs_bound_indices_find(&indices, &fake_device, &state);
    return (uint32_t)indices.bound_el;
}

/* Draws that would be lost without memory want what one of all indices takes. */
static void wants_what_is_bound(void **unused)
{
    (void)unused;
    const uint32_t indices_el = bound_indices();
    const struct pgs_draw_call direct = {.indexed = true, .count = indices_el, .instance_count = 1};
    const struct pgs_plan_rules rules = {.max_out_vertices = PGS_MAX_OUT_VERTICES};
    struct pgs_draw_plan plan;
    bool too_large;
    assert_true(pgs_draw_plan(&pipeline, &state, &direct, &rules, &plan, &too_large));
    const uint64_t whole_B = pgs_scratch_B(&pipeline, &plan, indices_el);
    struct pgs_draw_call call = call_of(3, 20, 0);
    call.indexed = true;
    const struct pgs_draw *draw = add_call(call);
    assert_true(draw->pool->kind == PGS_POOL_VITAL && draw->plan.vital_pool);
    assert_true(whole_B > 100);
    /* The CPU leaves out what few tiles do without. */
    assert_within(draw->pool->wanted_B, whole_B - 100, whole_B + 100);
    const uint64_t first_B = draw->pool->wanted_B;
    assert_int_equal(add_call(call)->pool->wanted_B, 2 * first_B);
    /* Nothing says how many vertices there are. */
    assert_within(add_call(call_of(3, 16, 0))->pool->wanted_B, 2 * first_B, 2 * first_B + 100);
    fake_variant(&variants, PGS_VARIANT_INLINE_CALL, 13);
    assert_int_equal(add_call(call)->pool->kind, PGS_POOL_OPEN);
}

/* A vertex shader may stand in, but it has to find its primitives. */
static void wants_lists_of_what_is_bound(void **unused)
{
    (void)unused;
    const uint64_t indices_el = bound_indices();
    struct pgs_draw_call call = call_of(1, 20, 0);
    call.indexed = true;
    fake_variant(&variants, PGS_VARIANT_INLINE_CALL, 13);
    assert_int_equal(add_call(call)->pool->kind, PGS_POOL_OPEN);
    pipeline.primitive_restart = true;
    const struct pgs_draw *draw = add_call(call);
    assert_false(draw->plan.vital_pool);
    assert_int_equal(draw->pool->kind, PGS_POOL_VITAL);
    assert_within(draw->pool->wanted_B, indices_el * 8 + 16, indices_el * 9 + 512);
}

/* Batches of a pass share one pool, which the last of them closes. */
static void batches_of_a_pass_share_the_pool(void **unused)
{
    (void)unused;
    struct pgs_batch *sibling;
    assert_int_equal(pgs_batch_create(&fake_device, batch, NULL, &sibling), VK_SUCCESS);
    const struct pgs_draw_call call = call_of(1, 16, 0);
    struct pgs_draw *first, *second;
    assert_int_equal(add_to(batch, &state, &call, &first), VK_SUCCESS);
    assert_int_equal(add_to(sibling, &state, &call, &second), VK_SUCCESS);
    assert_int_equal(pgs_batch_seal(batch), VK_SUCCESS);
    assert_true(first->pool == second->pool);
    assert_int_equal(first->pool->range.size_B, 2 << 20);
    record_batch(batch, PGS_BATCH_FIRST);
    assert_null(strstr(event_log.text, "pool_close"));
    record_batch(sibling, PGS_BATCH_FIRST);
    assert_non_null(strstr(event_log.text, "pool_close"));
    pgs_batch_destroy(sibling);
}

static struct pgs_replacement *add_one(VkDeviceSize offset_B, bool follows)
{
    const struct pgs_draw_call call = call_of(1, 0, offset_B);
    struct pgs_replacement *replacement;
    if (follows && pgs_batch_add_next_indirect(batch, &state, false, call.args))
        return NULL;
    assert_int_equal(pgs_batch_add(batch, &state, &call, follows, &replacement), VK_SUCCESS);
    return replacement;
}

static void expect_loop(const struct pgs_draw *draw, VkDeviceSize offset_B, uint32_t draws,
                        uint32_t stride_B)
{
    const struct pgs_indirect *indirect = at(draw->indirect);
    assert_int_equal(draw->plan.subdraw_count, draws);
    assert_int_equal(indirect->args, ADDRESS(ARGS) + offset_B);
    assert_int_equal(indirect->record_count, draws);
    assert_int_equal(indirect->args_count, draws);
    assert_int_equal(indirect->records, draw->subdraws[0].record.address);
    if (draws > 1)
        assert_int_equal(indirect->args_stride_B, stride_B);
    for (uint32_t i = 0; i < draws; i++) {
        const struct pgs_subdraw subdraw = pgs_draw_subdraw(draw, i);
        const struct pgs_draw_record *r = subdraw.record.mapped;
        assert_int_equal(r->draw_index, 0); /* each is a call of its own */
        assert_int_equal(subdraw.record.address, indirect->records + i * indirect->record_stride_B);
    }
}

/* Calls of one draw each; the first two tell that it is a loop. */
static void loops_become_calls_of_several_draws(void **unused)
{
    (void)unused;
    const struct pgs_replacement *all[7];
    state.version = state.data_version = 1;
    for (uint32_t i = 0; i < 7; i++)
        all[i] = add_one(40 + i * 24, i > 0);
    assert_true(all[0] && all[1] && all[5]);
    assert_true(!all[2] && !all[3] && !all[4] && !all[6]);
    expect_loop(all[0]->draw, 40, 1, 0);
    expect_loop(all[1]->draw, 64, 4, 24);
    expect_loop(all[5]->draw, 160, 2, 24);
    assert_int_equal(pgs_batch_seal(batch), VK_SUCCESS);
    record_batch(batch, PGS_BATCH_FIRST);
    expect("barrier from raster; "
           "bind indirect; dispatch 1 x 1 of 2 draws; dispatch 1 x 1; "
           "bind 11; barrier to grids; dispatch by grid; dispatch by grid; dispatch by grid; "
           "bind 12; barrier; dispatch by grid; dispatch by grid; dispatch by grid; "
           "bind count_tiles; barrier; dispatch by grid; dispatch by grid; dispatch by grid; "
           "bind scan_tiles; barrier; dispatch by grid; dispatch by grid; dispatch by grid; "
           "bind expand; barrier; dispatch by grid; dispatch by grid; dispatch by grid; "
           "bind pool_close; dispatch 1 x 1; "
           "barrier to raster and host");
    pgs_draw_replay(all[5], VK_NULL_HANDLE);
    expect("vertex; index; draw 1; vertex; draw 1");
}

/* Most passes are like the one before. */
static void loops_of_a_later_pass_are_one_call(void **unused)
{
    (void)unused;
    state.version = state.data_version = 1;
    for (uint32_t pass = 0; pass < 3; pass++) {
        const struct pgs_replacement *all = add_one(40, false);
        for (uint32_t i = 1; i < 9; i++) {
            const bool more = add_one(40 + i * 16, true);
            assert_int_equal(more, pass == 0 && (i == 1 || i == 5));
        }
        expect_loop(all->draw, 40, pass == 0 ? 1 : 9, 16);
        if (pass == 2) { /* all that is their own lies apart */
            for (uint32_t i = 0; i < 9; i++) {
                const struct pgs_subdraw of = pgs_draw_subdraw(all->draw, i);
                const struct pgs_draw_record *r = of.record.mapped;
                assert_int_equal(r->self, of.record.address);
                assert_int_equal(r->draw_args, of.draw_args.address);
                assert_int_equal(of.draw_args.address - all->draw->subdraws[0].draw_args.address,
                                 i * PGS_ARGS_STRIDE_B);
            }
        }
        assert_int_equal(pgs_batch_seal(batch), VK_SUCCESS);
        pgs_batch_next_pass(batch);
    }
    const struct pgs_replacement *counted;
    state.queries.generated[0] = 0x100; /* takes no records for others */
    counted = add_one(40, false);
    assert_int_equal(counted->draw->plan.subdraw_count, 1);
    assert_int_equal(((const struct pgs_indirect *)at(counted->draw->indirect))->record_count, 1);
    state.queries.generated[0] = 0;
}

static void expect_apart(VkDeviceSize first_B, VkDeviceSize next_B)
{
    const struct pgs_draw *draw = add_one(first_B, false)->draw;
    add_one(first_B + 16, true);
    const struct pgs_replacement *next = add_one(next_B, true);
    assert_non_null(next);
    assert_ptr_not_equal(next->draw, draw);
    expect_loop(draw, first_B, 1, 0);
}

static void other_indirect_calls_stay_apart(void **unused)
{
    (void)unused;
    state.version = state.data_version = 1;
    assert_non_null(add_one(0, false));
    assert_non_null(add_one(16, true));
    assert_null(add_one(32, true));
    assert_non_null(add_one(64, true)); /* at another distance */
    assert_null(add_one(80, true));
    assert_non_null(add_one(16, true)); /* before it */
    assert_non_null(add_one(16, true)); /* the same again */
    assert_null(add_one(16, true));
    assert_non_null(add_one(16, false)); /* something lies between them */
    assert_non_null(add_one(32, true));
    assert_null(add_one(48, true));
    state.data_version++;
    assert_non_null(add_one(64, true));
    state.version++;
    assert_non_null(add_one(80, true));
    state.bind_count++;
    assert_non_null(add_one(96, true));
    state.next_set_order++;
    assert_non_null(add_one(112, true));
    add_call((struct pgs_draw_call){.count = 6, .instance_count = 1});
    assert_non_null(add_one(128, true));
    add_call(call_of(2, 16, 0));
    assert_non_null(add_one(144, true));
    expect_apart(956, 988); /* beyond the buffer */
    expect_apart(0, 18);    /* not at a word */
}

static void counted_loops_stay_apart(void **unused)
{
    (void)unused;
    state.version = state.data_version = 1;
    state.queries.generated[0] = 0x100;
    for (uint32_t i = 0; i < 4; i++)
        assert_non_null(add_one(i * 16, i > 0));
    state.queries.generated[0] = 0;
}

static void reports_every_failure_and_leaks_nothing(void **unused)
{
    (void)unused;
    const struct pgs_draw_call call = call_of(3, 16, 0);
    struct pgs_draw *draw;
    int failures = 0;
    for (int64_t n = 1;; n++) {
        pgs_alloc_fail_after(n, false);
        VkResult result = add_to(batch, &state, &call, &draw);
        if (result == VK_SUCCESS)
            result = pgs_batch_seal(batch);
        pgs_alloc_fail_after(0, false);
        if (result == VK_SUCCESS)
            break;
        assert_int_equal(result, VK_ERROR_OUT_OF_HOST_MEMORY);
        failures++;
    }
    assert_true(failures >= 3);
}

static void reports_that_there_is_no_memory(void **unused)
{
    (void)unused;
    const struct pgs_draw_call call = call_of(3, 16, 0);
    struct pgs_draw *draw;
    fake_memories.largest_B = 512 << 10;
    const VkResult result = add_to(batch, &state, &call, &draw);
    assert_int_equal(result == VK_SUCCESS ? pgs_batch_seal(batch) : result,
                     VK_ERROR_OUT_OF_DEVICE_MEMORY);
    fake_memories.largest_B = 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(records_all_draws_of_a_call_together),
        TEST(one_raster_draw_takes_all_records),
        TEST(restarts_where_indices_do),
        TEST(bounds_arguments_by_their_buffer),
        TEST(tells_of_counts_and_conditions),
        TEST(fills_records),
        TEST(takes_no_vertices_where_one_stage_is_both),
        TEST(draws_both_ways),
        TEST(draws_without_memory_where_it_is_told_to),
        TEST(reads_one_draw_by_one_invocation_on_cpus),
        TEST(binds_what_is_not_bound),
        TEST(counts_native_draws),
        TEST(wants_what_is_bound),
        TEST(wants_lists_of_what_is_bound),
        TEST(batches_of_a_pass_share_the_pool),
        TEST(loops_become_calls_of_several_draws),
        TEST(loops_of_a_later_pass_are_one_call),
        TEST(other_indirect_calls_stay_apart),
        TEST(counted_loops_stay_apart),
        TEST(reports_every_failure_and_leaks_nothing),
        TEST(reports_that_there_is_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
