/* SPDX-License-Identifier: MIT
 *
 * Direct draws that store more than the working memory go in rounds: which ones, how large the
 * parts are, and what each part does. The driver is fake and writes down what it is told. Rounds of
 * tessellated draws are in test_draw_tessellation.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "draw/sizes.h"
#include "draw_triangles.h"

#define MIB (UINT64_C(1) << 20)

static const struct pgs_draw_call large = {.count = 90000, .instance_count = 2},
                                  middle = {.count = 21000, .instance_count = 1},
                                  small = {.count = 3000, .instance_count = 1};

static int set_up(void **unused)
{
    (void)unused;
    bind_triangles(1);
    fake_physical.traits.heap_B = MIB;
    return open_batch(64);
}

static int set_up_limit(void **unused)
{
    (void)unused;
    bind_triangles(1);
    fake_instance.settings.memory_MiB = 1;
    return open_batch(64);
}

static int tear_down_heap(void **unused)
{
    fake_physical.traits = (struct pgs_device_class){.kind = PGS_DEVICE_ANY};
    fake_instance.settings.memory_MiB = 0;
    return tear_down(unused);
}

/* The geometry shader runs the vertex shader. */
static void fuse(void)
{
    fake_variant(&variants, PGS_VARIANT_VERTEX, 0);
    fake_variant(&variants, PGS_VARIANT_GEOMETRY, 0);
    fake_variant(&variants, PGS_VARIANT_FUSED, 12);
}

static struct pgs_rounds rounds_of(struct pgs_draw_call call)
{
    struct pgs_rounds rounds = {0};
    if (pgs_batch_may_round(batch, &state, &call))
        assert_int_equal(pgs_batch_rounds(batch, &state, &call, &rounds), VK_SUCCESS);
    return rounds;
}

/* The parts are one behind the other, none doubled, and all in the memory of the first. */
static void parts_share_memory(void **unused)
{
    (void)unused;
    fuse();
    const struct pgs_rounds rounds = rounds_of(large);
    assert_int_equal(rounds.all, 60000);
    assert_in_range(rounds.each, 1000, 10000);
    assert_false(rounds.begins_anew);
    VkDeviceAddress vertices = 0;
    for (uint32_t first = 0; first < rounds.all; first += rounds.each) {
        struct pgs_draw_call part = large;
        part.part_first = first;
        part.part_count = rounds.all - first < rounds.each ? rounds.all - first : rounds.each;
        const struct pgs_draw *draw = add_call(part);
        const struct pgs_draw_record *record = draw->subdraws[0].record.mapped;
        assert_int_equal(draw->plan.subdraw_count, 1);
        assert_int_equal(record->gs_invocation_first, first);
        assert_int_equal(record->gs_invocation_bound, part.part_count);
        assert_true(!first || record->out_vertices == vertices);
        vertices = record->out_vertices;
        pgs_batch_next_pass(batch);
    }
    assert_true(pgs_heap_lent_B(&fake_device) <= 2 * MIB); /* with records */
}

static void runs_no_more_than_a_part(void **unused)
{
    (void)unused;
    fuse();
    struct pgs_draw_call part = large;
    part.part_first = 30000;
    part.part_count = 130;
    const struct pgs_draw *draw = add_call(part);
    record_batch(batch, true);
    expect("barrier from raster; "
           "bind 12; dispatch 3 x 1; "
           "bind expand; barrier; dispatch 1 x 1; "
           "barrier to raster");
    replay(draw);
    expect("vertex; index; draw 1");
}

/* Each part counts what it emits, the first one what was assembled. */
static void counts_once(void **unused)
{
    (void)unused;
    state.queries.statistics = 64;
    assert_int_equal(rounds_of(large).all, 60000);
    for (uint32_t first = 0; first < 200; first += 100) {
        struct pgs_draw_call part = large;
        part.part_first = first;
        part.part_count = 100;
        const struct pgs_draw *draw = add_call(part);
        const struct pgs_capture *capture = at(draw->subdraws[0].capture);
        assert_int_equal(capture->flags,
                         PGS_CAPTURE_GEOMETRY | (first ? 0 : PGS_CAPTURE_STATISTICS));
    }
}

/* Vertices that the vertex shader stores are made again in each part, so a part is no smaller. */
static void parts_outweigh_what_they_share(void **unused)
{
    (void)unused;
    pipeline.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    const struct pgs_draw_call strip = {.count = 300002, .instance_count = 1}; /* 4.8 MB of them */
    const struct pgs_rounds rounds = rounds_of(strip);
    assert_int_equal(rounds.all, 300000);
    assert_in_range(rounds.each, 40000, 80000);
    pipeline.gs.out_stride_w = 400; /* more than there is for one */
    pipeline.gs.max_vertices = 1000;
    assert_in_range(rounds_of(small).each, 1, 2);
}

/* Draws like one that is stored are, too, and each takes memory. */
static void counts_on_earlier_draws(void **unused)
{
    (void)unused;
    fake_variant(&variants, PGS_VARIANT_INLINE, 16);
    pipeline.inline_is_exact = true;
    assert_int_equal(add_call(middle)->plan.raster, PGS_RASTER_STORED);
    pipeline.inline_limit_el = 1 << 20; /* alone it would be inline */
    assert_int_equal(rounds_of(middle).all, 7000);
}

/* A part may itself have more vertices than an index can name. */
static void parts_have_several_records(void **unused)
{
    (void)unused;
    fake_physical.traits.heap_B = UINT64_C(4) << 30;
    pipeline.gs.max_vertices = 200;
    struct pgs_draw_call part = {.count = 900000, .instance_count = 1};
    part.part_first = 100000;
    part.part_count = 150000;
    const struct pgs_draw *draw = add_call(part);
    const struct pgs_draw_record *second = draw->subdraws[1].record.mapped;
    const uint32_t each = PGS_MAX_OUT_VERTICES / 200;
    assert_int_equal(draw->plan.subdraw_count, 2);
    assert_int_equal(second->gs_invocation_first, 100000 + each);
    assert_int_equal(second->gs_invocation_bound, 150000 - each);
}

static void others_go_as_they_are(void **unused)
{
    (void)unused;
    assert_int_equal(rounds_of(small).all, 0);
    struct pgs_draw_call other = large;
    other.indirect = true;
    other.max_draws = 1;
    assert_false(pgs_batch_may_round(batch, &state, &other));
    state.queries.statistics = 64; /* counted by what is known: once for all */
    pipeline.gs.pattern.is_known = true;
    assert_int_equal(rounds_of(large).all, 0);
    pipeline.gs.pattern.is_known = false;
    state.queries.statistics = 0;
    pipeline.has_effects = true; /* the geometry shader's come once */
    assert_int_equal(rounds_of(large).all, 60000);
    pipeline.vertex_has_effects = true; /* these would come again */
    assert_int_equal(rounds_of(large).all, 0);
    pipeline.has_effects = pipeline.vertex_has_effects = false;
    fake_physical.traits.heap_B = 0;
    assert_false(pgs_batch_may_round(batch, &state, &large));
}

/* A draw that fits, but not beside others, has a part of the pass to itself. */
static void begins_anew_for_a_draw_that_fits(void **unused)
{
    (void)unused;
    assert_int_equal(rounds_of(middle).all, 0);
    assert_non_null(add_call(middle));
    const struct pgs_rounds rounds = rounds_of(middle);
    assert_int_equal(rounds.all, 7000);
    assert_int_equal(rounds.each, 7000);
    assert_true(rounds.begins_anew);
    pgs_batch_next_pass(batch);
    assert_int_equal(rounds_of(middle).all, 0);
}

/* A draw never goes on from a part. */
static void parts_are_not_repeated(void **unused)
{
    (void)unused;
    struct pgs_draw_call part = middle;
    part.part_first = 5000;
    part.part_count = 2000;
    const struct pgs_draw *whole = add_call(middle);
    const struct pgs_draw *first = add_call(part);
    const struct pgs_draw *again = add_call(middle);
    assert_true(whole != first && first != again);
    assert_int_equal(whole->call_count, 1);
    assert_int_equal(first->call_count, 1);
    assert_int_equal(again->plan.gs_invocations, 7000);
    assert_int_equal(again->plan.gs_first, 0);
}

/* Parts are stored where the whole draw would be inline, since there would be no memory for it. */
static void keeps_within_the_limit(void **unused)
{
    (void)unused;
    fuse();
    fake_variant(&variants, PGS_VARIANT_INLINE, 16);
    pipeline.inline_is_exact = true;
    pipeline.gs.pattern.is_known = true;
    assert_int_equal(add_call(large)->plan.raster, PGS_RASTER_INLINE_GS);
    const struct pgs_rounds rounds = rounds_of(large);
    assert_int_equal(rounds.all, 60000);
    struct pgs_draw_call part = large;
    part.part_count = rounds.each;
    assert_int_equal(add_call(part)->plan.raster, PGS_RASTER_STORED);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down_heap)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(parts_share_memory),
        TEST(runs_no_more_than_a_part),
        TEST(counts_once),
        TEST(parts_outweigh_what_they_share),
        TEST(counts_on_earlier_draws),
        TEST(parts_have_several_records),
        TEST(others_go_as_they_are),
        TEST(begins_anew_for_a_draw_that_fits),
        TEST(parts_are_not_repeated),
        cmocka_unit_test_setup_teardown(keeps_within_the_limit, set_up_limit, tear_down_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
