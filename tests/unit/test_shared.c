/* SPDX-License-Identifier: MIT
 *
 * The table of shared objects: each is made once, by one thread, and ended once; none is mistaken
 * for another; those that nobody uses are few.
 */
#include "base/alloc.h"
#include "base/hash.h"
#include "pipeline/shared.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Objects that are counted. */
struct number {
    struct pgs_shared shared;
    struct pgs_shared *inner; /* a reference, or NULL */
};

static struct {
    _Atomic int made, ended, failures; /* failures: to come */
    pthread_mutex_t *held;             /* makes wait for it */
    _Atomic int waiting;
} counts;

static VkResult make_number(struct pgs_device *dev, struct pgs_shared *object, void *context)
{
    assert_null(dev);
    assert_null(context);
    (void)object;
    if (counts.held) {
        counts.waiting++;
        pthread_mutex_lock(counts.held);
        pthread_mutex_unlock(counts.held);
    }
    if (counts.failures) {
        counts.failures--;
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    counts.made++;
    return VK_SUCCESS;
}

static void finish_number(struct pgs_device *dev, struct pgs_shared *object)
{
    assert_null(dev);
    counts.ended++;
    pgs_shared_release(((struct number *)object)->inner);
}

static const struct pgs_shared_kind plain = {sizeof(struct number), make_number, finish_number};
static const struct pgs_shared_kind other = {sizeof(struct number), make_number, finish_number};

static struct pgs_shared_table table;

static int set_up(void **state)
{
    (void)state;
    memset(&counts, 0, sizeof(counts));
    return pgs_shared_table_init(&table, NULL) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    pgs_shared_table_finish(&table);
    assert_int_equal(counts.made, counts.ended);
    assert_int_equal(pgs_alloc_live(), 0);
    return 0;
}

static struct pgs_shared *get_by(const struct pgs_shared_kind *kind, struct pgs_shared_key key)
{
    struct pgs_shared *object;
    assert_int_equal(pgs_shared_get(&table, kind, key, NULL, &object), VK_SUCCESS);
    return object;
}

static struct pgs_shared *get(const struct pgs_shared_kind *kind, uint32_t key)
{
    return get_by(kind, (struct pgs_shared_key){.bytes = &key, .size_B = sizeof(key)});
}

static void finds_what_was_made(void **state)
{
    (void)state;
    struct pgs_shared *one = get(&plain, 1), *two = get(&plain, 2);
    assert_ptr_not_equal(one, two);
    assert_ptr_equal(get(&plain, 1), one);
    assert_int_equal(counts.made, 2);
    pgs_shared_release(one);
    pgs_shared_release(one);
    pgs_shared_release(two);
    assert_ptr_equal(get(&plain, 1), one); /* though nobody used it */
    assert_int_equal(counts.made, 2);
    pgs_shared_release(one);
    pgs_shared_release(NULL);
}

/* Other kinds, other lengths, and other bytes of which the key has the same hash. */
static void mistakes_nothing_for_another(void **state)
{
    const uint32_t key[2] = {1, 0};
    uint32_t large[3] = {7, 8, 7};
    (void)state;
    struct pgs_shared *objects[5] = {
        get(&plain, 1),
        get(&other, 1),
        get_by(&plain, (struct pgs_shared_key){key, 8, NULL, 0}),
        get_by(&plain, (struct pgs_shared_key){key, 4, &large[0], 4}),
        get_by(&plain, (struct pgs_shared_key){key, 4, &large[1], 4}),
    };
    assert_int_equal(objects[0]->hash, objects[4]->hash); /* one chain */
    assert_int_equal(counts.made, 5);
    assert_ptr_equal(get_by(&plain, (struct pgs_shared_key){key, 4, &large[2], 4}), objects[3]);
    pgs_shared_release(objects[3]);
    table.unused_limit = 0;
    for (int i = 4; i >= 0; i -= 2) /* from the middle of the chain, too */
        pgs_shared_release(objects[i]);
    pgs_shared_release(objects[3]);
    pgs_shared_release(objects[1]);
    assert_int_equal(counts.ended, 5);
    assert_int_equal(table.objects.count, 0);
}

static void keeps_the_newest_unused(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < PGS_SHARED_UNUSED + 10; i++)
        pgs_shared_release(get(&plain, i));
    assert_int_equal(counts.ended, 10);
    for (uint32_t i = 10; i < PGS_SHARED_UNUSED + 10; i++)
        pgs_shared_release(get(&plain, i));
    assert_int_equal(counts.made, PGS_SHARED_UNUSED + 10);
    pgs_shared_release(get(&plain, 9));
    assert_int_equal(counts.made, PGS_SHARED_UNUSED + 11);
    assert_int_equal(table.unused_count, PGS_SHARED_UNUSED);
}

static void ends_what_an_object_refers_to(void **state)
{
    (void)state;
    struct number *outer = (struct number *)get(&plain, 1);
    outer->inner = get(&plain, 2);
    struct pgs_shared *again = pgs_shared_acquire(outer->inner);
    pgs_shared_release(again);
    table.unused_limit = 0;
    assert_int_equal(counts.ended, 0);
    pgs_shared_release(&outer->shared);
    assert_int_equal(counts.ended, 2);
}

static void failures_leave_nothing(void **state)
{
    uint32_t key = 1;
    const struct pgs_shared_key of = {&key, sizeof(key), NULL, 0};
    struct pgs_shared *object;
    (void)state;
    counts.failures = 1;
    assert_int_equal(pgs_shared_get(&table, &plain, of, NULL, &object),
                     VK_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_null(object);
    assert_int_equal(table.objects.count, 0);
    for (int n = 1; n <= 2; n++) { /* the object, and its place in the table */
        pgs_shared_table_finish(&table);
        assert_true(pgs_shared_table_init(&table, NULL));
        pgs_alloc_fail_after(n, false);
        assert_int_equal(pgs_shared_get(&table, &plain, of, NULL, &object),
                         VK_ERROR_OUT_OF_HOST_MEMORY);
        assert_null(object);
        pgs_alloc_fail_after(0, false);
    }
    pgs_shared_release(get(&plain, 1));
    assert_int_equal(counts.made, 1);
}

static enum pgs_shared_state look_up(uint32_t key, struct pgs_shared **made)
{
    return pgs_shared_look_up(&table, &plain,
                              (struct pgs_shared_key){.bytes = &key, .size_B = sizeof(key)}, made);
}

static void *get_seven(void *unused)
{
    (void)unused;
    return get(&plain, 7);
}

/* Looking up makes nothing and waits for nobody. */
static void tells_how_far_it_is(void **state)
{
    pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
    struct pgs_shared *found = (struct pgs_shared *)&held;
    pthread_t thread;
    void *made;
    (void)state;
    assert_int_equal(look_up(7, &found), PGS_SHARED_FAILED);
    assert_null(found);
    counts.held = &held;
    pthread_mutex_lock(&held);
    assert_int_equal(pthread_create(&thread, NULL, get_seven, NULL), 0);
    while (!counts.waiting)
        sched_yield();
    found = (struct pgs_shared *)&held;
    assert_int_equal(look_up(7, &found), PGS_SHARED_MAKING);
    assert_null(found);
    pthread_mutex_unlock(&held);
    pthread_join(thread, &made);
    counts.held = NULL;
    assert_int_equal(look_up(7, NULL), PGS_SHARED_MADE);
    assert_int_equal(look_up(7, &found), PGS_SHARED_MADE);
    assert_ptr_equal(found, made);
    table.unused_limit = 0;
    pgs_shared_release(made);
    assert_int_equal(counts.ended, 0); /* there is the other reference */
    pgs_shared_release(found);
    assert_int_equal(counts.ended, 1);
    assert_int_equal(look_up(7, NULL), PGS_SHARED_FAILED);
}

enum { THREADS = 4 };

static void run_threads(void *(*body)(void *), void *results[THREADS], pthread_mutex_t *held)
{
    pthread_t threads[THREADS];
    counts.held = held;
    pthread_mutex_lock(held);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, body, NULL), 0);
    while (!counts.waiting) /* one makes it; the others come while it does, or later */
        sched_yield();
    pthread_mutex_unlock(held);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], &results[i]);
    counts.held = NULL;
}

static void threads_make_it_once(void **state)
{
    pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
    void *got[THREADS];
    (void)state;
    run_threads(get_seven, got, &held);
    assert_int_equal(counts.made, 1);
    for (int i = 0; i < THREADS; i++) {
        assert_ptr_equal(got[i], got[0]);
        pgs_shared_release(got[i]);
    }
}

static void *try_seven(void *unused)
{
    const uint32_t key = 7;
    struct pgs_shared *object;
    (void)unused;
    pgs_shared_get(&table, &plain, (struct pgs_shared_key){&key, sizeof(key), NULL, 0}, NULL,
                   &object);
    return object;
}

/* The failure is of the thread that made it; one of those who waited makes it. */
static void a_failure_is_nobody_elses(void **state)
{
    pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
    void *got[THREADS];
    int missing = 0;
    (void)state;
    counts.failures = 1;
    run_threads(try_seven, got, &held);
    for (int i = 0; i < THREADS; i++) {
        missing += got[i] == NULL;
        pgs_shared_release(got[i]);
    }
    assert_int_equal(missing, 1);
    assert_int_equal(counts.made, 1);
}

static void *live_at_random(void *unused)
{
    uint32_t random = (uint32_t)(uintptr_t)&unused;
    for (int i = 0; i < 5000; i++) {
        random = random * 1664525u + 1013904223u;
        struct pgs_shared *object = get(&plain, (random >> 16) % 16);
        pgs_shared_release(pgs_shared_acquire(object));
        pgs_shared_release(object);
    }
    return NULL;
}

static void survives_a_random_life(void **state)
{
    pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
    void *got[THREADS];
    (void)state;
    table.unused_limit = 4;
    run_threads(live_at_random, got, &held);
    assert_int_equal(counts.made - counts.ended, 4);
}

static void a_changed_bit_changes_the_hash(void **state)
{
    unsigned char bytes[40] = {0};
    uint64_t seen[41 * 8];
    int count = 0;
    (void)state;
    for (size_t size_B = 0; size_B <= sizeof(bytes); size_B++)
        seen[count++] = pgs_hash(bytes, size_B, 0);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            assert_true(seen[i] != seen[k]);
    for (size_t size_B = 1; size_B <= sizeof(bytes); size_B++) {
        const uint64_t before = pgs_hash(bytes, size_B, 0);
        for (size_t bit = 0; bit < size_B * 8; bit++) {
            bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
            assert_true(pgs_hash(bytes, size_B, 0) != before);
            bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        }
        assert_true(pgs_hash(bytes, size_B, 1) != before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(finds_what_was_made, set_up, tear_down),
        cmocka_unit_test_setup_teardown(mistakes_nothing_for_another, set_up, tear_down),
        cmocka_unit_test_setup_teardown(keeps_the_newest_unused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ends_what_an_object_refers_to, set_up, tear_down),
        cmocka_unit_test_setup_teardown(failures_leave_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tells_how_far_it_is, set_up, tear_down),
        cmocka_unit_test_setup_teardown(threads_make_it_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_failure_is_nobody_elses, set_up, tear_down),
        cmocka_unit_test_setup_teardown(survives_a_random_life, set_up, tear_down),
        cmocka_unit_test(a_changed_bit_changes_the_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
