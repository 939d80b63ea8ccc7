/* SPDX-License-Identifier: MIT
 *
 * Threads that work ahead: each task runs once, by whoever comes first; nobody waits for a task
 * that waits; and nothing runs after the end, of the workers or of the process.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/alloc.h"
#include "base/workers.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define TASKS 200

struct count {
    struct pgs_task task;
    _Atomic int runs;
};

static void count_run(struct pgs_task *task)
{
    atomic_fetch_add(&((struct count *)task)->runs, 1);
}

static void runs_each_task_once(void **state)
{
    (void)state;
    static const uint32_t threads[] = {0, 1, 3, PGS_WORKERS_MAX, 1000};
    for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
        struct count counts[TASKS] = {{{0}, 0}};
        struct pgs_workers *workers = pgs_workers_create(threads[i]);
        for (int k = 0; k < TASKS; k++) {
            counts[k].task.run = count_run;
            if (k % 3) /* the others are finished without an offer */
                pgs_workers_offer(workers, &counts[k].task);
        }
        for (int k = TASKS - 1; k >= 0; k--)
            pgs_workers_finish(workers, &counts[k].task);
        for (int k = 0; k < TASKS; k++) {
            pgs_workers_finish(workers, &counts[k].task);
            assert_false(pgs_workers_drop(workers, &counts[k].task));
            assert_int_equal(counts[k].runs, 1);
        }
        pgs_workers_destroy(workers);
    }
}

static void without_threads_nothing_runs_ahead(void **state)
{
    (void)state;
    struct count one = {.task.run = count_run}, two = {.task.run = count_run};
    struct pgs_workers *workers = pgs_workers_create(0);
    pgs_workers_offer(workers, &one.task);
    pgs_workers_offer(workers, &two.task);
    assert_int_equal(one.runs + two.runs, 0);
    pgs_workers_finish(workers, &one.task);
    assert_true(pgs_workers_drop(workers, &two.task));
    assert_true(one.runs == 1 && two.runs == 0);
    pgs_workers_destroy(workers);
}

/* Holds the only thread. */
struct blocker {
    struct pgs_task task;
    sem_t begun, go_on;
};

static void block(struct pgs_task *task)
{
    struct blocker *blocker = (struct blocker *)task;
    sem_post(&blocker->begun);
    sem_wait(&blocker->go_on);
}

static void begin_to_block_as(struct pgs_workers *workers, struct blocker *blocker,
                              enum pgs_task_rank rank)
{
    *blocker = (struct blocker){.task = {.run = block, .rank = rank}};
    sem_init(&blocker->begun, 0, 0);
    sem_init(&blocker->go_on, 0, 0);
    pgs_workers_offer(workers, &blocker->task);
    sem_wait(&blocker->begun);
}

static void begin_to_block(struct pgs_workers *workers, struct blocker *blocker)
{
    begin_to_block_as(workers, blocker, PGS_TASK_WANTED);
}

static void finishes_what_no_thread_has_begun(void **state)
{
    (void)state;
    struct blocker blocker;
    struct count one = {.task.run = count_run}, two = {.task.run = count_run},
                 three = {.task.run = count_run};
    struct pgs_workers *workers = pgs_workers_create(1);
    begin_to_block(workers, &blocker);
    pgs_workers_offer(workers, &one.task);
    pgs_workers_offer(workers, &two.task);
    pgs_workers_offer(workers, &three.task);
    pgs_workers_finish(workers, &two.task);
    assert_true(one.runs == 0 && two.runs == 1 && three.runs == 0);
    assert_true(pgs_workers_drop(workers, &three.task));
    sem_post(&blocker.go_on);
    assert_false(pgs_workers_drop(workers, &blocker.task)); /* waits */
    pgs_workers_finish(workers, &one.task);
    assert_true(one.runs == 1 && three.runs == 0);
    pgs_workers_destroy(workers);
}

struct place {
    struct pgs_task task;
    int place;
};

static _Atomic int next_place;

static void note_place(struct pgs_task *task)
{
    ((struct place *)task)->place = atomic_fetch_add(&next_place, 1);
}

/* One thread runs all, in its order. */
static void guesses_are_last(void **state)
{
    (void)state;
    enum { COUNT = 6 };
    static const enum pgs_task_rank ranks[COUNT] = {PGS_TASK_GUESS,  PGS_TASK_LIKELY,
                                                    PGS_TASK_GUESS,  PGS_TASK_LIKELY,
                                                    PGS_TASK_WANTED, PGS_TASK_WANTED};
    static const int expected[COUNT] = {4, 2, 5, 3, 0, 1};
    struct blocker blocker;
    struct place places[COUNT];
    struct pgs_workers *workers = pgs_workers_create(1);
    next_place = 0;
    begin_to_block(workers, &blocker);
    for (int i = 0; i < COUNT; i++) {
        places[i] = (struct place){.task = {.run = note_place, .rank = ranks[i]}, .place = -1};
        pgs_workers_offer(workers, &places[i].task);
    }
    pgs_workers_want(workers, &places[1].task); /* behind the other two */
    sem_post(&blocker.go_on);
    while (next_place < COUNT)
        usleep(100);
    for (int i = 0; i < COUNT; i++) {
        pgs_workers_finish(workers, &places[i].task);
        assert_int_equal(places[i].place, expected[i]);
    }
    pgs_workers_destroy(workers);
}

/* The second of three threads sleeps rather than guess, and works at what is wanted. */
static void one_thread_guesses(void **state)
{
    (void)state;
    struct blocker guess, waits;
    struct count other = {.task = {.run = count_run, .rank = PGS_TASK_GUESS}};
    struct pgs_workers *workers = pgs_workers_create(3);
    begin_to_block_as(workers, &guess, PGS_TASK_GUESS);
    pgs_workers_offer(workers, &other.task);
    begin_to_block(workers, &waits); /* a thread is left for it */
    usleep(1000);
    assert_int_equal(other.runs, 0);
    sem_post(&waits.go_on);
    pgs_workers_await(workers, &waits.task); /* does not guess meanwhile */
    assert_int_equal(other.runs, 0);
    sem_post(&guess.go_on);
    pgs_workers_finish(workers, &guess.task);
    pgs_workers_finish(workers, &other.task);
    assert_int_equal(other.runs, 1);
    pgs_workers_destroy(workers);
}

/* Half of the threads are left for what is wanted, and sleep rather than begin more that is likely
 * only, or guess. */
static void half_of_the_threads_are_free(void **state)
{
    (void)state;
    struct blocker likely[2], wanted[2];
    struct count third = {.task = {.run = count_run, .rank = PGS_TASK_LIKELY}},
                 guess = {.task = {.run = count_run, .rank = PGS_TASK_GUESS}};
    struct pgs_workers *workers = pgs_workers_create(4);
    for (int i = 0; i < 2; i++)
        begin_to_block_as(workers, &likely[i], PGS_TASK_LIKELY);
    pgs_workers_offer(workers, &third.task);
    pgs_workers_offer(workers, &guess.task);
    for (int i = 0; i < 2; i++)
        begin_to_block(workers, &wanted[i]);
    for (int i = 0; i < 2; i++) {
        sem_post(&wanted[i].go_on);
        pgs_workers_await(workers, &wanted[i].task);
    }
    usleep(1000);
    assert_int_equal(third.runs + guess.runs, 0);
    sem_post(&likely[0].go_on);
    while (third.runs + guess.runs < 2)
        usleep(100);
    sem_post(&likely[1].go_on);
    pgs_workers_finish(workers, &likely[1].task);
    pgs_workers_destroy(workers);
}

static bool is_set(const void *flag)
{
    return atomic_load((const _Atomic bool *)flag);
}

/* Sets a flag when it has waited. */
struct setter {
    struct blocker blocker;
    _Atomic bool is_set;
};

static void block_and_set(struct pgs_task *task)
{
    block(task);
    atomic_store(&((struct setter *)task)->is_set, true);
}

static void *let_go_later(void *blocker)
{
    usleep(1000);
    sem_post(&((struct blocker *)blocker)->go_on);
    return NULL;
}

/* Whichever is done first. */
static void waits_unless_another_does(void **state)
{
    (void)state;
    pthread_t thread;
    struct blocker blocker;
    struct setter other = {.is_set = false};
    struct count queued = {.task.run = count_run}, next = {.task.run = count_run};
    struct pgs_workers *workers = pgs_workers_create(2);
    begin_to_block(workers, &blocker);
    begin_to_block(workers, &other.blocker);
    pgs_workers_offer(workers, &queued.task);
    pgs_workers_await_unless(workers, &queued.task, is_set, &other.is_set); /* no thread is free */
    assert_int_equal(queued.runs, 0);
    assert_true(pgs_workers_drop(workers, &queued.task));
    sem_post(&other.blocker.go_on);
    pgs_workers_finish(workers, &other.blocker.task);

    other = (struct setter){.blocker.task.run = block_and_set};
    sem_init(&other.blocker.begun, 0, 0);
    sem_init(&other.blocker.go_on, 0, 0);
    pgs_workers_offer(workers, &other.blocker.task);
    sem_wait(&other.blocker.begun);
    assert_int_equal(pthread_create(&thread, NULL, let_go_later, &other.blocker), 0);
    pgs_workers_await_unless(workers, &blocker.task, is_set, &other.is_set);
    assert_true(other.is_set);
    assert_false(pgs_workers_are_done(workers, &blocker.task));
    pthread_join(thread, NULL);
    pgs_workers_finish(workers, &other.blocker.task);

    other.is_set = false;
    pgs_workers_offer(workers, &next.task); /* for which there is a thread */
    pgs_workers_await_unless(workers, &next.task, is_set, &other.is_set);
    pgs_workers_finish(workers, &next.task);
    assert_int_equal(next.runs, 1);
    assert_int_equal(pthread_create(&thread, NULL, let_go_later, &blocker), 0);
    pgs_workers_await_unless(workers, &blocker.task, is_set, &other.is_set);
    assert_true(pgs_workers_are_done(workers, &blocker.task));
    pthread_join(thread, NULL);
    pgs_workers_destroy(workers);
}

static void *end_workers(void *workers)
{
    pgs_workers_destroy(workers);
    return NULL;
}

static void the_end_waits_for_what_runs(void **state)
{
    (void)state;
    pthread_t thread;
    struct blocker blocker;
    struct count one = {.task.run = count_run};
    struct pgs_workers *workers = pgs_workers_create(1);
    begin_to_block(workers, &blocker);
    pgs_workers_offer(workers, &one.task);
    assert_int_equal(pthread_create(&thread, NULL, end_workers, workers), 0);
    usleep(1000); /* whichever comes first must be right */
    sem_post(&blocker.go_on);
    pthread_join(thread, NULL);
    assert_true(one.runs <= 1);
}

static struct pgs_workers *shared;

static void *finish_all(void *counts)
{
    for (int k = 0; k < TASKS; k++) {
        pgs_workers_finish(shared, &((struct count *)counts)[k].task);
        assert_int_equal(((struct count *)counts)[k].runs, 1);
    }
    return NULL;
}

static void many_threads_want_the_same(void **state)
{
    (void)state;
    pthread_t threads[4];
    struct count counts[TASKS] = {{{0}, 0}};
    shared = pgs_workers_create(2);
    for (int k = 0; k < TASKS; k++) {
        counts[k].task.run = count_run;
        pgs_workers_offer(shared, &counts[k].task);
    }
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, finish_all, counts), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    pgs_workers_destroy(shared);
}

static _Atomic int signals_taken;

static void take_signal(int number)
{
    (void)number;
    signals_taken++;
}

static void see_signals(struct pgs_task *task)
{
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    ((struct count *)task)->runs =
        1 + (sigismember(&blocked, SIGUSR1) && sigismember(&blocked, SIGTERM) &&
             !sigismember(&blocked, SIGSEGV) && !sigismember(&blocked, SIGSYS));
}

/* They are for the application's threads. */
static void threads_take_no_signals(void **state)
{
    (void)state;
    struct blocker blocker;
    struct count one = {.task.run = see_signals};
    signal(SIGUSR1, take_signal);
    struct pgs_workers *workers = pgs_workers_create(1);
    begin_to_block(workers, &blocker);
    pgs_workers_offer(workers, &one.task);
    sem_post(&blocker.go_on);
    while (!pgs_workers_drop(workers, &blocker.task) && !one.runs)
        usleep(100);
    assert_int_equal(one.runs, 2);
    kill(getpid(), SIGUSR1);
    assert_int_equal(signals_taken, 1);
    pgs_workers_destroy(workers);
}

/* -- the end of the process -- */

struct ends {
    _Atomic int begun, ended;
};

static struct ends *ends;

static void take_long(struct pgs_task *task)
{
    (void)task;
    ends->begun++;
    usleep(100000);
    ends->ended++;
}

static int status_of(pid_t child)
{
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

/* A driver is not torn down under a thread that compiles. */
static void exit_waits_for_what_runs(void **state)
{
    (void)state;
    static struct pgs_task task = {.run = take_long};
    ends = mmap(NULL, sizeof(*ends), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(ends != MAP_FAILED);
    const pid_t child = fork();
    if (child == 0) {
        pgs_workers_offer(pgs_workers_create(1), &task);
        while (!ends->begun)
            usleep(100);
        exit(0);
    }
    assert_int_equal(status_of(child), 0);
    assert_int_equal(ends->ended, 1);
    munmap(ends, sizeof(*ends));
}

/* A child process has none of the threads. */
static void children_can_exit(void **state)
{
    (void)state;
    struct blocker blocker;
    struct pgs_workers *workers = pgs_workers_create(1);
    begin_to_block(workers, &blocker);
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        exit(0);
    }
    assert_int_equal(status_of(child), 0);
    sem_post(&blocker.go_on);
    pgs_workers_destroy(workers);
}

static void survives_want_of_memory(void **state)
{
    (void)state;
    pgs_alloc_fail_after(1, true);
    assert_null(pgs_workers_create(1));
    pgs_alloc_fail_after(0, false);
    pgs_workers_destroy(NULL);
    assert_int_equal(pgs_alloc_live(), 0);
}

static void advises_more_threads_on_larger_machines(void **state)
{
    (void)state;
    static const uint32_t advised[][2] = {{0, 0}, {1, 0}, {2, 1},  {3, 2},  {4, 3},
                                          {6, 3}, {8, 4}, {12, 6}, {16, 8}, {256, 8}};
    for (size_t i = 0; i < sizeof(advised) / sizeof(advised[0]); i++)
        assert_int_equal(pgs_workers_for(advised[i][0]), advised[i][1]);
}

/* A container or taskset may leave a process one of many. */
static void counts_processors_of_the_process(void **state)
{
    (void)state;
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
    assert_int_equal(pgs_processors(), CPU_COUNT(&before));
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE && !CPU_COUNT(&one); i++)
        if (CPU_ISSET(i, &before))
            CPU_SET(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
    assert_int_equal(pgs_processors(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exit_waits_for_what_runs), /* first: it forks without threads */
        cmocka_unit_test(runs_each_task_once),
        cmocka_unit_test(without_threads_nothing_runs_ahead),
        cmocka_unit_test(finishes_what_no_thread_has_begun),
        cmocka_unit_test(guesses_are_last),
        cmocka_unit_test(one_thread_guesses),
        cmocka_unit_test(half_of_the_threads_are_free),
        cmocka_unit_test(waits_unless_another_does),
        cmocka_unit_test(the_end_waits_for_what_runs),
        cmocka_unit_test(many_threads_want_the_same),
        cmocka_unit_test(threads_take_no_signals),
        cmocka_unit_test(children_can_exit),
        cmocka_unit_test(survives_want_of_memory),
        cmocka_unit_test(advises_more_threads_on_larger_machines),
        cmocka_unit_test(counts_processors_of_the_process),
        cmocka_unit_test(exit_waits_for_what_runs), /* in the child of a process that had threads */
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
