/* SPDX-License-Identifier: MIT
 *
 * Draws that store more than the working memory go in rounds: which ones, how large the parts are,
 * and what each part does; of indirect ones, how many there are, which the GPU may leave empty. The
 * driver is fake and writes down what it is told. Rounds of tessellated draws are in
 * test_draw_tessellation.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../common/within.h"

#include "draw/probable.h"
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
    assert_within(rounds.each, 1000, 10000);
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
    record_batch(batch, PGS_BATCH_FIRST);
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

/* A vertex shader of its own runs for what the GS invocations of the part read, wherever these are
 * in their instance, and across the border of two. */
static void parts_shade_what_they_read(void **unused)
{
    static const struct {
        VkPrimitiveTopology topology;
        uint32_t first, count, begin, end; /* GS invocations; elements of `vertices` */
    } rows[] = {
        {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 30000, 130, 90000, 90390},
        {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 29999, 2, 89997, 90003},
        {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, 100, 10, 100, 112},
        {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, 89997, 2, 89997, 90003},
        {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, 100, 10, 0, 112},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct pgs_draw_call part = large;
        pipeline.topology = rows[i].topology;
        part.part_first = rows[i].first;
        part.part_count = rows[i].count;
        const struct pgs_draw *draw = add_call(part);
        const struct pgs_draw_record *record = draw->subdraws[0].record.mapped;
        assert_int_equal(draw->plan.vertices, rows[i].end - rows[i].begin);
        assert_true(record->flags & PGS_DRAW_ROUND);
        assert_true(record->restart_tiles == (rows[i].begin | (VkDeviceAddress)rows[i].end << 32));
        const uint32_t vertex_B = record->in_stride_w * 4; /* in front of what they are read for */
        assert_int_equal((record->vertices + (VkDeviceAddress)rows[i].begin * vertex_B) % 16, 0);
        assert_within(record->out_vertices -
                          (record->vertices + (VkDeviceAddress)rows[i].end * vertex_B),
                      0, 255);
    }
}

/* What the parts of a fan have in common is made again in each part, so a part is no smaller. */
static void parts_outweigh_what_they_share(void **unused)
{
    (void)unused;
    pipeline.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN;
    const struct pgs_draw_call fan = {.count = 300002, .instance_count = 1}; /* 4.8 MB of them */
    const struct pgs_rounds rounds = rounds_of(fan);
    assert_int_equal(rounds.all, 300000);
    assert_within(rounds.each, 40000, 80000);
    pipeline.gs.out_stride_w = 400; /* more than there is for one */
    pipeline.gs.max_vertices = 1000;
    assert_within(rounds_of(small).each, 1, 2);
}

/* Of lines less is stored at once, however much there is. */
static void lines_have_less(void **unused)
{
    (void)unused;
    fuse();
    fake_physical.traits.heap_B = 64 * MIB;
    fake_physical.traits.costs.of[PGS_COST_LINES_HEAP] = 1;
    assert_int_equal(rounds_of(large).all, 0);
    pipeline.gs.output_kind = 2;
    const struct pgs_rounds rounds = rounds_of(large);
    assert_int_equal(rounds.all, 60000);
    assert_within(rounds.each, 1000, 10000);
    assert_int_equal(rounds_of(small).all, 0);
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
    pipeline.stipple.joins = true; /* the pattern goes on from part to part */
    assert_int_equal(rounds_of(large).all, 0);
    pipeline.stipple.joins = false;
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

/* A geometry shader that no vertex shader can stand in for. */
static int set_up_indirect(void **unused)
{
    (void)unused;
    bind_triangles_in_buffers();
    fake_physical.traits.heap_B = 64 * MIB;
    fake_device.vital_pool_units = 0;
    pgs_forget_learned(&fake_device.learned, PGS_LEARNED_ROUNDS);
    fake_device.bounds_unsure = false;
    pipeline.has_effects = pipeline.goes_in_rounds = pipeline.reads_instances = true;
    pipeline.number = 7;
    fake_device.rounds_needed = false;
    state.is_once = true;
    return open_batch(8);
}

static struct pgs_draw_call indirect_of(uint32_t draws)
{
    return (struct pgs_draw_call){
        .indirect = true, .args = {BUFFER(ARGS), 0}, .args_stride_B = 16, .max_draws = draws};
}

/* Nobody knows how many instances there are. */
static void unknown_sizes_have_many_rounds(void **unused)
{
    (void)unused;
    const struct pgs_rounds rounds = rounds_of(indirect_of(1));
    assert_int_equal(rounds.all, 8);
    assert_int_equal(rounds.each, 1);
    assert_false(rounds.begins_anew);
    assert_int_not_equal(rounds.progress, 0);
    assert_int_equal(rounds_of(indirect_of(8193)).all, 0); /* a record for each, each time */
    assert_int_equal(rounds_of(indirect_of(8192)).all, 2);
    fake_device.rounds_needed = true;
    assert_int_equal(rounds_of(indirect_of(64)).all, 64);
    state.is_once = false; /* each execution has them */
    assert_int_equal(rounds_of(indirect_of(1)).all, 8);
    state.is_once = true;
    uint32_t sum = 8 + 2 + 64 + 8;
    for (uint32_t i = 0; i < 20; i++)
        sum += rounds_of(indirect_of(1)).all;
    assert_int_equal(sum, 256); /* all of the command buffer */
}

/* Without anything of an instance there is but one. */
static void buffers_say_how_many(void **unused)
{
    (void)unused;
    pipeline.reads_instances = false;
    assert_int_equal(rounds_of(indirect_of(1)).all, 0);
    fake_instance.settings.pool_MiB = 1;
    pipeline.gs.max_vertices = 1000; /* half a MiB, of all vertices */
    assert_int_equal(rounds_of(indirect_of(1)).all, 3);
    struct pgs_draw_call round = indirect_of(1), whole = round;
    const struct pgs_draw_plan plan = {.sizing = PGS_SIZE_GPU};
    round.part_first = 2;
    round.part_count = 1;
    assert_int_equal(pgs_bound_B(&fake_device, &pipeline, &state, &round, &plan),
                     pgs_bound_B(&fake_device, &pipeline, &state, &whole, &plan));
    fake_device.bounds_unsure = true; /* a draw of more instances was lost */
    assert_int_equal(rounds_of(indirect_of(1)).all, 8);
}

static void others_have_no_rounds(void **unused)
{
    (void)unused;
    pipeline.goes_in_rounds = false;
    assert_false(pgs_batch_may_round(batch, &state, &(struct pgs_draw_call){.indirect = true}));
    pipeline.goes_in_rounds = true;
    pipeline.has_effects = false;
    fake_variant(&variants, PGS_VARIANT_INLINE_CALL, 16);
    assert_int_equal(rounds_of(indirect_of(1)).all, 0); /* the raster draw may run the shaders */
}

/* Each part has records of its own, and the memory that the last one had. */
static void rounds_follow_each_other(void **unused)
{
    (void)unused;
    const struct pgs_rounds rounds = rounds_of(indirect_of(2));
    struct pgs_draw_call part = indirect_of(2);
    part.rounds = rounds.all;
    part.progress = rounds.progress;
    part.share_B = rounds.share_B;
    part.part_count = 1;
    VkDeviceAddress pool = 0;
    for (; part.part_first < rounds.all; part.part_first += rounds.all - 1) {
        const struct pgs_draw *draw = add_call(part);
        const struct pgs_indirect *root = draw->indirect_mapped;
        assert_int_equal(draw->plan.raster, PGS_RASTER_STORED);
        assert_int_equal(root->progress, rounds.progress);
        assert_int_equal(!(root->flags & PGS_INDIRECT_FIRST_ROUND), part.part_first != 0);
        assert_int_equal(!(root->flags & PGS_INDIRECT_LAST_ROUND), part.part_first == 0);
        assert_true(record(draw, 0)->flags & PGS_DRAW_ROUND);
        assert_int_equal(draw->pool->kind, PGS_POOL_SHARE);
        assert_true(rounds_of(indirect_of(1)).begins_anew);
        assert_int_equal(pgs_batch_seal(batch), VK_SUCCESS);
        assert_int_equal(draw->pool->range.size_B, 8 * MIB);
        if (pool)
            assert_int_equal(draw->pool->range.address, pool);
        pool = draw->pool->range.address;
        record_batch(batch, PGS_BATCH_FIRST);
        expect("barrier from raster; bind indirect_round; dispatch 1 x 1; "
               "bind 11; barrier to grids; dispatch by grid; "
               "bind 12; barrier; dispatch by grid; "
               "bind count_tiles; barrier; dispatch by grid; "
               "bind scan_tiles; barrier; dispatch by grid; "
               "bind expand; barrier; dispatch by grid; "
               "bind pool_close; dispatch 1 x 1; barrier to raster and host");
        pgs_batch_next_pass(batch);
    }
}

/* Also where each invocation emits the same: the CPU does not know how many a round has. */
static void rounds_count_what_they_emit(void **unused)
{
    (void)unused;
    state.queries.generated[0] = 0x1000;
    pipeline.gs.pattern.is_known = true;
    struct pgs_draw_call part = indirect_of(1);
    part.part_count = 1;
    part.rounds = 2;
    part.progress = 0x100;
    const struct pgs_draw_plan *plan = &add_call(part)->plan;
    assert_int_equal(plan->count, PGS_COUNT_EMITS);
    assert_int_equal(plan->stages & PGS_STAGES_INDIRECT, PGS_STAGE_BIT(INDIRECT_ROUND));
    assert_false(pgs_plan_runs(plan, PGS_STAGE_CHUNKS_COUNT));
}

/* A draw in rounds is executed, and the CPU gets to know what it needed. */
static void execute(uint32_t needed_units, uint32_t of)
{
    const struct pgs_rounds rounds = rounds_of(indirect_of(1));
    const struct pgs_draw *draw = add_call(indirect_of(1)); /* somewhere in the same memory */
    const struct pgs_indirect_progress progress = {.needed_units = needed_units, .rounds = of};
    assert_true(rounds.all > 0);
    memcpy((char *)draw->records.mapped + (rounds.progress - draw->records.address), &progress,
           sizeof(progress));
    pgs_batch_reset(batch, false);
}

/* Four times what one needed, so that the next one may have grown. */
static void later_ones_have_as_many_as_they_need(void **unused)
{
    (void)unused;
    execute((uint32_t)(20 * MIB / PGS_POOL_UNIT_B), 3);
    assert_int_equal(rounds_of(indirect_of(1)).all, 5); /* of 25 MiB each */
    execute((uint32_t)(100 * MIB / PGS_POOL_UNIT_B), 5);
    assert_int_equal(rounds_of(indirect_of(1)).all, 4 * 125 / 32 + 1); /* half of the heap each */
    execute(1, 1);
    assert_int_equal(rounds_of(indirect_of(1)).all, 4 * 125 / 32 + 1);
    pipeline.number = 8;
    assert_int_equal(rounds_of(indirect_of(1)).all, 64); /* draws may be large here */
}

static void small_ones_need_none(void **unused)
{
    (void)unused;
    execute((uint32_t)(MIB / PGS_POOL_UNIT_B), 1);
    assert_false(fake_device.rounds_needed);
    assert_int_equal(rounds_of(indirect_of(1)).all, 0);
    assert_int_equal(add_call(indirect_of(1))->pool->kind, PGS_POOL_VITAL);
}

/* However many bytes that would be. */
static void no_number_is_too_large_to_ask(void **unused)
{
    (void)unused;
    static const uint32_t numbers[] = {UINT32_MAX, UINT32_C(1) << 31, UINT32_C(1) << 16};
    pipeline.gs.invocations = 127;
    pipeline.gs.max_vertices = 1024;
    for (uint32_t i = 0; i < 9; i++) {
        const struct pgs_draw_call call = {.count = numbers[i / 3],
                                           .instance_count = numbers[i % 3]};
        assert_true(pgs_batch_may_round(batch, &state, &call));
    }
    assert_false(pgs_batch_may_round(batch, &state, &(struct pgs_draw_call){.count = UINT32_MAX}));
}

#define TEST_INDIRECT(f) cmocka_unit_test_setup_teardown(f, set_up_indirect, tear_down_heap)
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down_heap)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(parts_share_memory),
        TEST(runs_no_more_than_a_part),
        TEST(counts_once),
        TEST(parts_shade_what_they_read),
        TEST(parts_outweigh_what_they_share),
        TEST(lines_have_less),
        TEST(counts_on_earlier_draws),
        TEST(parts_have_several_records),
        TEST(others_go_as_they_are),
        TEST(begins_anew_for_a_draw_that_fits),
        TEST(parts_are_not_repeated),
        TEST_INDIRECT(unknown_sizes_have_many_rounds),
        TEST_INDIRECT(buffers_say_how_many),
        TEST_INDIRECT(others_have_no_rounds),
        TEST_INDIRECT(rounds_follow_each_other),
        TEST_INDIRECT(rounds_count_what_they_emit),
        TEST_INDIRECT(later_ones_have_as_many_as_they_need),
        TEST_INDIRECT(small_ones_need_none),
        cmocka_unit_test_setup_teardown(keeps_within_the_limit, set_up_limit, tear_down_heap),
        TEST(no_number_is_too_large_to_ask),
        cmocka_unit_test_setup_teardown(no_number_is_too_large_to_ask, set_up_limit,
                                        tear_down_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
