/* SPDX-License-Identifier: MIT
 *
 * Threads that work ahead. A task is offered to them, and whoever needs its result finishes it: if
 * no thread has begun it, the caller runs it. So nobody waits for a task that waits, and with no
 * threads at all everything still happens, in the order in which it is finished.
 *
 * Threads start when there is work, take no signals but those that they cause, and end in
 * pgs_workers_destroy, or when the process exits: before the drivers' own exit handlers run.
 */
#ifndef PGS_BASE_WORKERS_H
#define PGS_BASE_WORKERS_H

#include <stdbool.h>
#include <stdint.h>

struct pgs_workers;

/* What begins first. */
enum pgs_task_rank {
    PGS_TASK_WANTED = 0,
    /* It will be needed, but nobody waits yet: it begins when nothing that is wanted is queued, in
     * half of the threads, so that some are left for what is wanted meanwhile. */
    PGS_TASK_LIKELY,
    /* Maybe nobody will need it: it begins when nothing else is queued, in one of eight threads. */
    PGS_TASK_GUESS,
    PGS_TASK_RANKS
};

enum pgs_task_state { PGS_TASK_IDLE = 0, PGS_TASK_QUEUED, PGS_TASK_RUNNING, PGS_TASK_DONE };

/* A member of what it works on. Zero-initialised except for `run`. It must live until it is
 * finished or dropped. */
struct pgs_task {
    void (*run)(struct pgs_task *task);
    enum pgs_task_rank rank; /* those who wait for another task run only what is wanted */
    /* Private. */
    enum pgs_task_state state;
    struct pgs_task *next;
};

#define PGS_WORKERS_MAX 16

/* At most this many threads at a time; 0: none ever. NULL: out of memory or locks. */
struct pgs_workers *pgs_workers_create(uint32_t max_threads);

/* Waits for tasks that run, and drops those that do not. workers may be NULL. */
void pgs_workers_destroy(struct pgs_workers *workers);

/* Offers a task, once. Thread-safe. */
void pgs_workers_offer(struct pgs_workers *workers, struct pgs_task *task);

/* A task that is queued is wanted after all. Thread-safe. */
void pgs_workers_want(struct pgs_workers *workers, struct pgs_task *task);

/* Returns when the task has run, whether it was offered or not. Thread-safe, also for one task. */
void pgs_workers_finish(struct pgs_workers *workers, struct pgs_task *task);

/* If a thread runs the task, runs others until it is done. Thread-safe. */
void pgs_workers_await(struct pgs_workers *workers, struct pgs_task *task);

/* The same, unless `is_there` says that the caller has what it needs: it is asked at first, and
 * when a task is done, and must not use the workers. Unlike there, waits also for a wanted task
 * that is queued if a thread is free for it. Thread-safe. */
void pgs_workers_await_unless(struct pgs_workers *workers, struct pgs_task *task,
                              bool (*is_there)(const void *context), const void *context);

/* True if the task has run. Thread-safe. */
bool pgs_workers_are_done(struct pgs_workers *workers, const struct pgs_task *task);

/* Takes a task back. False: it has run. Otherwise it never will. Thread-safe. */
bool pgs_workers_drop(struct pgs_workers *workers, struct pgs_task *task);

/* How many threads are advised on a machine with so many processors. */
uint32_t pgs_workers_for(uint32_t processors);

/* Processors that the process may use; at least 1. */
uint32_t pgs_processors(void);

#endif
