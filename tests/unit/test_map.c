/* SPDX-License-Identifier: MIT */
#include "base/alloc.h"
#include "base/map.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { KEYS = 5000, THREADS = 4, ROUNDS = 20000 };

static void *value_of(uint64_t key)
{
    return (void *)(uintptr_t)(key * 2 + 1);
}

static uint64_t nth_key(uint64_t i)
{
    return i * 64 + (i % 3 ? 0x7f0000000000u : 0);
}

static void table_keeps_what_it_got(void **state)
{
    (void)state;
    struct pgs_table table = {0};
    assert_null(pgs_table_find(&table, 1));
    assert_null(pgs_table_remove(&table, 1));
    for (uint64_t i = 0; i < KEYS; i++)
        assert_true(pgs_table_insert(&table, nth_key(i), value_of(i)));
    assert_int_equal(table.count, KEYS);
    for (uint64_t i = 0; i < KEYS; i += 2)
        assert_ptr_equal(pgs_table_remove(&table, nth_key(i)), value_of(i));
    for (uint64_t i = 0; i < KEYS; i++)
        assert_ptr_equal(pgs_table_find(&table, nth_key(i)), i % 2 ? value_of(i) : NULL);
    assert_true(pgs_table_insert(&table, nth_key(1), value_of(77)));
    assert_ptr_equal(pgs_table_find(&table, nth_key(1)), value_of(77));
    assert_int_equal(table.count, KEYS / 2);
    pgs_table_finish(&table, NULL, NULL);
    assert_int_equal(pgs_alloc_live(), 0);
}

static void table_survives_a_random_life(void **state)
{
    (void)state;
    enum { SPACE = 64 };
    struct pgs_table table = {0};
    bool there[SPACE] = {false};
    uint32_t random = 12345;
    for (int i = 0; i < 100000; i++) {
        random = random * 1664525u + 1013904223u;
        const uint32_t k = (random >> 16) % SPACE;
        if (random >> 31) {
            assert_true(pgs_table_insert(&table, nth_key(k), value_of(k)));
            there[k] = true;
        } else {
            assert_ptr_equal(pgs_table_remove(&table, nth_key(k)), there[k] ? value_of(k) : NULL);
            there[k] = false;
        }
    }
    for (uint32_t k = 0; k < SPACE; k++)
        assert_ptr_equal(pgs_table_find(&table, nth_key(k)), there[k] ? value_of(k) : NULL);
    pgs_table_finish(&table, NULL, NULL);
}

static void table_reports_lack_of_memory(void **state)
{
    (void)state;
    struct pgs_table table = {0};
    pgs_alloc_fail_after(2, true);
    uint64_t i = 0;
    while (pgs_table_insert(&table, i, value_of(i)))
        i++;
    pgs_alloc_fail_after(0, false);
    assert_int_equal(i, 12);
    while (i--)
        assert_ptr_equal(pgs_table_find(&table, i), value_of(i));
    pgs_table_finish(&table, NULL, NULL);
    assert_int_equal(pgs_alloc_live(), 0);
}

static void count_visit(uint64_t key, void *value, void *context)
{
    assert_ptr_equal(value, value_of(key));
    ++*(size_t *)context;
}

static void map_visits_every_pair_once(void **state)
{
    (void)state;
    struct pgs_map map;
    assert_true(pgs_map_init(&map));
    for (uint64_t i = 0; i < 1000; i++)
        assert_true(pgs_map_insert(&map, i, value_of(i)));
    size_t each = 0, last = 0;
    pgs_map_each(&map, count_visit, &each);
    pgs_map_finish(&map, count_visit, &last);
    assert_int_equal(each, 1000);
    assert_int_equal(last, 1000);
    assert_int_equal(pgs_alloc_live(), 0);
}

struct worker {
    struct pgs_map *map;
    uint64_t first;
    int errors;
};

/* Its own keys come and go; key 0 belongs to all and stays. */
static void *run_worker(void *argument)
{
    struct worker *w = argument;
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        const uint64_t key = w->first + i % 97;
        w->errors += !pgs_map_insert(w->map, key, value_of(key));
        w->errors += pgs_map_find(w->map, key) != value_of(key);
        w->errors += pgs_map_find(w->map, 0) != value_of(0);
        w->errors += pgs_map_remove(w->map, key) != value_of(key);
    }
    return NULL;
}

static void map_is_safe_under_threads(void **state)
{
    (void)state;
    struct pgs_map map;
    struct worker workers[THREADS];
    pthread_t threads[THREADS];
    assert_true(pgs_map_init(&map));
    assert_true(pgs_map_insert(&map, 0, value_of(0)));
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.map = &map, .first = 1000 * (uint64_t)(i + 1)};
        assert_int_equal(pthread_create(&threads[i], NULL, run_worker, &workers[i]), 0);
    }
    size_t left = 0;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(workers[i].errors, 0);
    }
    pgs_map_finish(&map, count_visit, &left);
    assert_int_equal(left, 1);
}

static void *replace_first(void *map)
{
    return pgs_map_insert(map, 0, value_of(2)) ? map : NULL;
}

struct crowd {
    struct pgs_map *map;
    atomic_bool over;
};

/* Tables grow, and runs of keys move up and down. */
static void *run_crowd(void *argument)
{
    struct crowd *c = argument;
    for (int round = 0; round < 60; round++) {
        for (uint64_t i = KEYS / 2; i < KEYS; i++)
            (void)!pgs_map_insert(c->map, nth_key(i), value_of(nth_key(i)));
        for (uint64_t i = KEYS / 2; i < KEYS; i++)
            pgs_map_remove(c->map, nth_key(i));
    }
    atomic_store(&c->over, true);
    return NULL;
}

static void map_finds_what_stays_while_it_changes(void **state)
{
    (void)state;
    struct pgs_map map;
    struct crowd crowd = {.map = &map};
    pthread_t thread;
    assert_true(pgs_map_init(&map));
    for (uint64_t i = 0; i < 100; i++)
        assert_true(pgs_map_insert(&map, nth_key(i), value_of(nth_key(i))));
    assert_int_equal(pthread_create(&thread, NULL, run_crowd, &crowd), 0);
    uint64_t lost = 0, strange = 0;
    while (!atomic_load(&crowd.over))
        for (uint64_t i = 0; i < 100; i++) {
            lost += pgs_map_find(&map, nth_key(i)) != value_of(nth_key(i));
            strange += pgs_map_find(&map, nth_key(KEYS + i)) != NULL;
        }
    pthread_join(thread, NULL);
    assert_int_equal(lost, 0);
    assert_int_equal(strange, 0);
    pgs_map_finish(&map, NULL, NULL);
    assert_int_equal(pgs_alloc_live(), 0);
}

static void map_finds_no_more_what_has_gone(void **state)
{
    (void)state;
    enum { SPACE = 200 };
    static struct pgs_map map;
    pthread_t thread;
    void *done;
    for (int round = 0; round < 3; round++) { /* another map at the same place */
        assert_true(pgs_map_init(&map));
        for (uint64_t i = 0; i < SPACE; i++)
            assert_null(pgs_map_find(&map, i));
        for (uint64_t i = 0; i < SPACE; i++)
            assert_true(pgs_map_insert(&map, i, value_of(i + (uint64_t)round)));
        for (uint64_t i = 0; i < 4 * SPACE; i++)
            assert_ptr_equal(pgs_map_find(&map, i / 4), value_of(i / 4 + (uint64_t)round));
        assert_int_equal(pthread_create(&thread, NULL, replace_first, &map), 0);
        pthread_join(thread, &done);
        assert_ptr_equal(done, &map);
        assert_ptr_equal(pgs_map_find(&map, 0), value_of(2));
        assert_non_null(pgs_map_remove(&map, 0));
        assert_null(pgs_map_find(&map, 0));
        assert_true(pgs_map_insert(&map, 0, value_of(1)));
        assert_ptr_equal(pgs_map_find(&map, 0), value_of(1));
        pgs_map_finish(&map, NULL, NULL);
    }
    assert_int_equal(pgs_alloc_live(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_keeps_what_it_got),
        cmocka_unit_test(table_survives_a_random_life),
        cmocka_unit_test(table_reports_lack_of_memory),
        cmocka_unit_test(map_visits_every_pair_once),
        cmocka_unit_test(map_is_safe_under_threads),
        cmocka_unit_test(map_finds_what_stays_while_it_changes),
        cmocka_unit_test(map_finds_no_more_what_has_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
