/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/workers.h"

#include "base/alloc.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Drivers' compilers recurse deeply; bionic's default is 1 MiB. */
#define STACK_B ((size_t)8 << 20)

struct queue {
    struct pgs_task *first, *last;
    uint32_t count;
};

struct pgs_workers {
    struct pgs_workers *next; /* in `all` */
    pid_t process;            /* whose threads these are; a child has none of them */
    pthread_mutex_t lock;     /* guards the rest, and the private members of all tasks */
    pthread_cond_t offered;   /* or stopping */
    pthread_cond_t done;
    struct queue queues[PGS_TASK_RANKS];
    uint32_t idle_count, thread_count, max_threads;
    uint32_t working_count[PGS_TASK_RANKS]; /* threads at tasks of these ranks */
    bool stopping;
    pthread_t threads[PGS_WORKERS_MAX];
};

/* Held before the lock of one. */
static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static struct pgs_workers *all;
static pthread_once_t exit_once = PTHREAD_ONCE_INIT;
static bool exit_is_watched;
/* The last process that started a thread. A child of it has none to stop, and maybe the lock held.
 */
static _Atomic pid_t last_process;

/* -- the queue, under the lock -- */

static void push(struct pgs_workers *w, struct pgs_task *task)
{
    struct queue *queue = &w->queues[task->rank];
    task->state = PGS_TASK_QUEUED;
    task->next = NULL;
    *(queue->last ? &queue->last->next : &queue->first) = task;
    queue->last = task;
    queue->count++;
}

static void unlink_task(struct pgs_workers *w, struct pgs_task *task)
{
    struct queue *queue = &w->queues[task->rank];
    struct pgs_task *before = NULL;
    for (struct pgs_task *at = queue->first; at != task; at = at->next)
        before = at;
    *(before ? &before->next : &queue->first) = task->next;
    if (queue->last == task)
        queue->last = before;
    queue->count--;
}

/* How many threads may work at tasks of this rank and of those behind it: one may take long, and
 * tasks that are wanted may be offered meanwhile. */
static uint32_t most_threads(const struct pgs_workers *w, int rank)
{
    static const uint32_t shares[PGS_TASK_RANKS] = {1, 2, 8};
    const uint32_t threads = w->max_threads / shares[rank];
    return threads ? threads : 1;
}

/* What a thread does next; NULL: it sleeps. */
static struct pgs_task *next_task(const struct pgs_workers *w)
{
    int rank = 0;
    uint32_t working = 0;
    while (rank < PGS_TASK_RANKS - 1 && !w->queues[rank].first)
        rank++;
    for (int behind = rank; behind < PGS_TASK_RANKS; behind++)
        working += w->working_count[behind];
    return working < most_threads(w, rank) ? w->queues[rank].first : NULL;
}

static uint32_t queued_count(const struct pgs_workers *w)
{
    uint32_t count = 0;
    for (int rank = 0; rank < PGS_TASK_RANKS; rank++)
        count += w->queues[rank].count;
    return count;
}

/* Takes the task out of the queue, runs it without the lock, and tells who waits. */
static void run(struct pgs_workers *w, struct pgs_task *task)
{
    if (task->state == PGS_TASK_QUEUED)
        unlink_task(w, task);
    task->state = PGS_TASK_RUNNING;
    pthread_mutex_unlock(&w->lock);
    task->run(task);
    pthread_mutex_lock(&w->lock);
    task->state = PGS_TASK_DONE;
    pthread_cond_broadcast(&w->done);
}

/* -- threads -- */

static void *work(void *context)
{
    struct pgs_workers *w = context;
    prctl(PR_SET_NAME, "poly_gs", 0, 0, 0);
    pthread_mutex_lock(&w->lock);
    while (!w->stopping) {
        struct pgs_task *task = next_task(w);
        if (task) {
            const enum pgs_task_rank rank = task->rank; /* it may be gone when it has run */
            w->working_count[rank]++;
            run(w, task);
            w->working_count[rank]--;
            continue;
        }
        w->idle_count++;
        pthread_cond_wait(&w->offered, &w->lock);
        w->idle_count--;
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* Signals are for the application's threads, except those that the thread itself causes: crash
 * handlers and sandboxes (SIGSYS) want them. */
static void block_signals(sigset_t *blocked)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    sigfillset(blocked);
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
        sigdelset(blocked, own[i]);
}

static bool create_thread(struct pgs_workers *w, pthread_t *thread)
{
    pthread_attr_t attributes;
    sigset_t blocked, before;
    if (pthread_attr_init(&attributes))
        return false;
    pthread_attr_setstacksize(&attributes, STACK_B);
    block_signals(&blocked);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    const bool created = pthread_create(thread, &attributes, work, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return created;
}

static void stop(struct pgs_workers *w)
{
    pthread_mutex_lock(&w->lock);
    const uint32_t count = w->thread_count;
    w->stopping = true;
    pthread_cond_broadcast(&w->offered);
    pthread_mutex_unlock(&w->lock);
    for (uint32_t i = 0; i < count; i++)
        pthread_join(w->threads[i], NULL);
    pthread_mutex_lock(&w->lock);
    w->thread_count = 0;
    pthread_mutex_unlock(&w->lock);
}

/* A program may exit without vkDestroyDevice. A driver that is torn down while it compiles for us
 * would crash then. */
static void stop_all(void)
{
    if (atomic_load(&last_process) != getpid())
        return;
    pthread_mutex_lock(&all_lock);
    for (struct pgs_workers *w = all; w; w = w->next) {
        if (w->process == getpid())
            stop(w);
    }
    pthread_mutex_unlock(&all_lock);
}

/* After the drivers were loaded, as exit handlers run in reverse order. */
static void watch_exit(void)
{
    exit_is_watched = atexit(stop_all) == 0;
}

/* Under the lock. Without another thread, tasks are only done later. */
static void start_thread(struct pgs_workers *w)
{
    if (queued_count(w) <= w->idle_count || w->thread_count >= w->max_threads)
        return;
    pthread_once(&exit_once, watch_exit);
    atomic_store(&last_process, w->process);
    if (exit_is_watched && create_thread(w, &w->threads[w->thread_count]))
        w->thread_count++;
    else
        w->max_threads = w->thread_count;
}

/* -- life -- */

struct pgs_workers *pgs_workers_create(uint32_t max_threads)
{
    struct pgs_workers *w = pgs_calloc(1, sizeof(*w));
    if (!w)
        return NULL;
    w->max_threads = max_threads < PGS_WORKERS_MAX ? max_threads : PGS_WORKERS_MAX;
    w->process = getpid();
    if (pthread_mutex_init(&w->lock, NULL))
        goto fail_lock;
    if (pthread_cond_init(&w->offered, NULL))
        goto fail_offered;
    if (pthread_cond_init(&w->done, NULL))
        goto fail_done;
    pthread_mutex_lock(&all_lock);
    w->next = all;
    all = w;
    pthread_mutex_unlock(&all_lock);
    return w;
fail_done:
    pthread_cond_destroy(&w->offered);
fail_offered:
    pthread_mutex_destroy(&w->lock);
fail_lock:
    pgs_free(w);
    return NULL;
}

void pgs_workers_destroy(struct pgs_workers *workers)
{
    if (!workers)
        return;
    pthread_mutex_lock(&all_lock);
    struct pgs_workers **link = &all;
    while (*link != workers)
        link = &(*link)->next;
    *link = workers->next;
    pthread_mutex_unlock(&all_lock);
    if (workers->process == getpid())
        stop(workers);
    pthread_cond_destroy(&workers->done);
    pthread_cond_destroy(&workers->offered);
    pthread_mutex_destroy(&workers->lock);
    pgs_free(workers);
}

void pgs_workers_offer(struct pgs_workers *workers, struct pgs_task *task)
{
    pthread_mutex_lock(&workers->lock);
    if (workers->max_threads && !workers->stopping && task->state == PGS_TASK_IDLE) {
        push(workers, task);
        start_thread(workers);
        pthread_cond_signal(&workers->offered);
    }
    pthread_mutex_unlock(&workers->lock);
}

void pgs_workers_want(struct pgs_workers *workers, struct pgs_task *task)
{
    pthread_mutex_lock(&workers->lock);
    if (task->rank != PGS_TASK_WANTED && task->state == PGS_TASK_QUEUED) {
        unlink_task(workers, task);
        task->rank = PGS_TASK_WANTED;
        push(workers, task);
        pthread_cond_signal(&workers->offered);
    }
    pthread_mutex_unlock(&workers->lock);
}

void pgs_workers_finish(struct pgs_workers *workers, struct pgs_task *task)
{
    pthread_mutex_lock(&workers->lock);
    if (task->state == PGS_TASK_IDLE || task->state == PGS_TASK_QUEUED)
        run(workers, task);
    while (task->state != PGS_TASK_DONE)
        pthread_cond_wait(&workers->done, &workers->lock);
    pthread_mutex_unlock(&workers->lock);
}

void pgs_workers_await(struct pgs_workers *workers, struct pgs_task *task)
{
    pthread_mutex_lock(&workers->lock);
    while (task->state == PGS_TASK_RUNNING) {
        if (workers->queues[PGS_TASK_WANTED].first)
            run(workers, workers->queues[PGS_TASK_WANTED].first);
        else
            pthread_cond_wait(&workers->done, &workers->lock);
    }
    pthread_mutex_unlock(&workers->lock);
}

void pgs_workers_await_unless(struct pgs_workers *workers, struct pgs_task *task,
                              bool (*is_there)(const void *context), const void *context)
{
    const struct queue *wanted = &workers->queues[PGS_TASK_WANTED];
    pthread_mutex_lock(&workers->lock);
    while (!is_there(context)) {
        const bool is_free = wanted->count <= workers->idle_count; /* for all that is queued */
        const bool begins =
            task->state == PGS_TASK_QUEUED && task->rank == PGS_TASK_WANTED && is_free;
        if (task->state != PGS_TASK_RUNNING && !begins)
            break;
        if (is_free)
            pthread_cond_wait(&workers->done, &workers->lock);
        else
            run(workers, wanted->first);
    }
    pthread_mutex_unlock(&workers->lock);
}

bool pgs_workers_are_done(struct pgs_workers *workers, const struct pgs_task *task)
{
    pthread_mutex_lock(&workers->lock);
    const bool is_done = task->state == PGS_TASK_DONE;
    pthread_mutex_unlock(&workers->lock);
    return is_done;
}

bool pgs_workers_drop(struct pgs_workers *workers, struct pgs_task *task)
{
    pthread_mutex_lock(&workers->lock);
    if (task->state == PGS_TASK_QUEUED)
        unlink_task(workers, task);
    const bool dropped = task->state == PGS_TASK_IDLE || task->state == PGS_TASK_QUEUED;
    while (!dropped && task->state != PGS_TASK_DONE)
        pthread_cond_wait(&workers->done, &workers->lock);
    if (dropped)
        task->state = PGS_TASK_IDLE;
    pthread_mutex_unlock(&workers->lock);
    return dropped;
}

/* -- how many -- */

/* On small machines all but one. Of eight cores of a phone four are small; on sixteen of a server
 * a first frame took 2.1 to 2.8 times the native with three threads, 1.9 with six and 1.3 with ten.
 */
#define MOST_OF_FEW 3
#define MOST 8

uint32_t pgs_workers_for(uint32_t processors)
{
    const uint32_t others = processors ? processors - 1 : 0;
    const uint32_t few = others < MOST_OF_FEW ? others : MOST_OF_FEW;
    const uint32_t half = processors / 2 < MOST ? processors / 2 : MOST;
    return few > half ? few : half;
}

uint32_t pgs_processors(void)
{
    cpu_set_t usable;
    if (sched_getaffinity(0, sizeof(usable), &usable) == 0)
        return (uint32_t)CPU_COUNT(&usable);
    const long online = sysconf(_SC_NPROCESSORS_ONLN); /* more than a set has room for */
    return online > 0 ? (uint32_t)online : 1;
}
