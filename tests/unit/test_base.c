/* SPDX-License-Identifier: MIT */
#include "base/alloc.h"
#include "base/arena.h"
#include "base/array.h"
#include "base/log.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void alloc_fails_the_nth_time(void **state)
{
    (void)state;
    pgs_alloc_fail_after(2, false);
    void *first = pgs_alloc(8), *second = pgs_calloc(2, 4), *third = pgs_realloc(NULL, 8);
    assert_non_null(first);
    assert_null(second);
    assert_non_null(third);

    pgs_alloc_fail_after(1, true);
    assert_null(pgs_realloc(first, 100)); /* and first stays valid */
    assert_null(pgs_strdup("text"));
    assert_int_equal(pgs_alloc_live(), 2);
    pgs_alloc_fail_after(0, false);
    pgs_free(first);
    pgs_free(third);
    pgs_free(NULL);
    assert_int_equal(pgs_alloc_live(), 0);
}

static void calloc_refuses_overflow(void **state)
{
    (void)state;
    assert_null(pgs_calloc(SIZE_MAX / 8, 16));
    unsigned char *zero = pgs_calloc(3, 5);
    for (int i = 0; i < 15; i++)
        assert_int_equal(zero[i], 0);
    pgs_free(zero);
    char *copy = pgs_strdup("poly");
    assert_string_equal(copy, "poly");
    pgs_free(copy);
}

static void kept_blocks_count_and_fail(void **state)
{
    (void)state;
    void *blocks[40]; /* more than are kept */
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 40; i++) {
            blocks[i] = pgs_alloc_kept();
            assert_non_null(blocks[i]);
            memset(blocks[i], (int)i, PGS_KEPT_B);
        }
        assert_int_equal(pgs_alloc_live(), 40);
        for (uint32_t i = 0; i < 40; i++) {
            assert_int_equal(*(unsigned char *)blocks[i], i);
            assert_int_equal(((unsigned char *)blocks[i])[PGS_KEPT_B - 1], i);
            pgs_free_kept(blocks[i]);
        }
        assert_int_equal(pgs_alloc_live(), 0);
    }
    pgs_alloc_fail_after(1, false);
    assert_null(pgs_alloc_kept()); /* also if there is one */
    void *next = pgs_alloc_kept();
    assert_non_null(next);
    pgs_alloc_fail_after(0, false);
    pgs_free_kept(next);
    assert_int_equal(pgs_alloc_live(), 0);
}

static void *take_and_free(void *unused)
{
    for (int i = 0; i < 2000; i++) {
        unsigned char *a = pgs_alloc_kept(), *b = pgs_alloc_kept();
        if (!a || !b || a == b)
            return unused;
        a[0] = 1;
        b[0] = 2;
        pgs_free_kept(a);
        if (b[0] != 2)
            return unused;
        pgs_free_kept(b);
    }
    return NULL;
}

static void threads_share_kept_blocks(void **state)
{
    (void)state;
    pthread_t threads[4];
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, take_and_free, threads), 0);
    for (uint32_t i = 0; i < 4; i++) {
        void *failed;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    assert_int_equal(pgs_alloc_live(), 0);
}

static void arena_aligns_and_keeps_contents(void **state)
{
    (void)state;
    struct pgs_arena arena;
    pgs_arena_init(&arena);
    uint32_t *values[3000];
    for (uint32_t i = 0; i < 3000; i++) {
        const size_t align_B = (size_t)1 << (i % 5);
        unsigned char *byte = pgs_arena_alloc(&arena, 1 + i % 7, align_B);
        assert_int_equal((uintptr_t)byte % align_B, 0);
        memset(byte, 0xff, 1 + i % 7);
        values[i] = pgs_arena_copy(&arena, &i, 1, sizeof(i), _Alignof(uint32_t));
    }
    uint32_t *large = pgs_arena_alloc(&arena, 3 * PGS_ARENA_BLOCK_B, 16);
    memset(large, 0xee, 3 * PGS_ARENA_BLOCK_B);
    for (uint32_t i = 0; i < 3000; i++)
        assert_int_equal(*values[i], i);
    pgs_arena_finish(&arena);
    assert_int_equal(pgs_alloc_live(), 0);
}

static void arena_reset_keeps_usual_blocks(void **state)
{
    (void)state;
    struct pgs_arena arena;
    pgs_arena_init(&arena);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 8; i++)
            assert_non_null(pgs_arena_alloc(&arena, PGS_ARENA_BLOCK_B / 2, 8));
        assert_int_equal(pgs_alloc_live(), 4);
        assert_non_null(pgs_arena_alloc(&arena, PGS_ARENA_BLOCK_B + 1, 8));
        assert_int_equal(pgs_alloc_live(), 5);
        pgs_arena_reset(&arena);
        assert_int_equal(pgs_alloc_live(), 4);
    }
    pgs_arena_finish(&arena);
    assert_int_equal(pgs_alloc_live(), 0);
}

static void arena_survives_lack_of_memory(void **state)
{
    (void)state;
    struct pgs_arena arena;
    pgs_arena_init(&arena);
    pgs_alloc_fail_after(1, true);
    assert_null(pgs_arena_alloc(&arena, 1, 1));
    pgs_alloc_fail_after(0, false);
    assert_null(pgs_arena_copy(&arena, "", SIZE_MAX / 2, 4, 1));
    assert_null(pgs_arena_alloc(&arena, SIZE_MAX - 8, 8));
    int *kept = pgs_arena_alloc(&arena, sizeof(int), 8);
    *kept = 42;
    pgs_alloc_fail_after(1, true);
    assert_null(pgs_arena_alloc(&arena, PGS_ARENA_BLOCK_B, 8));
    assert_non_null(pgs_arena_alloc(&arena, 16, 8)); /* what is left of the block still serves */
    pgs_alloc_fail_after(0, false);
    assert_int_equal(*kept, 42);
    pgs_arena_finish(&arena);
    assert_int_equal(pgs_alloc_live(), 0);
}

static void array_grows_and_reports(void **state)
{
    (void)state;
    PGS_ARRAY(int) array = {0};
    for (int i = 0; i < 100; i++)
        assert_true(pgs_array_push(&array, i));
    assert_false(pgs_array_reserve(&array, SIZE_MAX / 2));
    pgs_alloc_fail_after(1, true);
    while (array.count < array.capacity)
        assert_true(pgs_array_push(&array, -1));
    const size_t count = array.count;
    assert_false(pgs_array_push(&array, 7));
    pgs_alloc_fail_after(0, false);
    assert_int_equal(array.count, count);
    for (int i = 0; i < 100; i++)
        assert_int_equal(array.items[i], i);
    pgs_array_finish(&array);
    assert_int_equal(pgs_alloc_live(), 0);
}

static void say_once(void)
{
    pgs_log_once(PGS_LOG_ERROR, "once");
}

static void log_obeys_the_level(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    const int old = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    pgs_log(PGS_LOG_WARN, "hidden");
    pgs_log(PGS_LOG_ERROR, "seen %d", 1);
    pgs_log_set_level(PGS_LOG_OFF);
    say_once(); /* a message that was not shown has not been said */
    pgs_log_set_level(PGS_LOG_DEBUG);
    say_once();
    say_once();
    pgs_log(PGS_LOG_DEBUG, "deep");
    pgs_log_set_level(PGS_LOG_ERROR);
    dup2(old, STDERR_FILENO);
    close(old);
    rewind(file);
    char text[256] = {0};
    assert_true(fread(text, 1, sizeof(text) - 1, file) > 0);
    fclose(file);
    assert_string_equal(text, "poly_gs error: seen 1\npoly_gs error: once\npoly_gs debug: deep\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alloc_fails_the_nth_time),
        cmocka_unit_test(calloc_refuses_overflow),
        cmocka_unit_test(kept_blocks_count_and_fail),
        cmocka_unit_test(threads_share_kept_blocks),
        cmocka_unit_test(arena_aligns_and_keeps_contents),
        cmocka_unit_test(arena_reset_keeps_usual_blocks),
        cmocka_unit_test(arena_survives_lack_of_memory),
        cmocka_unit_test(array_grows_and_reports),
        cmocka_unit_test(log_obeys_the_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
