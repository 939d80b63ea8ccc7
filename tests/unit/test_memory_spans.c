/* SPDX-License-Identifier: MIT
 *
 * First-fit ranges: reuse, coalescing, exhaustion, and every allocation failing.
 */
#include "base/alloc.h"
#include "memory/spans.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static uint64_t take(struct pgs_spans *spans, uint64_t size)
{
    uint64_t offset = UINT64_MAX;
    assert_int_equal(pgs_spans_take(spans, size, &offset), PGS_SPANS_OK);
    return offset;
}

static void takes_first_fit(void **state)
{
    (void)state;
    struct pgs_spans spans;
    assert_true(pgs_spans_init(&spans, 100));
    assert_int_equal(take(&spans, 10), 0);
    assert_int_equal(take(&spans, 20), 10);
    assert_int_equal(take(&spans, 30), 30);
    pgs_spans_give(&spans, 0, 10);
    pgs_spans_give(&spans, 30, 30); /* joins the rest */
    assert_int_equal(spans.free_count, 2);
    assert_int_equal(take(&spans, 11), 30);
    assert_int_equal(take(&spans, 10), 0);
    uint64_t offset;
    assert_int_equal(pgs_spans_take(&spans, 60, &offset), PGS_SPANS_FULL);
    assert_int_equal(take(&spans, 59), 41);
    assert_int_equal(pgs_spans_take(&spans, 1, &offset), PGS_SPANS_FULL);
    pgs_spans_finish(&spans);
}

static void joins_neighbours_in_any_order(void **state)
{
    (void)state;
    static const int orders[][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {0, 2, 1, 3}, {1, 3, 0, 2}};
    for (size_t o = 0; o < 4; o++) {
        struct pgs_spans spans;
        assert_true(pgs_spans_init(&spans, 40));
        for (uint64_t i = 0; i < 4; i++)
            assert_int_equal(take(&spans, 10), i * 10);
        assert_int_equal(spans.free_count, 0);
        for (size_t i = 0; i < 4; i++) {
            assert_false(pgs_spans_all_free(&spans));
            pgs_spans_give(&spans, (uint64_t)orders[o][i] * 10, 10);
        }
        assert_true(pgs_spans_all_free(&spans));
        assert_int_equal(spans.free_count, 1);
        assert_int_equal(spans.free[0].size, 40);
        pgs_spans_finish(&spans);
    }
}

/* A long walk of takes and gives, checked against a plain map of bytes. */
static void agrees_with_a_byte_map(void **state)
{
    (void)state;
    enum { SIZE = 512, RANGES = 64 };
    unsigned char used[SIZE] = {0};
    struct pgs_span taken[RANGES] = {{0}};
    struct pgs_spans spans;
    uint32_t random = 1;
    assert_true(pgs_spans_init(&spans, SIZE));
    for (int step = 0; step < 20000; step++) {
        random = random * 1664525 + 1013904223;
        struct pgs_span *range = &taken[random >> 26];
        if (range->size) {
            pgs_spans_give(&spans, range->offset, range->size);
            for (uint64_t i = 0; i < range->size; i++)
                used[range->offset + i] = 0;
            range->size = 0;
            continue;
        }
        const uint64_t size = 1 + (random >> 8) % 24;
        const enum pgs_spans_result result = pgs_spans_take(&spans, size, &range->offset);
        if (result == PGS_SPANS_FULL)
            continue;
        assert_int_equal(result, PGS_SPANS_OK);
        range->size = size;
        assert_true(range->offset + size <= SIZE);
        for (uint64_t i = 0; i < size; i++) {
            assert_int_equal(used[range->offset + i], 0);
            used[range->offset + i] = 1;
        }
    }
    for (size_t i = 0; i < RANGES; i++)
        if (taken[i].size)
            pgs_spans_give(&spans, taken[i].offset, taken[i].size);
    assert_int_equal(take(&spans, SIZE), 0);
    pgs_spans_finish(&spans);
}

static void reports_lack_of_host_memory(void **state)
{
    (void)state;
    struct pgs_spans spans;
    pgs_alloc_fail_after(1, true);
    assert_false(pgs_spans_init(&spans, 10));
    pgs_alloc_fail_after(0, false);
    assert_true(pgs_spans_init(&spans, 100));
    pgs_alloc_fail_after(1, true);
    uint64_t offset;
    uint64_t taken = 0;
    while (pgs_spans_take(&spans, 1, &offset) == PGS_SPANS_OK)
        taken++;
    pgs_alloc_fail_after(0, false);
    assert_true(taken < 100);
    for (uint64_t i = 0; i < taken;
         i += 2) /* alternate ones: the most fragments that there can be */
        pgs_spans_give(&spans, i, 1);
    for (uint64_t i = 1; i < taken; i += 2)
        pgs_spans_give(&spans, i, 1);
    assert_int_equal(take(&spans, 100), 0);
    pgs_spans_finish(&spans);
    assert_int_equal(pgs_alloc_live(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_first_fit),
        cmocka_unit_test(joins_neighbours_in_any_order),
        cmocka_unit_test(agrees_with_a_byte_map),
        cmocka_unit_test(reports_lack_of_host_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
