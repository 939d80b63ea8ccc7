/* SPDX-License-Identifier: MIT
 *
 * Calls of one draw that follow each other: where their arrays lie, what lists them as one, and
 * what is recorded and drawn for all of them. The driver is fake and writes down what it is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "draw_triangles.h"
#include "poly_gs/listing.h"

static int set_up(void **unused)
{
    (void)unused;
    bind_triangles_in_buffers();
    return open_batch(64);
}

static int tear_down_traits(void **unused)
{
    fake_physical.traits.index_range_B = fake_physical.traits.summed_tiles = 0;
    return tear_down(unused);
}

/* Each has two GS invocations. NULL: the last replacement draws this one, too. */
static const struct pgs_replacement *add(uint32_t first, bool follows)
{
    const struct pgs_draw_call call = {.count = 6, .instance_count = 1, .first = first};
    struct pgs_replacement *replacement;
    if (follows && pgs_batch_add_next(batch, &state, &call.direct))
        return NULL;
    assert_int_equal(pgs_batch_add(batch, &state, &call, follows, &replacement), VK_SUCCESS);
    return replacement;
}

static void seal_and_record(void)
{
    assert_int_equal(pgs_batch_seal(batch), VK_SUCCESS);
    record_batch(batch, PGS_BATCH_FIRST);
}

/* The first draw is planned without knowing of others, so the second one begins the chain. */
static void a_chain_is_one_draw(void **unused)
{
    (void)unused;
    const struct pgs_replacement *alone = add(3, false), *chain = add(9, true);
    assert_non_null(chain);
    assert_null(add(6, true));
    assert_null(add(0, true));
    assert_int_equal(chain->count, 3);
    seal_and_record();
    expect("barrier from raster; "
           "bind 11; dispatch 1 x 1 of 4 draws; "
           "bind 12; barrier; dispatch 1 x 1 of 4 draws; "
           "bind expand; barrier; dispatch 1 x 1 of 2 draws; "
           "barrier to raster");
    pgs_draw_replay(alone, VK_NULL_HANDLE);
    pgs_draw_replay(chain, VK_NULL_HANDLE);
    expect("vertex; index; draw 1; vertex; draw 1");
    assert_int_equal(fake.drawn, record(chain->draw, 0)->draw_args);
}

/* What follows one call in an array is the next call. */
static void arrays_of_calls_adjoin(void **unused)
{
    (void)unused;
    add(0, false);
    const struct pgs_draw *draw = add(1, true)->draw;
    add(2, true);
    add(3, true);
    assert_int_equal(draw->call_count, 3);
    const struct pgs_draw_record *first = record(draw, 0);
    for (uint32_t i = 0; i < 3; i++) {
        const struct pgs_draw_record *r = record(draw, i);
        assert_int_equal(r->first_vertex, i + 1);
        assert_int_equal(r->self, draw->records.address + i * draw->record_stride_B);
        assert_int_equal(r->vertices, first->vertices + i * 6 * 4 * 4);
        assert_int_equal(r->out_vertices, first->out_vertices + i * 2 * 3 * 5 * 4);
        assert_int_equal(r->strip_ends, first->strip_ends + i * 2 * 4);
        assert_int_equal(r->counts, first->counts + i * 2 * 4);
        assert_int_equal(r->tile_sums, 0); /* the kernel that lists them counts itself */
        assert_int_equal(r->indices, first->indices + i * 2 * 4 * 4);
        assert_int_equal(r->draw_args, first->draw_args + i * 20);
        assert_int_equal(r->first_index, first->first_index + i * 2 * 4);
        assert_int_equal(r->gs_invocation_bound, 2);
    }
    const uint64_t arrays[] = {first->vertices, first->out_vertices, first->strip_ends,
                               first->counts,   first->indices,      first->draw_args};
    const uint64_t end = draw->scratch.address + draw->scratch.size_B;
    for (int i = 0; i < 6; i++) /* with room for four calls */
        assert_true(arrays[i] % 16 == 0 &&
                    (i == 5 ? arrays[i] + 80 <= end : arrays[i] < arrays[i + 1]));
    assert_int_equal(first->indices + 4 * 2 * 4 * 4, first->draw_args);
}

/* The kernels find all calls of a chain in one record, which is the first one's but for that. */
static void one_record_lists_a_chain(void **unused)
{
    (void)unused;
    add(0, false);
    const struct pgs_replacement *chain = add(1, true);
    add(2, true);
    add(3, true);
    seal_and_record();
    const struct pgs_draw_record *own = record(chain->draw, 0),
                                 *list = root_of(PGS_KERNEL_EXPAND, 1);
    struct pgs_draw_record expected = *own;
    expected.gs_invocation_bound = 6;
    assert_memory_equal((const char *)list + PGS_RECORD_LINE_B,
                        (const char *)&expected + PGS_RECORD_LINE_B,
                        PGS_RECORD_PUSH_B - PGS_RECORD_LINE_B);
    assert_int_equal(list->flags, own->flags);
}

/* What is recorded between calls divides them, and a call between two such has its own record. */
static void others_between_them_divide_chains(void **unused)
{
    (void)unused;
    add(0, false);
    const struct pgs_replacement *all[3] = {add(1, true), NULL, NULL};
    add(2, true);
    all[1] = add(3, false);
    all[2] = add(4, false);
    assert_int_equal(all[0]->count, 2);
    assert_int_equal(all[1]->count, 1);
    assert_ptr_equal(all[2]->draw, all[0]->draw);
    seal_and_record();
    assert_ptr_equal(root_of(PGS_KERNEL_EXPAND, 2), record(all[0]->draw, 2));
    const struct pgs_draw_record *own = record(all[0]->draw, 2);
    assert_int_equal(own->gs_invocation_bound, 2);
    assert_int_equal(own->vertex_offset, 2 * 6); /* which only records of lists have */
    assert_int_equal(own->out_stride_w, 5);
    assert_ptr_equal(root_of(PGS_KERNEL_EXPAND, 3), record(all[0]->draw, 3));
    const struct pgs_draw_record *list = root_of(PGS_KERNEL_EXPAND, 1);
    assert_int_equal(list->gs_invocation_bound, 4);
    forget();
    for (int i = 0; i < 3; i++) {
        pgs_draw_replay(all[i], VK_NULL_HANDLE);
        assert_int_equal(fake.drawn, record(all[i]->draw, all[i]->first)->draw_args);
    }
    expect("vertex; draw 1; draw 1; draw 1");
}

/* A chain in the middle of a draw begins where its first call has its arrays. */
static void a_later_chain_begins_in_the_middle(void **unused)
{
    (void)unused;
    add(0, false);
    add(1, true);
    const struct pgs_replacement *later = add(2, false);
    add(3, true);
    assert_int_equal(later->first, 1);
    assert_int_equal(later->count, 2);
    seal_and_record();
    const struct pgs_draw_record *own = record(later->draw, 1),
                                 *list = root_of(PGS_KERNEL_EXPAND, 2);
    assert_int_equal(list->gs_invocation_bound, 4);
    assert_int_equal(list->counts, own->counts);
    assert_int_equal(list->indices, own->indices);
    assert_int_equal(list->draw_args, own->draw_args);
    assert_int_equal(list->first_index, own->first_index);
    assert_int_equal(list->vertex_offset, 6);
}

/* A pass takes at once what the one before it had: all but the first draw are one. */
static void the_next_pass_takes_all_at_once(void **unused)
{
    (void)unused;
    uint32_t draws[2] = {0, 0};
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < 200; i++)
            draws[pass] += add(i, true) != NULL;
        seal_and_record();
        forget();
        pgs_batch_next_pass(batch);
    }
    assert_true(draws[0] > 2);
    assert_int_equal(draws[1], 1);
}

/* A command buffer that is recorded again begins with a chain: its draws are planned, but it has
 * had loops. */
static void loops_of_earlier_recordings_are_expected(void **unused)
{
    (void)unused;
    const struct pgs_replacement *first = NULL;
    for (int recording = 0; recording < 2; recording++) {
        pgs_batch_reset(batch, false);
        first = add(7, false);
        for (uint32_t i = 1; i < 5; i++)
            assert_int_equal(add(i, true) == NULL, recording || i > 1);
    }
    assert_int_equal(first->count, 5);
    assert_int_equal(record(first->draw, 0)->first_vertex, 7);
    assert_int_equal(record(first->draw, 4)->first_vertex, 4);
    assert_int_equal(record(first->draw, 4)->counts, record(first->draw, 0)->counts + 4 * 2 * 4);
    seal_and_record();
    expect("barrier from raster; "
           "bind 11; dispatch 1 x 1 of 5 draws; "
           "bind 12; barrier; dispatch 1 x 1 of 5 draws; "
           "bind expand; barrier; dispatch 1 x 1; "
           "barrier to raster");
    pgs_draw_replay(first, VK_NULL_HANDLE);
    expect("vertex; index; draw 1");
    assert_int_equal(fake.drawn, record(first->draw, 0)->draw_args);
}

/* Memory for calls that do not come: runs are as long as on average, and no larger than before. */
static void others_do_not_take_memory_of_loops(void **unused)
{
    (void)unused;
    struct pgs_draw_call large = {.count = 6000, .instance_count = 1};
    struct pgs_replacement *replacement;
    for (int recording = 0; recording < 2; recording++) {
        pgs_batch_reset(batch, false);
        for (uint32_t i = 0; i < 50; i++)
            add(i, true);
        state.version++;
        assert_int_equal(pgs_batch_add(batch, &state, &large, false, &replacement), VK_SUCCESS);
        assert_null(replacement->draw->chains);
        state.version++;
        for (uint32_t i = 0; i < 100; i++) {
            const struct pgs_replacement *added = add(i, false);
            assert_true(!recording || added->draw->scratch.size_B < 2000);
            state.driver_queries ^= 1; /* so the next one is planned */
            state.version++;
        }
    }
}

/* Draws of so many GS invocations each; the calls of the last replacement of each one. */
static uint32_t most_of_forty(uint32_t gs_invocations, uint32_t *parts)
{
    const struct pgs_draw_call call = {.count = 3 * gs_invocations, .instance_count = 1};
    const struct pgs_replacement *last = NULL;
    uint32_t most = 0;
    *parts = 0;
    for (int i = 0; i < 40; i++) {
        struct pgs_replacement *added = NULL;
        if (!last || !pgs_batch_add_next(batch, &state, &call.direct))
            assert_int_equal(pgs_batch_add(batch, &state, &call, last != NULL, &added), VK_SUCCESS);
        *parts += added != NULL;
        last = added ? added : last;
        most = last->count > most ? last->count : most;
    }
    state.version++;
    return most;
}

/* No list needs a kernel that counts tiles, and none is much shorter than others. */
static void chains_end_with_their_tiles(void **unused)
{
    (void)unused;
    uint32_t parts;
    const uint32_t most = most_of_forty(PGS_TILE_EL / 2, &parts);
    assert_true(most <= 2 * PGS_COUNT_TILES_FREE && most > PGS_COUNT_TILES_FREE);
    assert_true(parts > 2 && parts < 10);
    assert_true(most_of_forty(PGS_TILE_EL, &parts) <= PGS_COUNT_TILES_FREE);
    seal_and_record();
    assert_null(strstr(event_log.text, "count_tiles"));
    forget();
}

static struct pgs_draw_record record_of(const struct pgs_draw *draw, uint32_t call)
{
    struct pgs_draw_record record;
    memcpy(&record,
           (const unsigned char *)draw->records.mapped + (size_t)call * draw->record_stride_B,
           offsetof(struct pgs_draw_record, attributes));
    return record;
}

/* No kernel lists what the geometry shader does: the calls of each chain are numbered, and the
 * first one leads to their list. */
static void chains_list_themselves(void **unused)
{
    (void)unused;
    fake_variant(pipeline.variants, PGS_VARIANT_LISTING, 13);
    const struct pgs_replacement *alone = add(3, false), *chain = add(9, true);
    assert_null(add(6, true));
    const struct pgs_replacement *other = add(0, false);
    assert_null(add(12, true));
    seal_and_record();
    expect("barrier from raster; "
           "bind 11; dispatch 1 x 1 of 5 draws; "
           "bind 13; barrier; dispatch 1 x 1 of 5 draws; "
           "barrier to raster");
    assert_ptr_equal(other->draw, chain->draw);
    for (uint32_t i = 0; i < 4; i++) {
        const struct pgs_draw_record record = record_of(chain->draw, i);
        assert_int_equal(record.packed_vertices, i % 2);
        assert_true(record.flags & PGS_DRAW_SELF_LISTED);
        assert_true(i % 2 || record.grids);
    }
    assert_int_not_equal(record_of(chain->draw, 0).grids, record_of(chain->draw, 2).grids);
    assert_int_not_equal(record_of(alone->draw, 0).grids, 0);
    fake_variant(pipeline.variants, PGS_VARIANT_LISTING, 0);
}

/* A kernel does as long as the shader is compiled, for which nobody waits. */
static void a_kernel_lists_until_the_shader_is_there(void **unused)
{
    (void)unused;
    fake_variant(pipeline.variants, PGS_VARIANT_LISTING, 13);
    atomic_store(&pipeline.variants->made[PGS_VARIANT_LISTING], (VkPipeline)0);
    fake_listing_expected = 0;
    const struct pgs_replacement *before = add(3, false);
    assert_false(before->draw->plan.self_listed);
    assert_int_equal(fake_listing_expected, 1);
    pgs_batch_reset(batch, false);
    atomic_store(&pipeline.variants->made[PGS_VARIANT_LISTING], (VkPipeline)(uintptr_t)13);
    const struct pgs_replacement *then = add(3, false);
    assert_true(then->draw->plan.self_listed);
    assert_int_equal(fake_listing_expected, 1);
    fake_variant(pipeline.variants, PGS_VARIANT_LISTING, 0);
}

/* Where the kernel that lists them counts more of them, so does a chain have more. */
static void chains_are_longer_where_tiles_cost_less(void **unused)
{
    (void)unused;
    uint32_t parts;
    fake_physical.traits.summed_tiles = 32;
    const uint32_t most = most_of_forty(PGS_TILE_EL, &parts);
    assert_true(most <= 32 && most > PGS_COUNT_TILES_FREE);
    seal_and_record();
    assert_null(strstr(event_log.text, "count_tiles"));
    forget();
}

/* All vertices of a raster draw lie within a range where the device wants that. */
static void chains_end_with_the_range(void **unused)
{
    (void)unused;
    fake_physical.traits.index_range_B = 3 * 6 * 5 * 4; /* vertices of three calls */
    uint32_t most = 0;
    for (uint32_t i = 0; i < 40; i++) {
        const struct pgs_replacement *added = add(i, true);
        static const struct pgs_replacement *last;
        last = added ? added : last;
        most = last->count > most ? last->count : most;
    }
    assert_int_equal(most, 3);
}

static uint32_t replacements_of_five(void)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < 5; i++)
        count += add(i, true) != NULL;
    pipeline.number++; /* the next one is another */
    return count;
}

/* Something in their arrays spans all GS invocations of a call, or the next call goes on with it.
 */
static void such_draws_are_not_chained(void **unused)
{
    (void)unused;
    assert_int_equal(replacements_of_five(), 2);
    pipeline.packs = true;
    assert_int_equal(replacements_of_five(), 1);
    pipeline.packs = false;
    pipeline.lists = true;
    assert_int_equal(replacements_of_five(), 1);
    pipeline.lists = false;
    pipeline.joins_lines = true;
    assert_int_equal(replacements_of_five(), 1);
    pipeline.joins_lines = false;
    assert_int_equal(replacements_of_five(), 2);
    const struct pgs_draw_call large = {.count = 3 * (PGS_TILE_EL + 1), .instance_count = 1};
    for (int i = 0; i < 5; i++) {
        struct pgs_replacement *made = NULL;
        assert_int_equal(pgs_batch_add(batch, &state, &large, i > 0, &made), VK_SUCCESS);
        if (made)
            assert_null(made->draw->chains);
    }
}

/* A size of its own begins anew, also behind a chain. */
static void another_size_ends_a_chain(void **unused)
{
    (void)unused;
    const struct pgs_draw_call large = {.count = 9, .instance_count = 1};
    struct pgs_replacement *other;
    add(0, false);
    const struct pgs_replacement *chain = add(1, true);
    add(2, true);
    assert_int_equal(pgs_batch_add(batch, &state, &large, true, &other), VK_SUCCESS);
    const struct pgs_draw_record *r = record(other->draw, 0);
    assert_null(other->draw->chains);
    assert_int_equal(r->gs_invocation_bound, 3);
    assert_int_equal(r->vertex_offset, 0);
    assert_true(r->out_vertices >= chain->draw->scratch.address + chain->draw->scratch.size_B);
    seal_and_record();
    forget();
    pgs_draw_replay(other, VK_NULL_HANDLE);
    expect("vertex; draw 1");
    assert_int_equal(fake.drawn, r->draw_args);
}

/* Other sets are bound for a call: it is a copy of the chain's, of one call. */
static void other_sets_end_a_chain(void **unused)
{
    (void)unused;
    add(0, false);
    const struct pgs_replacement *chain = add(1, true);
    add(2, true);
    state.next_set_order++;
    const struct pgs_replacement *other = add(3, true);
    const struct pgs_draw_record *r = record(other->draw, 0);
    assert_ptr_not_equal(other->draw, chain->draw);
    assert_null(other->draw->chains);
    assert_int_equal(r->vertex_offset, 0);
    assert_int_equal(r->self, other->draw->records.address);
    assert_int_equal(r->indices, other->draw->subdraws[0].indices.address);
    assert_true(r->vertices >= chain->draw->scratch.address + chain->draw->scratch.size_B);
    state.next_set_order++;
    const struct pgs_draw *again = add(4, true)->draw;
    const struct pgs_draw_record *s = record(again, 0);
    assert_int_equal(s->counts - s->vertices, r->counts - r->vertices);
    assert_true(s->draw_args + 20 <= again->scratch.address + again->scratch.size_B);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down_traits)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_chain_is_one_draw),
        TEST(arrays_of_calls_adjoin),
        TEST(one_record_lists_a_chain),
        TEST(others_between_them_divide_chains),
        TEST(a_later_chain_begins_in_the_middle),
        TEST(the_next_pass_takes_all_at_once),
        TEST(loops_of_earlier_recordings_are_expected),
        TEST(others_do_not_take_memory_of_loops),
        TEST(chains_end_with_their_tiles),
        TEST(a_kernel_lists_until_the_shader_is_there),
        TEST(chains_list_themselves),
        TEST(chains_are_longer_where_tiles_cost_less),
        TEST(chains_end_with_the_range),
        TEST(such_draws_are_not_chained),
        TEST(another_size_ends_a_chain),
        TEST(other_sets_end_a_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
