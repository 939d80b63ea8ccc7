/* SPDX-License-Identifier: MIT
 *
 * What a pipeline leaves to be compiled behind its creation (ahead.h). Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_AHEAD_TASK_H
#define PGS_PIPELINE_AHEAD_TASK_H

#include "base/workers.h"
#include "vulkan/device.h"

#include <pthread.h>
#include <stdatomic.h>

struct pgs_emulated_pipeline;
struct pgs_library_part;
struct pgs_pipeline_source;

/* Of one pipeline. */
struct pgs_ahead {
    struct pgs_task task;
    struct pgs_emulated_pipeline *pipeline;
    uint32_t mask; /* of variants; 0: there is nothing to do */
    /* Those that are wanted after some have turned out not to be available; NULL: draws choose. */
    uint32_t (*rest)(const struct pgs_pipeline_source *source);
    /* The application's, through which they are compiled. The pipeline is then in the list of the
     * device until the cache or the pipeline is destroyed. */
    VkPipelineCache cache;
    struct pgs_ahead *next, **link; /* in the list; link: what points to this one, or NULL */
    uint64_t number;                /* in the order in which they came into the list */
    uint32_t settling_count;        /* threads that finish the task for the cache; under the lock */
};

/* Variants that draws of a pipeline do without until they are there (stored_ahead.h). */
struct pgs_stored_ahead {
    struct pgs_task task;
    _Atomic bool is_begun;
    const struct pgs_emulated_pipeline *pipeline;
    uint32_t mask; /* of variants */
};

/* What later links of the same library take for inline draws (front_ahead.h). */
struct pgs_front_ahead {
    struct pgs_task task;
    struct pgs_pipeline_source *source; /* NULL: it is not begun */
    struct pgs_library_part *part;      /* a reference; NULL: there is nothing to do */
    bool is_counted;                    /* among the links of the part */
};

/* Of a device: those with a cache of the application. */
struct pgs_ahead_list {
    pthread_mutex_t lock;
    pthread_cond_t settled; /* a settling_count has become 0 */
    struct pgs_ahead *first;
    uint64_t added;
};

#endif
