/* SPDX-License-Identifier: MIT
 *
 * Where a device has its kept samplers (kept_samplers.h).
 */
#ifndef PGS_PIPELINE_KEPT_SAMPLER_TABLE_H
#define PGS_PIPELINE_KEPT_SAMPLER_TABLE_H

#include "base/array.h"
#include "base/map.h"

#include <vulkan/vulkan.h>

/* One for each time that the driver has made such a sampler. */
struct pgs_conversion_use {
    VkSampler sampler;
    VkSamplerYcbcrConversion conversion;
    uint32_t destroyed; /* so often by the application; one use of a conversion counts it */
};

/* Zero-initialised but for the lock. */
struct pgs_kept_samplers {
    pthread_mutex_t lock; /* guards the table, the array and what is in them */
    struct pgs_table of;  /* VkSampler -> struct pgs_kept_sampler */
    PGS_ARRAY(struct pgs_conversion_use) conversions;
};

#endif
