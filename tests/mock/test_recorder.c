/* SPDX-License-Identifier: MIT
 *
 * What threads remember of command buffers: gone at once, in every thread, when a command buffer
 * dies or gets a queue.
 */
#include "vulkan/recorder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <semaphore.h>

static int objects[2];
#define CMD ((VkCommandBuffer)(void *)&objects[0])
#define OTHER ((VkCommandBuffer)(void *)&objects[1])

static const struct pgs_device_dispatch driver;
static struct pgs_recorder recorder, second;
static struct pgs_queue *const queue = (struct pgs_queue *)(void *)&objects;

/* A thread that does one thing after the other when it is told to. */
struct worker {
    pthread_t thread;
    sem_t go, done;
    void (*step)(struct worker *); /* NULL: end */
    struct pgs_recorder *found, *direct;
};

static void *work(void *context)
{
    struct worker *w = context;
    for (;;) {
        sem_wait(&w->go);
        if (!w->step)
            return NULL;
        w->step(w);
        sem_post(&w->done);
    }
}

static void start(struct worker *w)
{
    *w = (struct worker){0};
    assert_int_equal(sem_init(&w->go, 0, 0), 0);
    assert_int_equal(sem_init(&w->done, 0, 0), 0);
    assert_int_equal(pthread_create(&w->thread, NULL, work, w), 0);
}

static void tell(struct worker *w, void (*step)(struct worker *))
{
    w->step = step;
    sem_post(&w->go);
    if (step)
        sem_wait(&w->done);
    else
        pthread_join(w->thread, NULL);
}

static void find(struct worker *w)
{
    w->found = pgs_recorder_find(CMD);
}

static void look(struct worker *w)
{
    w->direct = pgs_recorder_direct(CMD);
}

static void find_other(struct worker *w)
{
    w->found = pgs_recorder_find(OTHER);
}

static void go_direct(struct worker *w)
{
    w->found = pgs_recorder_find(CMD);
    pgs_recorder_go_direct(w->found, CMD);
}

static int setup(void **context)
{
    (void)context;
    recorder = second = (struct pgs_recorder){.vk = &driver};
    return pgs_recorder_register(CMD, &recorder) && pgs_recorder_register(OTHER, &second) ? 0 : -1;
}

static int teardown(void **context)
{
    (void)context;
    pgs_recorder_unregister(CMD);
    pgs_recorder_unregister(OTHER);
    return 0;
}

static void direct_is_who_said_so(void **context)
{
    struct worker w;
    (void)context;
    start(&w);
    tell(&w, find);
    tell(&w, look);
    assert_ptr_equal(w.found, &recorder);
    assert_null(w.direct);
    tell(&w, go_direct);
    tell(&w, look);
    assert_ptr_equal(w.direct, &recorder);
    assert_null(pgs_recorder_direct(CMD)); /* this thread did not */
    tell(&w, find_other);
    tell(&w, look);
    assert_null(w.direct);
    tell(&w, NULL);
}

static void a_queue_ends_the_direct_way_everywhere(void **context)
{
    struct worker a, b;
    (void)context;
    start(&a);
    start(&b);
    tell(&a, go_direct);
    tell(&b, go_direct);
    pgs_recorder_start_queue(pgs_recorder_find(CMD), CMD, queue);
    tell(&a, look);
    tell(&b, look);
    assert_null(a.direct);
    assert_null(b.direct);
    tell(&a, find);
    assert_ptr_equal(a.found->queue, queue);
    /* And again, when the pass is over. */
    recorder.queue = NULL;
    tell(&b, go_direct);
    tell(&b, look);
    assert_ptr_equal(b.direct, &recorder);
    pgs_recorder_start_queue(&recorder, CMD, queue);
    tell(&b, look);
    assert_null(b.direct);
    tell(&a, NULL);
    tell(&b, NULL);
}

static void the_dead_are_forgotten(void **context)
{
    static struct pgs_recorder heir = {.vk = &driver};
    struct worker a;
    (void)context;
    start(&a);
    tell(&a, go_direct);
    assert_ptr_equal(pgs_recorder_find(CMD), &recorder);
    pgs_recorder_unregister(CMD);
    assert_null(pgs_recorder_find(CMD));
    tell(&a, look);
    tell(&a, find);
    assert_null(a.direct);
    assert_null(a.found);
    /* The driver may give out the handle again. */
    assert_true(pgs_recorder_register(CMD, &heir));
    tell(&a, find);
    assert_ptr_equal(a.found, &heir);
    assert_ptr_equal(pgs_recorder_find(CMD), &heir);
    tell(&a, look);
    assert_null(a.direct);
    tell(&a, NULL);
}

/* Nothing of a thread that has ended is touched: its memory may be gone. */
static void threads_come_and_go(void **context)
{
    struct worker workers[5];
    (void)context;
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 5; i++) {
            start(&workers[i]);
            tell(&workers[i], go_direct);
        }
        for (int i = 0; i < 5; i++) { /* from the middle of the list, its end and its beginning */
            tell(&workers[(i * 2 + 2) % 5], NULL);
            pgs_recorder_start_queue(&recorder, CMD, NULL);
            for (int k = i + 1; k < 5; k++) {
                struct worker *w = &workers[(k * 2 + 2) % 5];
                tell(w, look);
                assert_null(w->direct);
                tell(w, go_direct);
            }
        }
    }
}

static struct worker late;
static pthread_key_t late_key;

/* Runs after the layer has closed the memory of the thread: keys come in the order in which they
 * were made. */
static void find_late(void *context)
{
    (void)context;
    go_direct(&late);
    look(&late);
}

static void set_late_key(struct worker *w)
{
    go_direct(w);
    assert_int_equal(pthread_setspecific(late_key, w), 0);
}

static void an_ending_thread_remembers_nothing(void **context)
{
    (void)context;
    assert_int_equal(pthread_key_create(&late_key, find_late), 0);
    start(&late);
    tell(&late, set_late_key);
    late.found = NULL;
    tell(&late, NULL);
    assert_ptr_equal(late.found, &recorder);
    assert_null(late.direct);
    pthread_key_delete(late_key);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(direct_is_who_said_so, setup, teardown),
        cmocka_unit_test_setup_teardown(a_queue_ends_the_direct_way_everywhere, setup, teardown),
        cmocka_unit_test_setup_teardown(the_dead_are_forgotten, setup, teardown),
        cmocka_unit_test_setup_teardown(threads_come_and_go, setup, teardown),
        cmocka_unit_test_setup_teardown(an_ending_thread_remembers_nothing, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
