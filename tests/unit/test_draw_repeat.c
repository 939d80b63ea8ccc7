/* SPDX-License-Identifier: MIT
 *
 * Draws that repeat the one before: when they become one draw of several calls, what their records
 * say, and what is recorded for all of them. The driver is fake and writes down what it is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "draw_triangles.h"

static int set_up(void **unused)
{
    (void)unused;
    bind_triangles_in_buffers();
    pipeline.packs = true; /* so calls are not chained, which is for test_draw_chain.c */
    return open_batch(64);
}

static int tear_down_features(void **unused)
{
    fake_physical.features.fullDrawIndexUint32 = VK_FALSE;
    return tear_down(unused);
}

/* Did the last draw that follows another one take the quick way? */
static bool was_quick;

static bool add_next(const struct pgs_draw_call *call, bool follows)
{
    was_quick = follows && pgs_batch_add_next(batch, &state, &call->direct);
    return was_quick;
}

static struct pgs_replacement *add(uint32_t first, bool follows)
{
    const struct pgs_draw_call call = {.count = 6, .instance_count = 1, .first = first};
    struct pgs_replacement *replacement;
    if (add_next(&call, follows))
        return NULL;
    assert_int_equal(pgs_batch_add(batch, &state, &call, follows, &replacement), VK_SUCCESS);
    return replacement;
}

static struct pgs_replacement *add_indexed(uint32_t first, int32_t vertex_offset)
{
    const struct pgs_draw_call call = {.indexed = true,
                                       .count = 6,
                                       .instance_count = 1,
                                       .first = first,
                                       .vertex_offset = vertex_offset};
    struct pgs_replacement *replacement;
    if (add_next(&call, true))
        return NULL;
    assert_int_equal(pgs_batch_add(batch, &state, &call, true, &replacement), VK_SUCCESS);
    return replacement;
}

static void neighbours_are_drawn_at_once(void **unused)
{
    (void)unused;
    const struct pgs_replacement *all = add(3, false);
    assert_null(add(9, true));
    assert_null(add(6, true));
    assert_int_equal(all->first, 0);
    assert_int_equal(all->count, 3);
    record_batch(batch, PGS_BATCH_FIRST);
    expect("barrier from raster; "
           "bind 11; dispatch 1 x 1 of 3 draws; "
           "bind 12; barrier; dispatch 1 x 1 of 3 draws; "
           "bind expand; barrier; dispatch 1 x 1 of 3 draws; "
           "barrier to raster");
    pgs_draw_replay(all, VK_NULL_HANDLE);
    expect("vertex; index; draw 1; draw 1; draw 1"); /* the driver takes longer for one of three */
}

static void loops_take_the_quick_way(void **unused)
{
    (void)unused;
    const struct pgs_replacement *all = add(0, false);
    add(1, true); /* takes memory for those to come */
    assert_false(was_quick);
    for (uint32_t i = 2; i < 4; i++) {
        add(i, true);
        assert_true(was_quick);
    }
    add(4, false);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(record(all->draw, i)->first_vertex, i);
    assert_int_equal(all->count, 4);
    state.data_version++; /* which the other way reads again */
    add(5, true);
    assert_false(was_quick);
}

/* What the quick way has no look at. */
static void others_do_not_take_the_quick_way(void **unused)
{
    (void)unused;
    const struct pgs_direct_call call = {.count = 6, .instance_count = 1},
                                 longer = {.count = 9, .instance_count = 1},
                                 more = {.count = 6, .instance_count = 2},
                                 indexed = {.indexed = true, .count = 6, .instance_count = 1};
    add(0, false);
    add(1, true);
    assert_false(pgs_batch_add_next(batch, &state, &longer));
    assert_false(pgs_batch_add_next(batch, &state, &more));
    assert_false(pgs_batch_add_next(batch, &state, &indexed));
    uint32_t *const numbers[2] = {&state.bind_count, &state.next_set_order};
    uint64_t *const versions[2] = {&state.version, &state.data_version};
    for (int i = 0; i < 2; i++) {
        ++*numbers[i];
        assert_false(pgs_batch_add_next(batch, &state, &call));
        --*numbers[i], ++*versions[i];
        assert_false(pgs_batch_add_next(batch, &state, &call));
        --*versions[i];
    }
    assert_true(pgs_batch_add_next(batch, &state, &call));
    pgs_batch_next_pass(batch);
    assert_false(pgs_batch_add_next(batch, &state, &call));
}

static void draw_inline(uint32_t primitives)
{
    fake_variant(&variants, PGS_VARIANT_INLINE, 13);
    pipeline.inline_is_exact = pipeline.prefers_inline = true;
    pipeline.gs.pattern =
        (struct pgs_spv_emit_pattern){.is_known = true, .primitives = {primitives}};
}

/* Buffers and constants go into the next record; other sets need a replacement of their own. */
static void what_has_changed_is_nearly_as_quick(void **unused)
{
    (void)unused;
    struct pgs_direct_call call = {.count = 6, .instance_count = 1, .first = 2};
    struct pgs_replacement *made;
    draw_inline(2);
    pipeline.uses_push_constants = true, pipeline.push_B = 4;
    add(0, false);
    const struct pgs_replacement *last = add(1, true); /* takes memory for those to come */
    state.push[0] = 7;
    state.data_version++;
    assert_true(pgs_batch_add_changed(batch, &state, &call, &made) && !made && last->count == 2);
    assert_int_equal(record(last->draw, 1)->push[0], 7);
    state.next_set_order++;
    call.first = 3;
    assert_true(pgs_batch_add_changed(batch, &state, &call, &made));
    assert_true(made->first == 2 && made->count == 1);
    assert_int_equal(record(made->draw, 2)->first_vertex, 3);
    assert_true(pgs_batch_add_next(batch, &state, &call));
    assert_int_equal(made->count, 2);
    pgs_draw_replay(made, VK_NULL_HANDLE);
    expect("draw 2 of 12 from 22");
}

/* Stored draws find sets for their compute shaders, and other sizes are planned. */
static void not_all_that_changes_is_quick(void **unused)
{
    (void)unused;
    const struct pgs_direct_call call = {.count = 6, .instance_count = 1}, longer = {.count = 9};
    struct pgs_replacement *made;
    add(0, false);
    add(1, true);
    assert_false(pgs_batch_add_changed(batch, &state, &longer, &made));
    state.next_set_order++;
    assert_false(pgs_batch_add_changed(batch, &state, &call, &made));
    state.next_set_order--;
    assert_true(pgs_batch_add_changed(batch, &state, &call, &made));
}

/* A draw is made for each view, and each of them may need another part of the viewports. */
static void views_and_viewports_do_not_take_the_quick_way(void **unused)
{
    (void)unused;
    pipeline.view_mask = 3;
    add(0, false);
    add(1, true);
    add(2, true);
    assert_false(was_quick);
}

/* Where the raster work is the CPU's, too, one command costs less. */
static void cpus_draw_neighbours_with_one_command(void **unused)
{
    (void)unused;
    fake_physical.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU;
    for (int can = 0; can < 2; can++) {
        fake_physical.features.multiDrawIndirect = can;
        const struct pgs_replacement *before = add(0, false);
        add(1, true);
        const struct pgs_replacement *all = add(2, false);
        add(3, true);
        add(4, true);
        assert_ptr_equal(all->draw, before->draw);
        assert_int_equal(all->count, 3);
        pgs_draw_replay(all, VK_NULL_HANDLE);
        expect(can ? "draw 3" : "draw 1; draw 1; draw 1");
        state.version++;
    }
    fake_physical.features.multiDrawIndirect = VK_FALSE;
    fake_physical.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_OTHER;
}

/* The compute work is still one. */
static void others_between_them_divide_the_raster_draws(void **unused)
{
    (void)unused;
    const struct pgs_replacement *before = add(0, false);
    assert_null(add(1, true));
    const struct pgs_replacement *after = add(2, false);
    assert_null(add(3, true));
    assert_ptr_equal(after->draw, before->draw);
    assert_int_equal(after->first, 2);
    assert_int_equal(after->count, 2);
    assert_int_equal(before->count, 2);
    pgs_draw_replay(before, VK_NULL_HANDLE);
    pgs_draw_replay(after, VK_NULL_HANDLE);
    expect("vertex; index; draw 1; draw 1; draw 1; draw 1"); /* nobody binds buffers between them */
    assert_int_equal(before->draw->call_count, 4);
}

/* Each has what the first one has, at its own place, and says to the raster draw where that is. */
static void records_differ_in_their_calls_and_memory(void **unused)
{
    (void)unused;
    const struct pgs_draw *draw = add(3, false)->draw;
    add(9, true);
    add(6, true);
    const uint32_t firsts[3] = {3, 9, 6};
    const uint64_t step_B = draw->scratch_stride_B;
    const struct pgs_draw_record *first = record(draw, 0);
    assert_int_equal(step_B % (4 * first->out_stride_w), 0);
    assert_int_equal(first->vertex_offset, 0);
    for (uint32_t i = 0; i < 3; i++) {
        const struct pgs_draw_record *r = record(draw, i);
        assert_int_equal(r->first_vertex, firsts[i]);
        assert_int_equal(r->vertex_count, 6);
        assert_int_equal(r->self, draw->records.address + i * draw->record_stride_B);
        assert_int_equal(r->out_vertices, first->out_vertices + i * step_B);
        assert_int_equal(r->vertices, first->vertices + i * step_B);
        assert_int_equal(r->draw_args, first->draw_args + i * step_B);
        assert_int_equal(r->indices, first->indices + i * step_B);
        assert_int_equal(r->first_index, first->first_index + i * step_B / 4);
        assert_int_equal(r->vertex_offset * (uint64_t)r->out_stride_w * 4, i * step_B);
        assert_int_equal(r->attributes[0].address, ADDRESS(VERTICES));
        assert_int_equal(r->primitive_list, 0); /* none has one */
    }
    assert_true(draw->scratch.size_B > 2 * step_B);
}

static void records_have_the_indices_of_their_calls(void **unused)
{
    (void)unused;
    const struct pgs_draw *draw = add_indexed(2, 7)->draw;
    add_indexed(10, -1);
    add_indexed(200, 0); /* beyond the buffer */
    add_indexed(0, 1);
    assert_int_equal(draw->call_count, 4);
    assert_int_equal(record(draw, 0)->index_address, ADDRESS(INDICES) + 8);
    assert_int_equal(record(draw, 1)->index_address, ADDRESS(INDICES) + 40);
    assert_int_equal(record(draw, 1)->index_bound_el, 54);
    assert_int_equal((int32_t)record(draw, 1)->first_vertex, -1);
    assert_int_equal(record(draw, 2)->index_address, 0);
    assert_int_equal(record(draw, 2)->index_bound_el, 0);
    assert_int_equal(record(draw, 3)->index_address, ADDRESS(INDICES));
    assert_int_equal(record(draw, 3)->index_bound_el, 64);
}

/* Vertex buffers, index buffer and push constants lie in the record. */
static void data_may_change(void **unused)
{
    (void)unused;
    pipeline.uses_push_constants = true, pipeline.push_B = 4;
    state.push[0] = 1;
    const struct pgs_draw *draw = add_indexed(1, 0)->draw;
    state.push[0] = 2;
    state.vertex[0].offset_B = 32;
    state.index_offset_B = 16;
    state.data_version++;
    add_indexed(1, 0);
    add_indexed(2, 0);
    assert_int_equal(draw->call_count, 3);
    assert_int_equal(record(draw, 0)->push[0], 1);
    assert_int_equal(record(draw, 0)->attributes[0].address, ADDRESS(VERTICES));
    for (uint32_t i = 1; i < 3; i++) {
        assert_int_equal(record(draw, i)->push[0], 2);
        assert_int_equal(record(draw, i)->attributes[0].address, ADDRESS(VERTICES) + 32);
        assert_int_equal(record(draw, i)->attributes[0].element_count_el, (1000 - 32) / 16);
        assert_int_equal(record(draw, i)->index_address, ADDRESS(INDICES) + 16 + 4 * i);
    }
}

static const struct pgs_draw *draw_of(struct pgs_draw_call call)
{
    struct pgs_replacement *replacement;
    assert_int_equal(pgs_batch_add(batch, &state, &call, true, &replacement), VK_SUCCESS);
    return replacement ? replacement->draw : NULL;
}

static void other_draws_do_not_repeat(void **unused)
{
    (void)unused;
    const struct pgs_draw_call call = {.count = 6, .instance_count = 1};
    struct pgs_draw_call other = call;
    assert_non_null(draw_of(call));
    assert_null(draw_of(call));
    state.version++; /* by what does not matter to it */
    assert_null(draw_of(call));
    state.driver_queries++;
    state.version++;
    assert_non_null(draw_of(call));
    assert_null(draw_of(call));
    state.next_set_order++;
    assert_non_null(draw_of(call));
    assert_null(draw_of(call));
    state.bind_count++;
    assert_non_null(draw_of(call));
    assert_null(draw_of(call));
    other.count = 9;
    assert_non_null(draw_of(other));
    assert_null(draw_of(other));
    other.instance_count = 2;
    assert_non_null(draw_of(other));
    other.indexed = true;
    assert_non_null(draw_of(other));
    assert_null(draw_of(other));
    other.draw_index = 3;
    assert_null(draw_of(other));
    pgs_batch_next_pass(batch);
    assert_non_null(draw_of(other));
}

static void expect_alone(const struct pgs_draw *draw, uint32_t set)
{
    const struct pgs_draw_record *r = record(draw, 0);
    const struct pgs_subdraw *subdraw = &draw->subdraws[0];
    assert_int_equal(draw->call_count, 1);
    assert_int_equal(r->self, draw->records.address);
    assert_int_equal(subdraw->record.address, draw->records.address);
    assert_int_equal(r->vertex_offset, 0);
    assert_int_equal(r->draw_args, subdraw->draw_args.address);
    assert_int_equal(r->indices, subdraw->indices.address);
    assert_int_equal(r->first_index, subdraw->indices.offset_B / 4);
    assert_true(r->out_vertices >= draw->scratch.address);
    assert_true(r->draw_args + 20 <= draw->scratch.address + draw->scratch.size_B);
    assert_int_equal((uintptr_t)pgs_draw_sets_of(draw, PGS_VARIANT_GEOMETRY)->sets[0], set);
}

/* With another pipeline in between, or other sets, a draw is made of the earlier one. */
static void draws_are_like_earlier_ones(void **unused)
{
    (void)unused;
    static struct pgs_emulated_pipeline second;
    const struct pgs_draw_call call = {.count = 6, .instance_count = 1, .first = 3};
    second = pipeline;
    second.number = 1;
    state.sets[0] = (VkDescriptorSet)(uintptr_t)70;
    const struct pgs_draw *a = draw_of(call);
    assert_null(draw_of(call));
    state.pipeline = &second;
    state.bind_count++;
    const struct pgs_draw *b = draw_of(call);
    state.pipeline = &pipeline;
    state.bind_count++;
    state.data_version++;
    state.vertex[0].offset_B = 16;
    const struct pgs_draw *c = draw_of(call);
    state.sets[0] = (VkDescriptorSet)(uintptr_t)71;
    state.next_set_order++;
    const struct pgs_draw *d = draw_of(call);
    assert_int_equal(a->call_count, 3);
    assert_ptr_equal(c, a); /* there was room for one more */
    expect_alone(b, 70);
    expect_alone(d, 71);
    assert_ptr_equal(b->pipeline, &second);
    assert_int_equal(record(a, 1)->attributes[0].address, ADDRESS(VERTICES));
    assert_int_equal(record(a, 2)->attributes[0].address, ADDRESS(VERTICES) + 16);
    assert_true(a->scratch.size_B >= 3 * a->scratch_stride_B);
    assert_true(b->scratch.address >= a->scratch.address + a->scratch.size_B);
    assert_true(d->scratch.address >= b->scratch.address + b->scratch.size_B);
    assert_true(b->records.address >= a->records.address + 3 * a->record_stride_B);
    assert_null(draw_of(call));
    assert_int_equal(record(d, 1)->first_vertex, 3);
}

/* Each second call has memory where those of the other pipeline do not lie in between. */
static void pipelines_in_turns_share_dispatches(void **unused)
{
    (void)unused;
    static struct pgs_emulated_pipeline second;
    static struct pgs_variants others;
    const struct pgs_replacement *all[12];
    fake_variant(&others, PGS_VARIANT_VERTEX, 21);
    fake_variant(&others, PGS_VARIANT_GEOMETRY, 22);
    fake_variant(&others, PGS_VARIANT_STORED_0, 24);
    second = pipeline;
    second.number = 1;
    second.variants = &others;
    second.handle = (VkPipeline)(uintptr_t)24;
    for (uint32_t i = 0; i < 12; i++) {
        state.pipeline = i % 2 ? &second : &pipeline;
        state.bind_count++;
        all[i] = add(i, false);
        assert_non_null(all[i]);
    }
    for (uint32_t i = 0; i < 12; i++) {
        const struct pgs_draw *draw = all[i]->draw;
        assert_ptr_equal(draw, all[i < 2 ? i : i < 10 ? 2 + i % 2 : 10 + i % 2]->draw);
        assert_int_equal(record(draw, all[i]->first)->first_vertex, i);
        assert_int_equal(all[i]->count, 1);
        assert_true(draw->scratch.size_B > (draw->call_count - 1) * draw->scratch_stride_B);
    }
    record_batch(batch, PGS_BATCH_FIRST);
    expect("barrier from raster; "
           "bind 11; dispatch 1 x 1; bind 21; dispatch 1 x 1; "
           "bind 11; dispatch 1 x 1 of 4 draws; bind 21; dispatch 1 x 1 of 4 draws; "
           "bind 11; dispatch 1 x 1; bind 21; dispatch 1 x 1; "
           "bind 12; barrier; dispatch 1 x 1; bind 22; dispatch 1 x 1; "
           "bind 12; dispatch 1 x 1 of 4 draws; bind 22; dispatch 1 x 1 of 4 draws; "
           "bind 12; dispatch 1 x 1; bind 22; dispatch 1 x 1; "
           "bind expand; barrier; dispatch 1 x 1 of 11 draws; dispatch 1 x 1; "
           "barrier to raster");
    for (uint32_t i = 2; i < 4; i++)
        pgs_draw_replay(all[i], VK_NULL_HANDLE);
    expect("vertex; index; draw 1; vertex; index; draw 1");
}

/* In another pass nothing of the last one may grow. */
static void a_draw_ends_with_its_pass(void **unused)
{
    (void)unused;
    add(0, false);
    add(1, true);
    const struct pgs_draw *before = add(2, false)->draw;
    assert_int_equal(before->call_count, 3);
    pgs_batch_next_pass(batch);
    const struct pgs_replacement *first = add(3, false);
    assert_ptr_not_equal(first->draw, before);
    assert_int_equal(first->first, 0);
    assert_int_equal(before->call_count, 3);
    assert_null(add(4, true));
    assert_int_equal(first->count, 2);
}

/* What is stored only until its inline variant is made is planned anew in the next pass, whatever
 * is the same. */
static void a_bridge_ends_with_its_pass(void **unused)
{
    (void)unused;
    draw_inline(2);
    pipeline.bridges = true;
    atomic_store(&variants.made_mask, ~PGS_VARIANT_BIT(PGS_VARIANT_INLINE));
    const struct pgs_draw *draw = add(0, false)->draw;
    assert_int_equal(draw->plan.why, PGS_WHY_COMPILING);
    atomic_store(&variants.made_mask, UINT32_MAX);
    pgs_batch_next_pass(batch);
    draw = add(0, false)->draw;
    assert_int_equal(draw->plan.raster, PGS_RASTER_INLINE_GS);
    atomic_store(&variants.made_mask, 0);
}

static const struct pgs_inline_draw *root(const struct pgs_draw *draw, uint32_t call)
{
    return (const struct pgs_inline_draw *)draw->inline_root.mapped + call;
}

static void bind_set(uint32_t set)
{
    state.sets[0] = (VkDescriptorSet)(uintptr_t)set;
    state.set_layouts[0] = (VkPipelineLayout)(uintptr_t)60;
    state.next_set_order++;
}

/* Nothing but the first ones in a row binds sets, and the last one restores the application's. */
static void inline_draws_share_binds_of_sets(void **unused)
{
    (void)unused;
    draw_inline(2);
    variants.groups[PGS_VARIANT_INLINE] = PGS_GROUP_RASTER;
    const struct pgs_replacement *all[6];
    bind_set(70);
    all[0] = add(0, false);
    all[1] = add(1, false);
    all[2] = add(2, false);
    bind_set(71);
    all[3] = add(3, true); /* whoever says that it follows is not believed */
    assert_ptr_equal(all[3]->draw, all[1]->draw);
    assert_null(add(4, true));
    state.bind_count++; /* others may have used the application's sets */
    all[4] = add(5, false);
    pgs_batch_next_pass(batch);
    all[5] = add(6, false);
    for (int i = 0; i < 4; i++)
        pgs_draw_replay(all[i], VK_NULL_HANDLE);
    expect("draw with 13; raster set 0: 70 of layout 50; vertex; draw 1 of 12 from 18; draw 1 of "
           "12 from 20; draw 1 of 12 from 21; raster set 0: 71 of layout 50; draw 2 of 12 from 22; "
           "raster set 0: 71 of layout 60");
    for (int i = 4; i < 6; i++)
        pgs_draw_replay(all[i], VK_NULL_HANDLE);
    expect("draw with 13; raster set 0: 71 of layout 50; draw 1 of 12 from 96; raster set 0: 71 of "
           "layout 60; draw with 13; raster set 0: 71 of layout 50; vertex; draw 1 of 12 from 400; "
           "raster set 0: 71 of layout 60");
}

/* Between them draws that use the application's sets. */
static void stored_draws_find_the_sets_of_the_application(void **unused)
{
    (void)unused;
    draw_inline(2);
    variants.groups[PGS_VARIANT_INLINE] = PGS_GROUP_RASTER;
    bind_set(70);
    const struct pgs_replacement *first = add(0, false);
    state.version++;
    pipeline.prefers_inline = false;
    const struct pgs_replacement *stored = add(1, false);
    assert_int_equal(stored->draw->plan.raster, PGS_RASTER_STORED);
    state.version++;
    pipeline.prefers_inline = true;
    const struct pgs_replacement *last = add(2, false);
    pgs_draw_replay(first, VK_NULL_HANDLE);
    expect("draw with 13; raster set 0: 70 of layout 50; vertex; draw 1 of 12 from 18; raster set "
           "0: 70 of layout 60");
    pgs_draw_replay(stored, VK_NULL_HANDLE);
    expect("draw with 14; vertex; index; draw 1");
    pgs_draw_replay(last, VK_NULL_HANDLE);
    expect("draw with 13; raster set 0: 70 of layout 50; vertex; draw 1 of 12 from 56; raster set "
           "0: 70 of layout 60");
}

/* Its shaders see the application's, so the draw does not care which are bound. */
static void inline_draws_with_the_sets_of_the_application(void **unused)
{
    (void)unused;
    draw_inline(2);
    variants.groups[PGS_VARIANT_INLINE] = PGS_GROUP_COUNT;
    const struct pgs_replacement *all[3];
    for (uint32_t i = 0; i < 3; i++) {
        bind_set(70 + i);
        all[i] = add(i, false);
        pgs_draw_replay(all[i], VK_NULL_HANDLE);
    }
    expect(
        "draw with 13; vertex; draw 1 of 12 from 18; draw 1 of 12 from 20; draw 1 of 12 from 21");
    assert_ptr_equal(all[1]->draw, all[2]->draw);
}

static void inline_draws_of_other_sizes_have_roots_of_their_own(void **unused)
{
    (void)unused;
    draw_inline(2);
    const struct pgs_draw *small = draw_of((struct pgs_draw_call){.count = 6, .instance_count = 1});
    const struct pgs_replacement *large;
    struct pgs_replacement *replacement;
    const struct pgs_draw_call call = {.count = 9, .instance_count = 2};
    assert_int_equal(pgs_batch_add(batch, &state, &call, true, &replacement), VK_SUCCESS);
    large = replacement;
    assert_int_equal(root(small, 0)->records, small->subdraws[0].record.address);
    assert_int_equal(root(large->draw, 0)->records, large->draw->subdraws[0].record.address);
    assert_int_equal(record(large->draw, 0)->instance_count, 2);
    assert_int_equal(record(small, 0)->instance_count, 1);
    pgs_draw_replay(large, VK_NULL_HANDLE);
    expect("draw 1 of 36 from 38");
}

/* Their roots are not larger in place. */
static void many_inline_draws_are_several(void **unused)
{
    (void)unused;
    const struct pgs_replacement *last = NULL;
    uint32_t draws = 0, calls = 0;
    draw_inline(1);
    for (uint32_t i = 0; i < 1000; i++) {
        const struct pgs_replacement *added = add(i, true);
        if (added) {
            calls += last ? last->count : 0;
            last = added, draws++;
            assert_int_equal(added->first, 0);
        }
        const uint32_t call = last->count - 1;
        assert_int_equal(record(last->draw, call)->first_vertex, i);
        assert_int_equal(root(last->draw, call)->records,
                         last->draw->records.address + call * last->draw->record_stride_B);
        assert_true((call + 1) * sizeof(struct pgs_inline_draw) <= last->draw->inline_root.size_B);
    }
    assert_int_equal(calls + last->count, 1000);
    assert_true(draws < 20);
}

/* More vertices than a draw may have are stored. */
static void too_many_vertices_are_not_inline(void **unused)
{
    (void)unused;
    draw_inline(1000);
    const struct pgs_draw_call small = {.count = 3, .instance_count = 1};
    const struct pgs_draw_call large = {.count = 3 * 1500000, .instance_count = 1};
    assert_int_equal(draw_of(small)->plan.raster, PGS_RASTER_INLINE_GS);
    assert_int_equal(draw_of(large)->plan.raster, PGS_RASTER_STORED);
    assert_int_equal(draw_of(small)->plan.raster, PGS_RASTER_INLINE_GS);
}

/* Each GS invocation has as many vertices as it can emit at most. */
static void inline_draws_with_other_emits_are_instances(void **unused)
{
    (void)unused;
    draw_inline(2);
    pipeline.gs.pattern.is_known = false;
    fake_instance.settings.plan = PGS_PLAN_VERTEX;
    const struct pgs_replacement *first = add(0, false), *second = add(1, true);
    assert_null(add(2, true));
    const struct pgs_replacement *third = add(3, false);
    assert_int_equal(first->draw->plan.raster, PGS_RASTER_INLINE_GS);
    assert_ptr_equal(second->draw, third->draw);
    assert_int_equal(record(third->draw, 2)->first_vertex, 3);
    pgs_draw_replay(second, VK_NULL_HANDLE);
    expect("draw 2 of 6 from 20");
    pgs_draw_replay(third, VK_NULL_HANDLE);
    expect("draw 1 of 6 from 22");
    fake_instance.settings.plan = PGS_PLAN_AUTO;
}

/* Its record and plan are those of a draw that nothing precedes. */
static void a_size_of_its_own_changes_all_that_depends_on_it(void **unused)
{
    (void)unused;
    const struct pgs_draw_call sizes[] = {
        {.count = 6, .instance_count = 1},    {.count = 9, .instance_count = 1, .first = 2},
        {.count = 9000, .instance_count = 3}, {.count = 300000, .instance_count = 1},
        {.count = 3, .instance_count = 2},
    };
    struct pgs_draw *like[5];
    int compared = 0;
    for (int i = 0; i < 5; i++) {
        like[i] = (struct pgs_draw *)draw_of(sizes[i]);
        assert_non_null(like[i]);
    }
    for (int i = 0; i < 5; i++) {
        state.version++;
        const struct pgs_draw *alone = draw_of(sizes[i]);
        struct pgs_draw_record expected = *record(alone, 0), found = *record(like[i], 0);
        assert_memory_equal(&alone->plan, &like[i]->plan, sizeof(alone->plan));
        assert_int_equal(alone->vertex_count, like[i]->vertex_count);
        assert_int_equal(alone->subdraws[0].gs_invocations, like[i]->subdraws[0].gs_invocations);
        if (alone->scratch.size_B && like[i]->scratch.size_B) { /* in one chunk */
            assert_int_equal(alone->scratch.size_B, like[i]->scratch.size_B);
            assert_int_equal(found.counts - found.out_vertices,
                             expected.counts - expected.out_vertices);
            assert_int_equal(found.indices - found.out_vertices,
                             expected.indices - expected.out_vertices);
            compared++;
        }
        assert_int_equal(!found.tile_sums, !expected.tile_sums);
        assert_int_equal(found.gs_invocation_bound, expected.gs_invocation_bound);
        assert_int_equal(found.vertex_count, expected.vertex_count);
        assert_int_equal(found.instance_count, expected.instance_count);
        assert_int_equal(found.primitive_count, expected.primitive_count);
        assert_int_equal(found.first_vertex, expected.first_vertex);
        assert_int_equal(found.vertex_offset, 0);
        assert_int_equal(found.self, like[i]->records.address);
        assert_int_equal(found.first_index, like[i]->subdraws[0].indices.offset_B / 4);
    }
    assert_true(compared > 2);
    assert_null(draw_of((struct pgs_draw_call){.count = 2, .instance_count = 1}));
    assert_null(draw_of((struct pgs_draw_call){.count = 6}));
}

/* A larger one takes kernels that no draw before it has wanted. */
static void a_larger_draw_has_its_kernels(void **unused)
{
    (void)unused;
    const uint32_t large = 3 * PGS_TILE_EL * (PGS_SCAN_TILES_FREE + 1); /* triangles of 3 */
    assert_non_null(draw_of((struct pgs_draw_call){.count = 6, .instance_count = 1}));
    assert_non_null(draw_of((struct pgs_draw_call){.count = large, .instance_count = 1}));
    record_batch(batch, PGS_BATCH_FIRST);
    expect("barrier from raster; "
           "bind 11; dispatch 1 x 1; dispatch 12300 x 1; "
           "bind 12; barrier; dispatch 1 x 1; dispatch 4100 x 1; "
           "bind count_tiles; barrier; dispatch 1025 x 1; "
           "bind scan_tiles; barrier; dispatch 1 x 1; "
           "bind expand; barrier; dispatch 1 x 1; dispatch 1025 x 1; "
           "barrier to raster");
}

/* So many vertices need several records, and no draw is like that. */
static void too_large_a_draw_is_planned(void **unused)
{
    (void)unused;
    const uint32_t most = PGS_MAX_OUT_VERTICES / 3; /* triangles of one record */
    assert_non_null(draw_of((struct pgs_draw_call){.count = 6, .instance_count = 1}));
    const struct pgs_draw *draw =
        draw_of((struct pgs_draw_call){.count = 3 * (most + 1), .instance_count = 1});
    assert_int_equal(draw->plan.subdraw_count, 2);
    draw = draw_of((struct pgs_draw_call){.count = 6, .instance_count = 1});
    assert_int_equal(draw->plan.subdraw_count, 1);
}

/* Only GPUs know how large it is, somebody counts it, or nobody says what has changed. */
static void such_draws_never_repeat(void **unused)
{
    (void)unused;
    const struct pgs_draw_call call = {.count = 6, .instance_count = 1};
    const struct pgs_draw_call indirect = {
        .indirect = true, .args = {BUFFER(ARGS), 0}, .args_stride_B = 16, .max_draws = 1};
    assert_non_null(draw_of(indirect));
    assert_non_null(draw_of(indirect));
    assert_non_null(draw_of(by_count(1)));
    assert_non_null(draw_of(by_count(1)));
    state.condition = (struct pgs_condition){.buffer = BUFFER(COUNTERS)};
    assert_non_null(draw_of(call));
    assert_non_null(draw_of(call));
    state.condition = (struct pgs_condition){0};
    state.queries.generated[0] = 0x100;
    state.version++;
    assert_non_null(draw_of(call));
    assert_non_null(draw_of(call));
    state.queries.generated[0] = 0;
    state.version = 0;
    assert_non_null(draw_of(call));
    assert_non_null(draw_of(call));
}

/* Vertices beyond the limit could not be indexed, and memory does not always grow in place. */
static void a_draw_has_so_many_calls(void **unused)
{
    (void)unused;
    uint32_t draws = 0, calls = 0, most = 0;
    const struct pgs_draw *draw = NULL;
    for (uint32_t i = 0; i < 3000; i++) {
        const struct pgs_replacement *added = add(i, true);
        if (added)
            draw = added->draw, draws++;
        assert_int_equal(record(draw, draw->call_count - 1)->first_vertex, i);
        assert_true(draw->call_count * draw->record_stride_B <= draw->records.size_B);
        most = draw->call_count > most ? draw->call_count : most;
        calls++;
    }
    assert_true(draws > 1 && draws < 100 && most > 100);
    assert_int_equal(calls, 3000);
}

static void calls_end_where_vertices_have_no_index(void **unused)
{
    (void)unused;
    pipeline.gs.max_vertices = 1000;
    pipeline.gs.out_stride_w = 1;
    const struct pgs_draw_call call = {.count = 3 * 4000, .instance_count = 1};
    const struct pgs_draw *draw = draw_of(call), *other = NULL;
    for (int i = 0; i < 8 && !other; i++)
        other = draw_of(call);
    assert_non_null(other);
    const uint64_t vertices = draw->call_count * (draw->scratch_stride_B / 4);
    assert_true(vertices <= PGS_MAX_OUT_VERTICES);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down_features)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(neighbours_are_drawn_at_once),
        TEST(loops_take_the_quick_way),
        TEST(others_do_not_take_the_quick_way),
        TEST(what_has_changed_is_nearly_as_quick),
        TEST(not_all_that_changes_is_quick),
        TEST(views_and_viewports_do_not_take_the_quick_way),
        TEST(cpus_draw_neighbours_with_one_command),
        TEST(others_between_them_divide_the_raster_draws),
        TEST(records_differ_in_their_calls_and_memory),
        TEST(records_have_the_indices_of_their_calls),
        TEST(data_may_change),
        TEST(other_draws_do_not_repeat),
        TEST(draws_are_like_earlier_ones),
        TEST(pipelines_in_turns_share_dispatches),
        TEST(a_draw_ends_with_its_pass),
        TEST(a_bridge_ends_with_its_pass),
        TEST(inline_draws_share_binds_of_sets),
        TEST(stored_draws_find_the_sets_of_the_application),
        TEST(inline_draws_with_the_sets_of_the_application),
        TEST(inline_draws_of_other_sizes_have_roots_of_their_own),
        TEST(many_inline_draws_are_several),
        TEST(too_many_vertices_are_not_inline),
        TEST(inline_draws_with_other_emits_are_instances),
        TEST(a_size_of_its_own_changes_all_that_depends_on_it),
        TEST(a_larger_draw_has_its_kernels),
        TEST(too_large_a_draw_is_planned),
        TEST(such_draws_never_repeat),
        TEST(a_draw_has_so_many_calls),
        TEST(calls_end_where_vertices_have_no_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
