/* SPDX-License-Identifier: MIT
 *
 * Where a device has its kept samplers (kept_samplers.h).
 */
#ifndef PGS_PIPELINE_KEPT_SAMPLER_TABLE_H
#define PGS_PIPELINE_KEPT_SAMPLER_TABLE_H

#include "base/map.h"

/* Zero-initialised but for the lock. */
struct pgs_kept_samplers {
    pthread_mutex_t lock; /* guards the table and what is in it */
    struct pgs_table of;  /* VkSampler -> struct pgs_kept_sampler */
};

#endif
