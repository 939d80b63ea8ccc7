/* SPDX-License-Identifier: MIT
 *
 * Index lists of inline draws: what they have, that there is one for all draws alike, and which
 * draws use them in which order. The driver is fake and writes down what it is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../common/within.h"
#include "draw/strip_list.h"
#include "draw_triangles.h"

#define STRIP_EL 4u
#define STRIPS (0xFFFFu / STRIP_EL) /* of a list */

static uint32_t instance; /* of the last draw */

static void draw_part(VkCommandBuffer cb, uint32_t indices, uint32_t instances, uint32_t first,
                      int32_t vertex_offset, uint32_t first_instance)
{
    (void)cb;
    assert_int_equal(first, 0);
    note("indices %u of %u at %d", instances, indices, (int)vertex_offset);
    if (first_instance != instance)
        note_more(" of another call");
    instance = first_instance;
}

static void bind_list(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset_B, VkIndexType type)
{
    (void)cb;
    (void)buffer;
    (void)offset_B;
    assert_int_equal(type, VK_INDEX_TYPE_UINT16);
    note("list");
}

static int set_up(void **unused)
{
    (void)unused;
    bind_triangles(1);
    fake_variant(&variants, PGS_VARIANT_INLINE, 13);
    pipeline.inline_is_exact = pipeline.prefers_inline = true;
    pipeline.indexed_el = STRIP_EL;
    pipeline.gs.pattern = (struct pgs_spv_emit_pattern){
        .is_known = true, .vertices = 2 * STRIP_EL, .longest_el = STRIP_EL, .primitives = {4}};
    instance = 0;
    const int failed = open_batch(64);
    fake_device.vk.CmdDrawIndexed = draw_part;
    fake_device.vk.CmdBindIndexBuffer = bind_list;
    return failed || pgs_strip_lists_create(&fake_device) != VK_SUCCESS;
}

static int finish(void **unused)
{
    pgs_strip_lists_destroy(&fake_device);
    return tear_down(unused);
}

static const struct pgs_strip_list *find(uint32_t strip_el, uint32_t kind, bool provoking_last)
{
    const struct pgs_strip_list *list;
    assert_int_equal(pgs_strip_list_find(&fake_device, strip_el, kind, provoking_last, &list),
                     VK_SUCCESS);
    return list;
}

/* The indices of the first two strips, as many as are expected, and the last index. */
static void expect_list(const struct pgs_strip_list *list, const uint16_t *expected, uint32_t count)
{
    const uint16_t *indices = list->range.mapped;
    assert_memory_equal(indices, expected, count * sizeof(*expected));
    assert_int_equal(2 * list->strip_indices, count);
    assert_int_equal(list->most_el % list->strip_el, 0);
    assert_within(list->most_el, 0xFFFF - list->strip_el + 1, 0xFFFF);
    const uint32_t all = list->most_el / list->strip_el * list->strip_indices;
    assert_true(all * sizeof(*indices) <= list->range.size_B);
    uint32_t highest = 0;
    for (uint32_t i = 0; i < all; i++)
        if (indices[i] > highest)
            highest = indices[i];
    assert_int_equal(highest, list->most_el - 1);
}

/* Odd triangles turn the other way; their provoking vertex stays the first or the last one. */
static void lists_have_the_primitives_of_strips(void **unused)
{
    (void)unused;
    expect_list(find(5, 3, false),
                (const uint16_t[]){0, 1, 2, 1, 3, 2, 2, 3, 4, 5, 6, 7, 6, 8, 7, 7, 8, 9}, 18);
    expect_list(find(5, 3, true),
                (const uint16_t[]){0, 1, 2, 2, 1, 3, 2, 3, 4, 5, 6, 7, 7, 6, 8, 7, 8, 9}, 18);
    expect_list(find(3, 2, false), (const uint16_t[]){0, 1, 1, 2, 3, 4, 4, 5}, 8);
    expect_list(find(4, 3, false), (const uint16_t[]){0, 1, 2, 1, 3, 2, 4, 5, 6, 5, 7, 6}, 12);
}

static void there_is_one_for_all_alike(void **unused)
{
    (void)unused;
    const struct pgs_strip_list *first = find(4, 3, false), *lines = find(4, 2, false);
    assert_ptr_equal(find(4, 3, false), first);
    assert_ptr_not_equal(find(4, 3, true), first);
    assert_ptr_not_equal(lines, first);
    assert_ptr_equal(find(4, 2, false), lines);
}

static struct pgs_replacement *add(uint32_t primitives, uint32_t first, bool follows)
{
    const struct pgs_draw_call call = {
        .count = 3 * primitives, .instance_count = 1, .first = first};
    struct pgs_replacement *replacement;
    if (follows && pgs_batch_add_next(batch, &state, &call.direct))
        return NULL;
    assert_int_equal(pgs_batch_add(batch, &state, &call, follows, &replacement), VK_SUCCESS);
    return replacement;
}

/* Two strips of two triangles come of each primitive. */
static void draws_share_what_is_bound(void **unused)
{
    (void)unused;
    const struct pgs_replacement *all[] = {add(2, 0, false), add(5, 0, false)};
    for (uint32_t i = 0; i < 2; i++)
        pgs_draw_replay(all[i], VK_NULL_HANDLE);
    expect("draw with 13; vertex; list; indices 1 of 24 at 0 of another call; indices 1 of 60 at 0 "
           "of another call");
}

/* What has more vertices than the list has goes in parts, call by call. */
static void large_draws_go_in_parts(void **unused)
{
    (void)unused;
    const struct pgs_replacement *alone = add(STRIPS / 2, 0, false);
    pgs_draw_replay(alone, VK_NULL_HANDLE);
    expect("draw with 13; vertex; list; indices 1 of 98292 at 0 of another call");
    const struct pgs_replacement *one = add(STRIPS / 2 + 1, 0, false);
    const struct pgs_replacement *both = add(STRIPS / 2 + 1, 3, true);
    assert_null(add(STRIPS / 2 + 1, 6, true));
    pgs_draw_replay(one, VK_NULL_HANDLE);
    expect("indices 1 of 98298 at 0 of another call; indices 1 of 6 at 65532");
    pgs_draw_replay(both, VK_NULL_HANDLE);
    expect("indices 1 of 98298 at 0 of another call; indices 1 of 6 at 65532; "
           "indices 1 of 98298 at 0 of another call; indices 1 of 6 at 65532");
}

/* Nobody knows beforehand how many indices an indirect draw has. */
static void indirect_draws_have_none(void **unused)
{
    (void)unused;
    fake_variant(&variants, PGS_VARIANT_INLINE_CALL, 15);
    const struct pgs_draw *draw = add_call((struct pgs_draw_call){
        .indirect = true, .max_draws = 1, .args = {BUFFER(ARGS), 0}, .args_stride_B = 16});
    assert_null(draw->strips);
    assert_int_equal(draw->plan.in_line, PGS_VARIANT_INLINE_CALL);
    assert_int_equal(draw->plan.inline_vertices, 12);
}

/* Nor how many one by byte count has that is too large for a pool, which is planned likewise. */
static void large_byte_counts_have_none(void **unused)
{
    (void)unused;
    fake_variant(&variants, PGS_VARIANT_INLINE_CALL, 15);
    const struct pgs_draw_call call = {.byte_count = true, .count = 3000, .instance_count = 1};
    const struct pgs_plan_rules rules = {.max_out_vertices = PGS_MAX_OUT_VERTICES};
    struct pgs_draw_plan plan;
    bool too_large;
    assert_true(pgs_draw_plan(&pipeline, &state, &call, &rules, &plan, &too_large));
    assert_int_equal(plan.sizing, PGS_SIZE_GPU);
    assert_int_equal(plan.raster, PGS_RASTER_INLINE_GS);
    assert_int_equal(plan.in_line, PGS_VARIANT_INLINE_CALL);
    assert_int_equal(plan.inline_vertices, 12);
}

static void memory_may_be_short(void **unused)
{
    (void)unused;
    VkResult result = VK_ERROR_UNKNOWN;
    uint32_t failures = 0;
    for (int64_t n = 1; result != VK_SUCCESS; n++, failures++) {
        const struct pgs_draw_call call = {.count = 6, .instance_count = 1};
        struct pgs_replacement *replacement;
        pgs_heap_trim(&fake_device);
        pgs_alloc_fail_after(n, false);
        result = pgs_batch_add(batch, &state, &call, false, &replacement);
        pgs_alloc_fail_after(0, false);
        assert_true(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
        if (result == VK_SUCCESS)
            assert_non_null(replacement->draw->strips);
    }
    assert_true(failures >= 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, finish)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(lists_have_the_primitives_of_strips),
        TEST(there_is_one_for_all_alike),
        TEST(draws_share_what_is_bound),
        TEST(large_draws_go_in_parts),
        TEST(indirect_draws_have_none),
        TEST(large_byte_counts_have_none),
        TEST(memory_may_be_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
