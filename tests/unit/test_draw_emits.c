/* SPDX-License-Identifier: MIT
 *
 * Draws of medium size whose emits depend on data are inline once stored ones have told that much
 * is emitted, and for as long as that is so. The driver is fake, and so are the counts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../common/within.h"

#include "draw/emits.h"
#include "draw/strip_list.h"
#include "draw_triangles.h"
#include "poly_gs/coverage.h"
#include "poly_gs/planes.h"

/* A draw of 300 triangles emits up to as many, and may shade 900 vertices inline. */
#define TRIANGLES 300u
#define LIMIT_EL 30u
#define DENSE_EL 1800u
#define DENSER_EL (10 * DENSE_EL)
#define DENSE_PERCENT 45u

static int set_up(void **unused)
{
    (void)unused;
    bind_triangles(1);
    fake_variant(&variants, PGS_VARIANT_INLINE, 13);
    pipeline.number = 7;
    pipeline.inline_is_exact = true;
    pipeline.inline_limit_el = LIMIT_EL;
    pipeline.learns_emits = true;
    fake_instance.settings.plan = PGS_PLAN_AUTO;
    fake_physical.traits.costs.of[PGS_COST_PASS_DENSE] = DENSE_EL;
    fake_physical.traits.costs.of[PGS_COST_DENSE_SHARE] = DENSE_PERCENT;
    pgs_forget_learned(&fake_device.learned, PGS_LEARNED_EMITS);
    return open_batch(64);
}

/* Of a command buffer that was begun anew. */
static struct pgs_draw *draw(uint32_t triangles)
{
    struct pgs_draw *added =
        add_call((struct pgs_draw_call){.count = 3 * triangles, .instance_count = 1});
    assert_int_equal(pgs_batch_seal(batch), VK_SUCCESS);
    return added;
}

static void begin_again(void)
{
    pgs_batch_reset(batch, true);
    state.version++;
}

static bool is_inline(const struct pgs_draw *added)
{
    return added->plan.raster == PGS_RASTER_INLINE_GS;
}

/* As a kernel does: a triangle that is emitted is a strip of its own. False: nobody will see it. */
static bool emit(const struct pgs_draw *added, uint32_t triangles)
{
    const uint32_t indices = 4 * triangles;
    if (!added->told_args.mapped)
        return false;
    memcpy(added->told_args.mapped, &indices, sizeof(indices));
    return true;
}

/* Draws in command buffers of their own until one is stored, and returns how many were inline. */
static uint32_t draw_until_stored(uint32_t triangles, const struct pgs_draw **stored)
{
    for (uint32_t i = 0; i < 1000; i++) {
        *stored = draw(triangles);
        if (!is_inline(*stored))
            return i;
        begin_again();
    }
    return UINT32_MAX;
}

static void dense_draws_go_inline(void **unused)
{
    (void)unused;
    const struct pgs_draw *first = draw(TRIANGLES);
    assert_int_equal(first->plan.raster, PGS_RASTER_STORED);
    assert_true(emit(first, TRIANGLES / 2));
    begin_again();
    const struct pgs_draw *next = draw(TRIANGLES);
    assert_true(is_inline(next));
    record_batch(batch, PGS_BATCH_FIRST);
    expect("");
    replay(next);
    expect("draw with 13; vertex; draw 1 of 900 from 16");
}

/* On CPUs what is inline for little is added up, but not what is inline since it is dense. */
static void dense_draws_of_cpus_cost_nothing(void **unused)
{
    (void)unused;
    pipeline.inline_limit_el = 0;
    pipeline.inline_steps = 1000;
    const struct pgs_draw *first = draw(TRIANGLES);
    assert_int_equal(first->plan.raster, PGS_RASTER_STORED);
    assert_true(emit(first, TRIANGLES / 2));
    begin_again();
    const struct pgs_draw *next = draw(TRIANGLES);
    assert_true(is_inline(next));
    assert_int_equal(next->plan.extra_ksteps, 0);
    begin_again();
    assert_false(is_inline(draw(2 * TRIANGLES + 1))); /* beyond the limit of a pass */
}

/* What is cut of lists is a matter of the size of a draw, and tells nothing of what is emitted. */
static void draws_that_are_cut_stay_stored(void **unused)
{
    (void)unused;
    pipeline.inline_limit_el = 0;
    pipeline.inline_steps = 1000;
    emit(draw(TRIANGLES), TRIANGLES / 2);
    begin_again();
    assert_true(is_inline(draw(TRIANGLES)));
    pipeline.cut_from = TRIANGLES;
    begin_again();
    assert_true(is_inline(draw(TRIANGLES))); /* strips, not lists */
    pipeline.lists = true;
    fake_variant(&variants, PGS_VARIANT_FUSED, 15);
    begin_again();
    assert_false(is_inline(draw(TRIANGLES)));
    begin_again();
    assert_true(is_inline(draw(TRIANGLES - 1)));
    fake_variant(&variants, PGS_VARIANT_FUSED, 0); /* the other geometry shader cuts no lists */
    const struct pgs_draw *stored;
    begin_again();
    draw_until_stored(TRIANGLES, &stored); /* to learn again */
    begin_again();
    assert_true(is_inline(draw(TRIANGLES)));
}

static void cut_lists_do_not_tell(void **unused)
{
    (void)unused;
    pipeline.viewports.viewport_count = 1;
    pipeline.viewports.viewports[0] = (VkViewport){0, 0, 64, 64, 0, 1};
    pipeline.cull_planes = PGS_DRAW_PLANES_SIDES | PGS_DRAW_CUTS;
    fake_variant(&variants, PGS_VARIANT_FUSED, 15);
    pipeline.lists = true;
    pipeline.cut_from = TRIANGLES + 1;
    state.version++;
    const struct pgs_draw *whole = draw(TRIANGLES);
    assert_int_equal(whole->plan.expand, PGS_EXPAND_EACH);
    assert_non_null(whole->told_args.mapped);
    pipeline.cut_from = TRIANGLES;
    pipeline.number++, state.version++;
    begin_again();
    const struct pgs_draw *cut = draw(TRIANGLES);
    assert_int_equal(cut->plan.expand, PGS_EXPAND_CUT);
    assert_null(cut->told_args.mapped);
}

static void sparse_draws_stay_stored(void **unused)
{
    (void)unused;
    for (int i = 0; i < 100; i++) {
        emit(draw(TRIANGLES), TRIANGLES * (DENSE_PERCENT - 1) / 100);
        begin_again();
        assert_false(is_inline(draw(TRIANGLES)));
        begin_again();
    }
}

/* The raster draw takes its arguments from where the CPU sees them, and kernels write them there.
 * A copy in another command buffer, which need not tell, has none of that. */
static void counts_are_where_the_cpu_sees_them(void **unused)
{
    (void)unused;
    const struct pgs_draw *told = draw(TRIANGLES);
    const struct pgs_draw_record *of_told = record(told, 0);
    assert_int_equal(of_told->draw_args, told->told_args.address);
    replay(told);
    assert_int_equal(fake.drawn, told->told_args.address);
    record_batch(batch, PGS_BATCH_FIRST);
    assert_true(fake.barriers_to & VK_ACCESS_HOST_READ_BIT);
    fake.barriers_to = 0;
    emit(told, 1);
    begin_again();
    const struct pgs_draw *other = draw(TRIANGLES);
    assert_null(other->told_args.buffer);
    assert_int_equal(record(other, 0)->draw_args, other->subdraws[0].draw_args.address);
    replay(other);
    assert_int_equal(fake.drawn, other->subdraws[0].draw_args.address);
    record_batch(batch, PGS_BATCH_FIRST);
    assert_false(fake.barriers_to & VK_ACCESS_HOST_READ_BIT);
}

/* An inline draw tells nothing, so now and then one is stored; the longer nothing changes, the
 * seldomer, though never never. */
static void data_change(void **unused)
{
    const struct pgs_draw *stored;
    uint32_t most = 0;
    (void)unused;
    for (int i = 0; i < 20; i++) {
        const uint32_t inlined = draw_until_stored(TRIANGLES, &stored);
        assert_within(inlined, most, 32);
        most = inlined;
        assert_true(emit(stored, TRIANGLES));
        begin_again();
    }
    assert_true(most > 8);
    draw_until_stored(TRIANGLES, &stored);
    emit(stored, 1);
    begin_again();
    uint32_t passed = 0;
    for (; !emit(draw(TRIANGLES), TRIANGLES); passed++)
        begin_again();
    assert_within(passed, 1, 8);
    begin_again();
    assert_true(is_inline(draw(TRIANGLES)));
}

/* Many draws of a recording are one occasion, so few of them are stored again. */
static void recordings_count(void **unused)
{
    (void)unused;
    emit(draw(TRIANGLES), TRIANGLES);
    for (uint32_t recording = 0; recording < 4; recording++) {
        begin_again();
        for (uint32_t i = 0; i < 8; i++)
            assert_true(is_inline(draw(TRIANGLES + i)));
    }
    begin_again();
    assert_false(is_inline(draw(TRIANGLES)));
    state.version++;
    for (uint32_t i = 0; i < 8; i++)
        assert_true(is_inline(draw(TRIANGLES + 1 + i)));
}

static void what_was_not_executed_tells_nothing(void **unused)
{
    (void)unused;
    for (int i = 0; i < 3; i++) {
        const struct pgs_draw *added = draw(TRIANGLES);
        assert_false(is_inline(added));
        assert_non_null(added->told_args.mapped);
        begin_again();
    }
}

/* Their counts are read when the pipeline is gone, and nobody takes another one for it. */
static void pipelines_may_be_gone(void **unused)
{
    (void)unused;
    emit(draw(TRIANGLES), TRIANGLES);
    const struct pgs_emulated_pipeline before = pipeline;
    memset(&pipeline, 0xFF, sizeof(pipeline));
    pgs_batch_reset(batch, true);
    pipeline = before;
    state.version++;
    pipeline.number += PGS_TIER_SLOTS;
    assert_false(is_inline(draw(TRIANGLES)));
    begin_again();
    pipeline.number -= PGS_TIER_SLOTS;
    assert_true(is_inline(draw(TRIANGLES)));
}

/* Of several draws all together count. */
static void draws_add_up(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < 4; i++)
        assert_true(emit(draw(TRIANGLES), i == 0 ? TRIANGLES : 0));
    begin_again();
    assert_false(is_inline(draw(TRIANGLES)));
    begin_again();
    for (uint32_t i = 0; i < 4; i++)
        emit(draw(TRIANGLES - i), TRIANGLES);
}

/* Equal draws are one draw of several calls, but for those that tell. */
static void calls_tell_one_by_one(void **unused)
{
    (void)unused;
    const struct pgs_draw *first = draw(TRIANGLES), *second = draw(TRIANGLES);
    assert_ptr_not_equal(first, second);
    emit(first, 1);
    emit(second, 1);
    begin_again();
    first = draw(TRIANGLES);
    assert_ptr_equal(draw(TRIANGLES), first);
    assert_null(first->told_args.mapped);
}

/* The limit is that of a pass, and those that emit nearly all may be larger. */
static void passes_have_a_limit(void **unused)
{
    (void)unused;
    emit(draw(TRIANGLES), TRIANGLES / 2);
    begin_again();
    assert_true(is_inline(draw(TRIANGLES)));
    assert_true(is_inline(draw(TRIANGLES)));
    assert_false(is_inline(draw(TRIANGLES)));
    begin_again();
    assert_false(is_inline(draw(DENSE_EL / 3 + 1)));
    for (uint32_t i = 0; i < 8; i++) {
        begin_again();
        emit(draw(TRIANGLES), TRIANGLES);
    }
    begin_again();
    assert_true(is_inline(draw(DENSE_EL / 3 + 1)));
    begin_again();
    assert_true(is_inline(draw(DENSER_EL / 3)));
    begin_again();
    assert_false(is_inline(draw(DENSER_EL / 3 + 1)));
}

/* Joined strips must emit more, but then any draw is as good as another. */
static void joined_strips_have_limits_of_their_own(void **unused)
{
    (void)unused;
    const uint32_t each_el = pgs_spv_joined_vertices(3);
    pipeline.joined_el = 3;
    pipeline.gs.skips_emits = true;
    emit(draw(TRIANGLES), TRIANGLES * (DENSE_PERCENT + 4) / 100);
    begin_again();
    assert_false(is_inline(draw(TRIANGLES)));
    do
        begin_again();
    while (!emit(draw(TRIANGLES), TRIANGLES * (DENSE_PERCENT + 5) / 100));
    begin_again();
    assert_true(is_inline(draw(DENSE_EL / each_el + 1)));
    begin_again();
    assert_true(is_inline(draw(12 * DENSE_EL / each_el)));
    begin_again();
    assert_false(is_inline(draw(12 * DENSE_EL / each_el + 1)));
    pipeline.gs.skips_emits = false; /* each vertex would run the whole loop */
    begin_again();
    assert_false(is_inline(draw(12 * DENSE_EL / each_el)));
}

/* Their emits are static, so all that lies inside the clip volume comes. */
static void index_lists_are_for_what_comes_nearly_all(void **unused)
{
    (void)unused;
    assert_int_equal(pgs_strip_lists_create(&fake_device), VK_SUCCESS);
    pipeline.indexed_el = 3;
    pipeline.gs.pattern = (struct pgs_spv_emit_pattern){
        .is_known = true, .vertices = 3, .longest_el = 3, .primitives = {1}};
    pipeline.short_loops = (struct pgs_short_loops){.times = 1, .limit_el = 2 * LIMIT_EL};
    pipeline.cull_planes = PGS_DRAW_PLANES;
    assert_true(is_inline(draw(2 * LIMIT_EL / 3)));
    begin_again();
    assert_true(emit(draw(TRIANGLES), TRIANGLES * 89 / 100));
    begin_again();
    assert_false(is_inline(draw(TRIANGLES)));
    do
        begin_again();
    while (!emit(draw(TRIANGLES), TRIANGLES * 9 / 10));
    begin_again();
    assert_true(is_inline(draw(100 * DENSE_EL / 3)));
    begin_again();
    assert_false(is_inline(draw(100 * DENSE_EL / 3 + 1)));
    pipeline.short_loops.times = 0; /* nobody knows how long they run */
    state.version++;
    assert_false(is_inline(draw(TRIANGLES)));
    pgs_strip_lists_destroy(&fake_device);
}

/* What is dense leaves to others what they may shade. */
static void passes_have_two_limits(void **unused)
{
    (void)unused;
    emit(draw(TRIANGLES), TRIANGLES / 2);
    begin_again();
    assert_true(is_inline(draw(TRIANGLES)));
    pipeline.learns_emits = false;
    pipeline.number++;
    state.version++;
    assert_true(is_inline(draw(LIMIT_EL / 3)));
    assert_false(is_inline(draw(LIMIT_EL / 3)));
    pipeline.learns_emits = true;
    pipeline.number--;
    state.version++;
    assert_true(is_inline(draw((DENSE_EL - LIMIT_EL) / 3 - TRIANGLES)));
    assert_false(is_inline(draw(1)));
}

/* Those that are small as it is are inline, and those that nobody asks for tell nothing. */
static void others_are_as_ever(void **unused)
{
    (void)unused;
    assert_true(is_inline(draw(LIMIT_EL / 3)));
    begin_again();
    assert_null(draw(PGS_TILE_EL)->told_args.mapped); /* it may be one of a chain */
    begin_again();
    pipeline.learns_emits = false;
    assert_null(draw(TRIANGLES)->told_args.mapped);
    pipeline.learns_emits = true;
    begin_again();
    emit(draw(TRIANGLES), TRIANGLES);
    begin_again();
    state.driver_queries = true; /* would count what is clipped */
    assert_false(is_inline(draw(TRIANGLES)));
    state.driver_queries = false;
}

/* A draw is drawn all the same if there is no memory for its counts. */
static void memory_may_be_short(void **unused)
{
    (void)unused;
    struct pgs_draw *added =
        add_call((struct pgs_draw_call){.count = 3 * TRIANGLES, .instance_count = 1});
    const VkDeviceAddress args = record(added, 0)->draw_args;
    struct pgs_batch_memory memory = {.upload = NULL};
    pgs_arena_init(&memory.arena);
    assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_UPLOAD, &memory.upload),
                     VK_SUCCESS);
    pgs_heap_trim(&fake_device);
    uint32_t failures = 0;
    for (int64_t n = 1; !memory.told; n++) {
        assert_int_equal(record(added, 0)->draw_args, args);
        assert_null(added->told_args.buffer);
        pgs_alloc_fail_after(n, false);
        pgs_emits_seal(added, &memory);
        pgs_alloc_fail_after(0, false);
        failures += !memory.told;
    }
    assert_true(failures >= 2);
    assert_int_equal(record(added, 0)->draw_args, added->told_args.address);
    pgs_emits_read(&memory, &fake_device); /* it was not executed */
    assert_null(memory.told);
    assert_int_equal(pgs_learned_of(&fake_device.learned, PGS_LEARNED_EMITS, pipeline.number), 0);
    pgs_linear_destroy(memory.upload);
    pgs_arena_finish(&memory.arena);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(dense_draws_go_inline),
        TEST(dense_draws_of_cpus_cost_nothing),
        TEST(sparse_draws_stay_stored),
        TEST(counts_are_where_the_cpu_sees_them),
        TEST(data_change),
        TEST(recordings_count),
        TEST(what_was_not_executed_tells_nothing),
        TEST(pipelines_may_be_gone),
        TEST(draws_add_up),
        TEST(calls_tell_one_by_one),
        TEST(draws_that_are_cut_stay_stored),
        TEST(cut_lists_do_not_tell),
        TEST(passes_have_a_limit),
        TEST(joined_strips_have_limits_of_their_own),
        TEST(index_lists_are_for_what_comes_nearly_all),
        TEST(passes_have_two_limits),
        TEST(others_are_as_ever),
        TEST(memory_may_be_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
