/* SPDX-License-Identifier: MIT
 *
 * Inline draws whose calls are instances: the memory that they have at once, and the vertex buffer
 * that all of them share. The driver is fake and writes down what it is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "draw_triangles.h"

static struct pgs_emulated_pipeline other;

static int set_up(void **unused)
{
    (void)unused;
    bind_triangles_in_buffers();
    fake_variant(&variants, PGS_VARIANT_INLINE, 13);
    pipeline.inline_is_exact = pipeline.prefers_inline = true;
    pipeline.gs.pattern = (struct pgs_spv_emit_pattern){.is_known = true, .primitives = {2}};
    return open_batch(64);
}

static struct pgs_replacement *add(uint32_t first, bool follows)
{
    const struct pgs_draw_call call = {.count = 6, .instance_count = 1, .first = first};
    struct pgs_replacement *replacement;
    if (follows && pgs_batch_add_next(batch, &state, &call.direct))
        return NULL;
    assert_int_equal(pgs_batch_add(batch, &state, &call, follows, &replacement), VK_SUCCESS);
    return replacement;
}

static const struct pgs_inline_draw *root(const struct pgs_draw *draw, uint32_t call)
{
    return (const struct pgs_inline_draw *)draw->inline_root.mapped + call;
}

/* Each is an instance with a record of its own. */
static void calls_are_instances(void **unused)
{
    (void)unused;
    pipeline.uses_push_constants = true, pipeline.push_B = 4;
    const struct pgs_replacement *all[3] = {add(0, false), add(1, true), add(2, false)};
    state.data_version++;
    state.push[0] = 7;
    assert_null(add(3, true));
    assert_ptr_equal(all[1]->draw, all[2]->draw);
    assert_ptr_not_equal(all[0]->draw, all[1]->draw);
    for (uint32_t i = 1; i < 4; i++) {
        const struct pgs_draw *draw = all[1]->draw;
        assert_int_equal(record(draw, i - 1)->first_vertex, i);
        assert_int_equal(record(draw, i - 1)->push[0], i == 3 ? 7 : 0);
        assert_int_equal(root(draw, i - 1)->records,
                         draw->records.address + (i - 1) * draw->record_stride_B);
        assert_int_equal(root(draw, i - 1)->record_count, 1);
        assert_int_equal(record(draw, i - 1)->gs_invocation_first, 0);
    }
    record_batch(batch, PGS_BATCH_FIRST);
    expect("");
    for (int i = 0; i < 3; i++)
        pgs_draw_replay(all[i], VK_NULL_HANDLE);
    expect(
        "draw with 13; vertex; draw 1 of 12 from 18; draw 1 of 12 from 20; draw 2 of 12 from 21");
}

/* Instances are counted from the begin of the buffer. */
static void expect_draw(const struct pgs_replacement *replacement, const char *binds)
{
    char text[80];
    const struct pgs_draw *draw = replacement->draw;
    const bool takes = pipeline.takes_record;
    const VkDeviceSize first_B = takes ? draw->records.offset_B : draw->inline_root.offset_B;
    const VkDeviceSize stride_B = takes ? draw->record_stride_B : sizeof(struct pgs_inline_draw);
    const unsigned first = (unsigned)(first_B / stride_B) + replacement->first;
    assert_int_equal(first_B % stride_B, 0);
    pgs_draw_replay(replacement, VK_NULL_HANDLE);
    if (first)
        snprintf(text, sizeof(text), "%sdraw %u of 12 from %u", binds, replacement->count, first);
    else
        snprintf(text, sizeof(text), "%sdraw %u of 12", binds, replacement->count);
    expect(text);
}

/* Most passes are like the one before: the first draw has memory for the calls to come. */
static void later_passes_have_room_at_once(void **unused)
{
    (void)unused;
    for (uint32_t pass = 0; pass < 3; pass++) {
        const struct pgs_replacement *all = add(0, false);
        for (uint32_t i = 1; i < 5; i++)
            assert_int_equal(add(i, true) != NULL, pass == 0 && i == 1);
        assert_int_equal(all->count, pass == 0 ? 1 : 5);
        for (uint32_t i = 0; i < all->count; i++) {
            assert_int_equal(record(all->draw, i)->first_vertex, i);
            assert_int_equal(record(all->draw, i)->self, root(all->draw, i)->records);
            assert_int_equal(root(all->draw, i)->records,
                             all->draw->records.address + i * all->draw->record_stride_B);
        }
        expect_draw(all, "draw with 13; vertex; ");
        if (pass == 2) { /* it has no more than that */
            const struct pgs_replacement *more = add(5, true);
            assert_ptr_not_equal(more->draw, all->draw);
            assert_int_equal(record(more->draw, 0)->first_vertex, 5);
            expect_draw(more, "");
        }
        pgs_batch_reset(batch, false);
    }
}

static const struct pgs_replacement *take_turns(void)
{
    other = pipeline;
    other.number = pipeline.number + 1;
    const struct pgs_replacement *all[6];
    for (uint32_t i = 0; i < 6; i++) {
        state.pipeline = i % 2 ? &other : &pipeline;
        state.bind_count++;
        state.foreign_count += i == 4; /* another one, of the driver, was bound in between */
        all[i] = add(i, false);
        assert_int_equal(all[i]->has_vertices, i != 0 && i != 4);
    }
    for (uint32_t i = 0; i < 6; i++)
        expect_draw(all[i], i == 0 || i == 4 ? "draw with 13; vertex; " : "draw with 13; ");
    pgs_batch_next_pass(batch);
    state.pipeline = &pipeline;
    const struct pgs_replacement *later = add(0, false);
    expect_draw(later, "draw with 13; vertex; ");
    return later;
}

/* In a framebuffer layer that is not the first, draws that choose no layer are left out. */
static void other_layers_have_other_draws(void **unused)
{
    (void)unused;
    other = pipeline;
    other.number = pipeline.number + 1;
    other.by_layer = true;
    for (uint32_t i = 0; i < 4; i++) {
        state.pipeline = i == 0 || i == 3 ? &pipeline : &other;
        state.bind_count++;
        assert_int_equal(add(i, false)->has_vertices, i == 2);
    }
}

/* A draw without output vertices does not even bind. */
static void nothing_is_bound_for_nothing(void **unused)
{
    (void)unused;
    other = pipeline;
    other.number = pipeline.number + 1;
    other.gs.pattern.primitives[0] = 0;
    for (uint32_t i = 0; i < 3; i++) {
        state.pipeline = i == 0 ? &other : &pipeline;
        state.bind_count++;
        const struct pgs_replacement *replacement = add(i, false);
        assert_int_equal(replacement->has_vertices, i == 2);
        pgs_draw_replay(replacement, VK_NULL_HANDLE);
        if (i == 0)
            expect("draw with 13");
    }
}

static void pipelines_share_the_vertex_buffer(void **unused)
{
    (void)unused;
    take_turns();
}

/* Then it has their records, each of them a whole number of records from the begin. */
static void records_are_vertices(void **unused)
{
    (void)unused;
    pipeline.takes_record = true;
    const struct pgs_replacement *all = take_turns();
    assert_null(add(1, true));
    assert_int_equal(all->count, 2);
    assert_null(all->draw->inline_root.buffer);
    for (uint32_t i = 0; i < all->count; i++)
        assert_int_equal(record(all->draw, i)->self,
                         all->draw->records.address + i * all->draw->record_stride_B);
}

static void stored_draws_bind_their_own(void **unused)
{
    (void)unused;
    const struct pgs_replacement *before = add(0, false);
    pipeline.prefers_inline = false;
    state.version++;
    const struct pgs_replacement *stored = add(1, false);
    pipeline.prefers_inline = true;
    state.version++;
    const struct pgs_replacement *after = add(2, false);
    assert_int_equal(stored->draw->plan.raster, PGS_RASTER_STORED);
    assert_int_equal(before->draw->plan.raster, PGS_RASTER_INLINE_GS);
    assert_false(before->has_vertices || stored->has_vertices || after->has_vertices);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(calls_are_instances),
        TEST(later_passes_have_room_at_once),
        TEST(pipelines_share_the_vertex_buffer),
        TEST(other_layers_have_other_draws),
        TEST(nothing_is_bound_for_nothing),
        TEST(records_are_vertices),
        TEST(stored_draws_bind_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
