/* SPDX-License-Identifier: MIT
 *
 * Small draws that are inline although large ones with their pipeline are stored, in passes with
 * many of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "draw_triangles.h"
#include "pipeline/usual_raster.h"

static const struct pgs_replacement *last; /* of the last draw */

/* A draw of two triangles shades 6 vertices inline, and a pass may shade 30 so. */
static int set_up(void **unused)
{
    (void)unused;
    bind_triangles_in_buffers();
    fake_variant(&variants, PGS_VARIANT_INLINE, 13);
    pipeline.inline_is_exact = true;
    pipeline.inline_limit_el = 30;
    pipeline.gs.pattern = (struct pgs_spv_emit_pattern){.is_known = true, .primitives = {1}};
    return open_batch(64);
}

static enum pgs_raster_path add(uint32_t first, uint32_t triangles)
{
    const struct pgs_draw_call call = {.count = 3 * triangles, .instance_count = 1, .first = first};
    struct pgs_replacement *replacement = NULL;
    if (!pgs_batch_add_next(batch, &state, &call.direct))
        assert_int_equal(pgs_batch_add(batch, &state, &call, true, &replacement), VK_SUCCESS);
    last = replacement ? replacement : last;
    return last->draw->plan.raster;
}

static void expect_raster(uint32_t first, uint32_t end, enum pgs_raster_path raster)
{
    for (uint32_t i = first; i < end; i++)
        assert_int_equal(add(i, 2), raster);
}

/* Of the pipelines 13 is inline, 14 draws what is stored. */
static void a_pass_shades_so_many_vertices_inline(void **unused)
{
    (void)unused;
    assert_int_equal(add(0, 2), PGS_RASTER_INLINE_GS);
    pgs_draw_replay(last, VK_NULL_HANDLE);
    expect("draw with 13; vertex; draw 1 of 6 from 18");
    expect_raster(1, 5, PGS_RASTER_INLINE_GS);
    expect_raster(5, 8, PGS_RASTER_STORED);
}

/* The calls of all of them count, in memory that they take ahead, too. */
static void all_its_draws_count(void **unused)
{
    (void)unused;
    assert_int_equal(add(0, 4), PGS_RASTER_INLINE_GS);
    state.version++;
    expect_raster(1, 4, PGS_RASTER_INLINE_GS);
    expect_raster(4, 5, PGS_RASTER_STORED);
    state.version++;
    assert_int_equal(add(5, 1), PGS_RASTER_STORED);
}

static void a_larger_draw_counts_for_more(void **unused)
{
    (void)unused;
    assert_int_equal(add(0, 2), PGS_RASTER_INLINE_GS);
    assert_int_equal(add(0, 8), PGS_RASTER_INLINE_GS);
    assert_int_equal(add(0, 2), PGS_RASTER_STORED);
}

static void begin_pass(void)
{
    pgs_batch_next_pass(batch);
    state.version++; /* so that draws are planned */
}

/* One of the two passes before had too many calls, so this one may, too. */
static void another_pass_counts_on_as_many(void **unused)
{
    (void)unused;
    expect_raster(0, 5, PGS_RASTER_INLINE_GS);
    expect_raster(5, 8, PGS_RASTER_STORED);
    for (int i = 0; i < 2; i++) {
        begin_pass();
        expect_raster(0, 1, PGS_RASTER_STORED);
    }
    begin_pass();
    expect_raster(0, 5, PGS_RASTER_INLINE_GS);
}

/* What another pipeline in its place had says nothing. */
static void pipelines_count_for_themselves(void **unused)
{
    (void)unused;
    expect_raster(0, 5, PGS_RASTER_INLINE_GS);
    expect_raster(5, 8, PGS_RASTER_STORED);
    begin_pass();
    pipeline.number += 64;
    expect_raster(0, 5, PGS_RASTER_INLINE_GS);
    pipeline.number -= 64;
}

static void binds_bind_what_was_drawn_last(void **unused)
{
    (void)unused;
    expect_raster(0, 1, PGS_RASTER_INLINE_GS);
    assert_ptr_equal(pgs_usual_handle(&pipeline),
                     pgs_variant_handle(&pipeline, PGS_VARIANT_INLINE));
    assert_int_equal(add(0, 20), PGS_RASTER_STORED);
    assert_ptr_equal(pgs_usual_handle(&pipeline), last->draw->stored);
}

static void push(uint32_t times)
{
    state.push[3] = times;
    state.data_version++;
}

/* Where push constants say how long its shaders run a pipeline has another limit: whatever they
 * said of the draw before, and in the pass before. */
static void push_constants_choose_the_limit(void **unused)
{
    (void)unused;
    pipeline.short_loops.times = 4;
    pipeline.short_loops.limit_el = 72;
    pipeline.short_loops.loops = (struct pgs_spv_push_loops){.count = 1, .at_w = {3}};
    push(3);
    assert_int_equal(add(0, 12), PGS_RASTER_INLINE_GS);
    push(4);
    assert_int_equal(add(0, 12), PGS_RASTER_STORED);
    push(0);
    assert_int_equal(add(0, 12), PGS_RASTER_INLINE_GS);
    assert_int_equal(add(0, 2), PGS_RASTER_STORED);
    push(UINT32_MAX); /* what others are counts for itself */
    assert_int_equal(add(0, 2), PGS_RASTER_INLINE_GS);
    begin_pass();
    assert_int_equal(add(0, 12), PGS_RASTER_STORED);
}

/* Also if nothing but push constants has changed, so that draws are added the shortest way. */
static void push_constants_part_what_repeats(void **unused)
{
    (void)unused;
    pipeline.short_loops.times = 4;
    pipeline.short_loops.limit_el = 7200;
    pipeline.inline_limit_el = 1;
    pipeline.short_loops.loops = (struct pgs_spv_push_loops){.count = 1, .at_w = {3}};
    for (uint32_t i = 0; i < 6; i++) {
        const struct pgs_direct_call call = {.count = 36, .instance_count = 1};
        struct pgs_replacement *replacement = NULL;
        push(i % 2 * 9);
        if (pgs_batch_add_changed(batch, &state, &call, &replacement)) {
            assert_int_equal(i % 2, 2); /* none is like the one before */
            continue;
        }
        assert_int_equal(add(0, 12), i % 2 ? PGS_RASTER_STORED : PGS_RASTER_INLINE_GS);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_pass_shades_so_many_vertices_inline), TEST(all_its_draws_count),
        TEST(a_larger_draw_counts_for_more),         TEST(another_pass_counts_on_as_many),
        TEST(pipelines_count_for_themselves),        TEST(binds_bind_what_was_drawn_last),
        TEST(push_constants_choose_the_limit),       TEST(push_constants_part_what_repeats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
