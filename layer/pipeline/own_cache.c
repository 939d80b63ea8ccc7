/* SPDX-License-Identifier: MIT */
#include "pipeline/own_cache.h"

#include "base/log.h"

/* Without a cache of its own the layer compiles as well, only more often. */
static VkPipelineCache create_cache(const struct pgs_device *dev, bool *failed)
{
    const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    VkPipelineCache cache;
    if (dev->vk.CreatePipelineCache(dev->handle, &info, NULL, &cache) == VK_SUCCESS)
        return cache;
    *failed = true;
    pgs_log(PGS_LOG_WARN, "the driver creates no pipeline cache for the layer: shaders may be "
                          "compiled more than once");
    return VK_NULL_HANDLE;
}

VkPipelineCache pgs_own_cache_begin(const struct pgs_device *dev, struct pgs_own_cache *own)
{
    pthread_mutex_lock(&own->lock);
    if (own->pipelines >= PGS_OWN_CACHE_PIPELINES && !own->users) {
        dev->vk.DestroyPipelineCache(dev->handle, own->handle, NULL);
        own->handle = VK_NULL_HANDLE;
        own->pipelines = 0;
    }
    if (!own->handle && !own->failed)
        own->handle = create_cache(dev, &own->failed);
    const VkPipelineCache handle = own->handle;
    own->users++;
    pthread_mutex_unlock(&own->lock);
    return handle;
}

void pgs_own_cache_end(struct pgs_own_cache *own, bool found)
{
    pthread_mutex_lock(&own->lock);
    own->pipelines += !found;
    own->users--;
    pthread_mutex_unlock(&own->lock);
}

bool pgs_own_cache_init(struct pgs_own_cache *own)
{
    *own = (struct pgs_own_cache){.handle = VK_NULL_HANDLE};
    return !pthread_mutex_init(&own->lock, NULL);
}

void pgs_own_cache_finish(const struct pgs_device *dev, struct pgs_own_cache *own)
{
    if (own->handle)
        dev->vk.DestroyPipelineCache(dev->handle, own->handle, NULL);
    pthread_mutex_destroy(&own->lock);
}
