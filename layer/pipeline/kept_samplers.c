/* SPDX-License-Identifier: MIT */
#include "pipeline/kept_samplers.h"

#include "base/alloc.h"
#include "pipeline/device.h"
#include "pipeline/kept_conversions.h"
#include "vulkan/chain.h"
#include "vulkan/hooks.h"

struct pgs_kept_sampler {
    uint32_t uses; /* in bindings of layouts */
    /* The application has destroyed the handle so often: drivers may give one to equal samplers. */
    uint32_t destroyed;
};

static bool add_locked(struct pgs_kept_samplers *samplers, VkSampler handle)
{
    struct pgs_kept_sampler *sampler = pgs_table_find(&samplers->of, (uint64_t)handle);
    if (!sampler) {
        sampler = pgs_calloc(1, sizeof(*sampler));
        if (!sampler || !pgs_table_insert(&samplers->of, (uint64_t)handle, sampler)) {
            pgs_free(sampler);
            return false;
        }
    }
    sampler->uses++;
    return true;
}

/* Returns how often the driver's is to be destroyed now. */
static uint32_t drop_locked(struct pgs_kept_samplers *samplers, VkSampler handle)
{
    struct pgs_kept_sampler *sampler = pgs_table_find(&samplers->of, (uint64_t)handle);
    if (!sampler || --sampler->uses)
        return 0;
    const uint32_t destroyed = sampler->destroyed;
    pgs_table_remove(&samplers->of, (uint64_t)handle);
    pgs_free(sampler);
    return destroyed;
}

static void drop(struct pgs_device *dev, VkSampler handle)
{
    struct pgs_kept_samplers *samplers = &dev->pipelines->samplers;
    pthread_mutex_lock(&samplers->lock);
    uint32_t destroyed = drop_locked(samplers, handle);
    pthread_mutex_unlock(&samplers->lock);
    for (; destroyed; destroyed--)
        pgs_kept_conversions_end(dev, handle);
}

void pgs_kept_samplers_drop(struct pgs_device *dev, const VkSampler *samplers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        drop(dev, samplers[i]);
}

bool pgs_kept_samplers_add(struct pgs_device *dev, const VkSampler *samplers, size_t count)
{
    struct pgs_kept_samplers *kept = &dev->pipelines->samplers;
    size_t added = 0;
    pthread_mutex_lock(&kept->lock);
    while (added < count && add_locked(kept, samplers[added]))
        added++;
    pthread_mutex_unlock(&kept->lock);
    if (added < count)
        pgs_kept_samplers_drop(dev, samplers, added);
    return added == count;
}

static void free_sampler(uint64_t key, void *value, void *context)
{
    (void)key, (void)context;
    pgs_free(value);
}

void pgs_kept_samplers_finish(struct pgs_kept_samplers *samplers)
{
    pgs_table_finish(&samplers->of, free_sampler, NULL);
    pgs_array_finish(&samplers->conversions);
    pthread_mutex_destroy(&samplers->lock);
}

/* As with set layouts, the application's allocator is not used: the driver's sampler may outlive
 * the handle. */
VKAPI_ATTR VkResult VKAPI_CALL pgs_CreateSampler(VkDevice device,
                                                 const VkSamplerCreateInfo *pCreateInfo,
                                                 const VkAllocationCallbacks *pAllocator,
                                                 VkSampler *pSampler)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (!dev->active)
        return dev->vk.CreateSampler(device, pCreateInfo, pAllocator, pSampler);
    const VkSamplerYcbcrConversionInfo *converted =
        pgs_chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO);
    const VkResult result = dev->vk.CreateSampler(device, pCreateInfo, NULL, pSampler);
    if (result != VK_SUCCESS || !converted ||
        pgs_kept_conversions_add(dev, *pSampler, converted->conversion))
        return result;
    dev->vk.DestroySampler(device, *pSampler, NULL);
    *pSampler = VK_NULL_HANDLE;
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL pgs_DestroySampler(VkDevice device, VkSampler sampler,
                                              const VkAllocationCallbacks *pAllocator)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (!dev->active) {
        dev->vk.DestroySampler(device, sampler, pAllocator);
        return;
    }
    struct pgs_kept_samplers *samplers = &dev->pipelines->samplers;
    pthread_mutex_lock(&samplers->lock);
    struct pgs_kept_sampler *kept = pgs_table_find(&samplers->of, (uint64_t)sampler);
    if (kept)
        kept->destroyed++;
    pthread_mutex_unlock(&samplers->lock);
    if (!kept)
        pgs_kept_conversions_end(dev, sampler);
}
