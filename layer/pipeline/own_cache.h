/* SPDX-License-Identifier: MIT
 *
 * The layer's own VkPipelineCache. Internal to pipeline/.
 *
 * The application may destroy its cache when vkCreate*Pipelines has returned, and may demand that
 * nobody uses it besides. What is compiled later, or for an application without a cache, goes
 * through the layer's: pipelines with different state share what the driver compiled of their equal
 * shaders.
 */
#ifndef PGS_PIPELINE_OWN_CACHE_H
#define PGS_PIPELINE_OWN_CACHE_H

#include "vulkan/device.h"

#include <pthread.h>

/* The cache is replaced when it did not have this many pipelines, which bounds its memory. */
#define PGS_OWN_CACHE_PIPELINES 256

struct pgs_own_cache {
    pthread_mutex_t lock; /* guards the rest */
    VkPipelineCache handle;
    uint32_t pipelines; /* that were compiled with it, and not found in it */
    uint32_t users;     /* threads that compile with it now */
    bool failed;        /* the driver had no memory for one; none is tried again */
};

/* False: the system has no more locks. */
bool pgs_own_cache_init(struct pgs_own_cache *own);
void pgs_own_cache_finish(const struct pgs_device *dev, struct pgs_own_cache *own);

/* The cache for one pipeline, until pgs_own_cache_end; VK_NULL_HANDLE: the driver had no memory for
 * one. Thread-safe. */
VkPipelineCache pgs_own_cache_begin(const struct pgs_device *dev, struct pgs_own_cache *own);
/* found: the driver says that the cache had the pipeline. */
void pgs_own_cache_end(struct pgs_own_cache *own, bool found);

#endif
