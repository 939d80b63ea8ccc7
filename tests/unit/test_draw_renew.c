/* SPDX-License-Identifier: MIT
 *
 * Draws like one of an earlier recording of their command buffer, which are copies of it instead of
 * being planned: whatever has changed since then, they are what a batch without a past makes. The
 * driver is fake.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "draw_triangles.h"

static const struct pgs_draw_call usual = {.indexed = true, .count = 60, .instance_count = 1};

static int set_up(void **unused)
{
    (void)unused;
    bind_triangles_in_buffers();
    pipeline.dynamic = PGS_DYNAMIC_TOPOLOGY | PGS_DYNAMIC_RESTART | PGS_DYNAMIC_DISCARD |
                       PGS_DYNAMIC_PROVOKING | PGS_DYNAMIC_STREAM;
    pipeline.uses_push_constants = true, pipeline.push_B = 4;
    state.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    return open_batch(64);
}

/* The same with draws that the raster vertex shader does alone. */
static int set_up_inline(void **unused)
{
    const int result = set_up(unused);
    fake_variant(&variants, PGS_VARIANT_INLINE, 13);
    pipeline.dynamic &= ~(uint32_t)PGS_DYNAMIC_STREAM; /* for which it would be another variant */
    pipeline.inline_is_exact = pipeline.prefers_inline = true;
    pipeline.gs.pattern = (struct pgs_spv_emit_pattern){.is_known = true, .primitives = {2}};
    return result;
}

static const struct pgs_draw *add(struct pgs_batch *to, const struct pgs_draw_call *call)
{
    struct pgs_draw *draw;
    assert_int_equal(add_to(to, &state, call, &draw), VK_SUCCESS);
    return draw;
}

/* As vkBeginCommandBuffer does it. */
static void begin_again(void)
{
    pgs_batch_next_pass(batch);
    pgs_batch_reset(batch, true);
    state.version++, state.data_version++;
}

static void expect_equal_plans(const struct pgs_draw_plan *a, const struct pgs_draw_plan *b)
{
    assert_int_equal(a->raster, b->raster);
    assert_int_equal(a->xfb, b->xfb);
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->sizing, b->sizing);
    assert_int_equal(a->why, b->why);
    assert_int_equal(a->stages, b->stages);
    assert_int_equal(a->variants, b->variants);
    assert_int_equal(a->topology, b->topology);
    assert_int_equal(a->primitives, b->primitives);
    assert_int_equal(a->vertices, b->vertices);
    assert_int_equal(a->gs_invocations, b->gs_invocations);
    assert_int_equal(a->subdraw_count, b->subdraw_count);
    assert_int_equal(a->limited_el, b->limited_el);
}

/* Where their memory is does not matter, but whether there is some. */
static void expect_equal_records(const struct pgs_draw *a, const struct pgs_draw *b)
{
    const struct pgs_draw_record *x = record(a, 0), *y = record(b, 0);
    assert_int_equal(x->self - a->records.address, y->self - b->records.address);
    assert_int_equal(x->index_address, y->index_address);
    assert_memory_equal(&x->view_index, &y->view_index,
                        offsetof(struct pgs_draw_record, out_vertices) -
                            offsetof(struct pgs_draw_record, view_index));
    assert_int_equal(x->push[0], y->push[0]);
    assert_memory_equal(&x->attributes[0], &y->attributes[0], sizeof(x->attributes[0]));
    if (a->plan.raster != PGS_RASTER_STORED) /* else nothing reads the other lines */
        return;
    assert_memory_equal(&x->gs_invocation_bound, &y->gs_invocation_bound, 4 * sizeof(pgs_u32));
    assert_int_equal(x->raster_stream, y->raster_stream);
    assert_int_equal(x->out_stride_w, y->out_stride_w);
    assert_int_equal(!x->vertices, !y->vertices);
    assert_int_equal(!x->primitive_list, !y->primitive_list);
    assert_int_equal(!x->capture, !y->capture);
}

static void expect_equal_draws(const struct pgs_draw *a, const struct pgs_draw *b)
{
    assert_int_equal(!a, !b);
    if (!a)
        return;
    expect_equal_plans(&a->plan, &b->plan);
    assert_int_equal(a->setup != 0, b->setup != 0);
    assert_int_equal(a->stored, b->stored);
    for (int group = 0; group < PGS_GROUP_COUNT; group++) {
        assert_int_equal(!a->sets[group], !b->sets[group]);
        if (a->sets[group])
            assert_true(pgs_draw_sets_match(a->sets[group], b->sets[group]));
    }
    if (a->plan.subdraw_count)
        expect_equal_records(a, b);
}

/* Draws the call in a batch with a past and in a new one. */
static void expect_as_new(const struct pgs_draw_call *call)
{
    struct pgs_batch *fresh;
    assert_int_equal(pgs_batch_create(&fake_device, NULL, NULL, &fresh), VK_SUCCESS);
    expect_equal_draws(add(batch, call), add(fresh, call));
    pgs_batch_destroy(fresh);
}

static void set_topology(void)
{
    state.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
}

static void set_restart(void)
{
    state.primitive_restart = VK_TRUE;
}

static void set_discard(void)
{
    state.rasterizer_discard = VK_TRUE;
}

static void set_provoking(void)
{
    state.provoking_last = true;
}

static void set_stream(void)
{
    state.raster_stream = 1;
}

static void begin_statistics(void)
{
    state.queries.statistics = 64;
}

static void begin_query(void)
{
    state.queries.generated[0] = 64;
}

static void begin_condition(void)
{
    state.condition = (struct pgs_condition){.buffer = BUFFER(ARGS)};
}

static void inherit_condition(void)
{
    state.inherited_condition = 64;
}

static void begin_driver_query(void)
{
    state.driver_queries = 1;
}

static void begin_views(void)
{
    state.view_count = 2;
}

static void bind_others(void)
{
    state.vertex[0].buffer = BUFFER(SMALL);
    state.index_offset_B = 16;
    state.push[0] = 5;
}

static void bind_sets(void)
{
    state.sets[0] = (VkDescriptorSet)(uintptr_t)21;
    state.next_set_order++;
}

/* A pipeline that has the memory of one that was destroyed. */
static void make_pipeline(void)
{
    pipeline.number += 8; /* which looks for earlier draws in the same place */
    pipeline.gs.max_vertices = 6;
    pipeline.gs.out_stride_w = 9;
}

/* Variants could not be made, or only one for several stages. */
static void lose_inline(void)
{
    fake_variant(&variants, PGS_VARIANT_INLINE, 0);
}

static void gain_fused(void)
{
    fake_variant(&variants, PGS_VARIANT_FUSED, 15);
}

/* In the place of view 0. */
static void go_to_view(void)
{
    pipeline.view_mask = 1 | 1 << 8;
    state.view_index = 8;
}

/* Another one has the handle of one that was destroyed. */
static void make_buffers(void)
{
    buffers[VERTICES].address ^= 0x1000;
    buffers[INDICES].address ^= 0x1000;
    pgs_note_destroyed(&fake_device.destroyed.buffers);
}

static void (*const changes[])(void) = {
    set_topology, set_restart,     set_discard,       set_provoking,      set_stream,
    begin_query,  begin_condition, inherit_condition, begin_driver_query, begin_views,
    bind_others,  bind_sets,       make_pipeline,     lose_inline,        begin_statistics,
    gain_fused,   go_to_view,      make_buffers,
};

/* As at first, but another pipeline. */
static void undo(const struct pgs_graphics_state *before, const struct pgs_emulated_pipeline *made,
                 uintptr_t in_line)
{
    const uint64_t version = state.version, data_version = state.data_version;
    const uint32_t number = pipeline.number, order = state.next_set_order;
    state = *before, pipeline = *made, pipeline.number = number + 1;
    state.version = version + 1, state.data_version = data_version + 1;
    state.next_set_order = order + 1;
    fake_variant(&variants, PGS_VARIANT_INLINE, in_line);
    fake_variant(&variants, PGS_VARIANT_FUSED, 0);
    begin_again();
}

/* Each change alone, in another recording, and in another pass of the same one. */
static void draws_are_as_if_planned(void **unused)
{
    (void)unused;
    const struct pgs_graphics_state before = state;
    const struct pgs_emulated_pipeline made = pipeline;
    const uintptr_t in_line = (uintptr_t)pgs_variant_handle(&pipeline, PGS_VARIANT_INLINE);
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        undo(&before, &made, in_line);
        for (int again = 0; again < 3; again++) {
            expect_as_new(&usual);
            begin_again();
        }
        changes[i]();
        expect_as_new(&usual);
        undo(&before, &made, in_line);
        expect_as_new(&usual);
        pgs_batch_next_pass(batch);
        state.version++, state.data_version++;
        if (changes[i] != make_buffers) /* which only happens while nothing is recorded */
            changes[i]();
        expect_as_new(&usual);
    }
}

/* What a recording has found of a buffer that the next one does not bind: it may be destroyed, and
 * another one have its handle, while that is recorded. */
static void unbound_buffers_are_forgotten(void **unused)
{
    (void)unused;
    const VkBuffer bound = state.vertex[0].buffer;
    for (int i = 0; i < 4; i++) { /* draws that are not planned note what they find */
        state.vertex[0].buffer = i < 2 ? bound : VK_NULL_HANDLE;
        expect_as_new(&usual);
        if (i < 3)
            begin_again();
    }
    buffers[VERTICES].address ^= 0x1000;
    pgs_note_destroyed(&fake_device.destroyed.buffers);
    state.vertex[0].buffer = bound;
    pgs_batch_next_pass(batch);
    state.version++, state.data_version++;
    expect_as_new(&usual);
}

static void other_sizes_are_as_if_planned(void **unused)
{
    (void)unused;
    static const uint32_t counts[] = {60, 3, 600, 0, 60, 90000, 6};
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        struct pgs_draw_call call = usual;
        call.count = counts[i];
        expect_as_new(&call);
        begin_again();
    }
}

static void rounds_are_as_if_planned(void **unused)
{
    (void)unused;
    struct pgs_draw_call part = usual;
    part.part_first = 3, part.part_count = 5;
    for (int i = 0; i < 2; i++) {
        expect_as_new(&usual);
        begin_again();
        expect_as_new(&part);
        begin_again();
    }
}

/* What it would cost to plan the draw is saved: the chooser would find another pipeline. */
static void draws_are_not_planned_again(void **unused)
{
    (void)unused;
    const struct pgs_draw *draw = add(batch, &usual);
    const uint32_t stages = draw->plan.stages, raster = draw->plan.raster;
    begin_again();
    pipeline.gs.input_vertices = 1; /* which no real one does */
    draw = add(batch, &usual);
    assert_non_null(draw);
    assert_int_equal(draw->plan.stages, stages);
    assert_int_equal(draw->plan.raster, raster);
    state.primitive_restart = VK_TRUE, state.version++;
    assert_null(add(batch, &usual));
}

/* In what is recorded nobody sees the difference. */
static void copies_are_recorded_as_what_they_copy(void **unused)
{
    (void)unused;
    for (int i = 0; i < 3; i++) {
        const struct pgs_draw *draw = add_sealed(usual);
        record_batch(batch, PGS_BATCH_FIRST);
        expect("barrier from raster; bind 11; dispatch 1 x 1; bind 12; barrier; dispatch 1 x 1; "
               "bind expand; barrier; dispatch 1 x 1; barrier to raster");
        replay(draw);
        expect("vertex; index; draw 1");
        begin_again();
    }
}

static enum pgs_raster_path raster_of(uint32_t number)
{
    const struct pgs_draw_call call = {.count = 3 * 6, .instance_count = 1};
    pipeline.number = number;
    return add(batch, &call)->plan.raster;
}

/* Of other pipelines, too, while earlier passes had none. */
static void a_pass_that_has_shaded_enough_stores(void **unused)
{
    (void)unused;
    pipeline.prefers_inline = false;
    pipeline.inline_limit_el = 30;
    pipeline.gs.pattern.primitives[0] = 1;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(raster_of(1), PGS_RASTER_INLINE_GS);
        begin_again();
    }
    assert_int_equal(raster_of(2), PGS_RASTER_INLINE_GS);
    assert_int_equal(raster_of(1), PGS_RASTER_STORED);
    begin_again();
    assert_int_equal(raster_of(1), PGS_RASTER_INLINE_GS);
}

/* The driver never has in one piece what all calls of a pass take, and after the first pass it has
 * nothing at all. */
static void passes_find_the_memory_of_those_before(void **unused)
{
    (void)unused;
    const struct pgs_draw_call large = {.count = 3 * 4000, .instance_count = 1};
    pipeline.packs = true; /* so calls are not chained */
    fake_memories.largest_B = UINT64_C(4) << 20;
    for (int pass = 0; pass < 3; pass++) {
        VkDeviceSize scratch_B = 0;
        for (int i = 0; i < 40; i++) {
            const struct pgs_draw *draw = add(batch, &large);
            scratch_B += draw->scratch_stride_B;
        }
        assert_true(scratch_B > 2 * fake_memories.largest_B);
        fake_memories.largest_B = 1;
        pgs_batch_next_pass(batch);
        state.version += pass; /* one that is planned, or renewed, too */
    }
}

/* Draws the call so often, with sets of their own. Returns how much scratch memory it takes. */
static VkDeviceSize scratch_of_run(const struct pgs_draw_call *call, uint32_t calls)
{
    const struct pgs_draw *last = NULL;
    VkDeviceSize taken_B = 0;
    state.next_set_order++;
    for (uint32_t i = 0; i < calls; i++) {
        const struct pgs_draw *draw = add(batch, call);
        taken_B += last && draw != last ? last->scratch.size_B : 0;
        last = draw;
    }
    return taken_B + last->scratch.size_B;
}

/* One long run of a pass does not make the short ones of the next take memory for as many calls. */
static void short_runs_take_little_memory(void **unused)
{
    (void)unused;
    const struct pgs_draw_call large = {.count = 3 * 4000, .instance_count = 1};
    pipeline.packs = true; /* so calls are not chained */
    for (int pass = 0; pass < 3; pass++) {
        VkDeviceSize taken_B = scratch_of_run(&large, 40);
        for (int run = 0; run < 20; run++)
            taken_B += scratch_of_run(&large, 2);
        const VkDeviceSize call_B = add(batch, &large)->scratch_stride_B;
        assert_true(taken_B < 2 * 80 * call_B);
        pgs_batch_next_pass(batch);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define INLINE(name) cmocka_unit_test_setup_teardown(name, set_up_inline, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(draws_are_as_if_planned),
        INLINE(draws_are_as_if_planned),
        TEST(unbound_buffers_are_forgotten),
        INLINE(unbound_buffers_are_forgotten),
        TEST(other_sizes_are_as_if_planned),
        INLINE(other_sizes_are_as_if_planned),
        TEST(rounds_are_as_if_planned),
        TEST(draws_are_not_planned_again),
        INLINE(draws_are_not_planned_again),
        TEST(copies_are_recorded_as_what_they_copy),
        INLINE(a_pass_that_has_shaded_enough_stores),
        TEST(passes_find_the_memory_of_those_before),
        TEST(short_runs_take_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
