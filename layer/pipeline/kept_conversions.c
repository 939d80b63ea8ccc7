/* SPDX-License-Identifier: MIT */
#include "pipeline/kept_conversions.h"

#include "pipeline/device.h"
#include "vulkan/hooks.h"

/* NULL: no sampler has it. Under the lock. */
static struct pgs_conversion_use *find_locked(struct pgs_kept_samplers *samplers,
                                              VkSamplerYcbcrConversion conversion)
{
    for (size_t i = 0; i < samplers->conversions.count; i++)
        if (samplers->conversions.items[i].conversion == conversion)
            return &samplers->conversions.items[i];
    return NULL;
}

bool pgs_kept_conversions_add(struct pgs_device *dev, VkSampler sampler,
                              VkSamplerYcbcrConversion conversion)
{
    struct pgs_kept_samplers *samplers = &dev->pipelines->samplers;
    pthread_mutex_lock(&samplers->lock);
    const bool added =
        pgs_array_push(&samplers->conversions,
                       (struct pgs_conversion_use){.sampler = sampler, .conversion = conversion});
    pthread_mutex_unlock(&samplers->lock);
    return added;
}

/* The use that ends with the sampler, of the newest if drivers give one handle to equal samplers;
 * its `destroyed` says how often the driver's conversion is to be destroyed now. */
static struct pgs_conversion_use remove_locked(struct pgs_kept_samplers *samplers,
                                               VkSampler sampler)
{
    size_t i = samplers->conversions.count;
    while (i > 0 && samplers->conversions.items[i - 1].sampler != sampler)
        i--;
    if (i == 0)
        return (struct pgs_conversion_use){.destroyed = 0};
    struct pgs_conversion_use use = samplers->conversions.items[i - 1];
    for (; i < samplers->conversions.count; i++)
        samplers->conversions.items[i - 1] = samplers->conversions.items[i];
    samplers->conversions.count--;
    struct pgs_conversion_use *other = find_locked(samplers, use.conversion);
    if (other) {
        other->destroyed += use.destroyed;
        use.destroyed = 0;
    }
    return use;
}

void pgs_kept_conversions_end(struct pgs_device *dev, VkSampler sampler)
{
    struct pgs_kept_samplers *samplers = &dev->pipelines->samplers;
    pthread_mutex_lock(&samplers->lock); /* before the driver can give the handle away again */
    struct pgs_conversion_use use = remove_locked(samplers, sampler);
    pthread_mutex_unlock(&samplers->lock);
    dev->vk.DestroySampler(dev->handle, sampler, NULL);
    for (; use.destroyed; use.destroyed--)
        dev->vk.DestroySamplerYcbcrConversion(dev->handle, use.conversion, NULL);
}

/* The application's allocator is not used: the driver's conversion may outlive the handle. */
VKAPI_ATTR VkResult VKAPI_CALL pgs_CreateSamplerYcbcrConversion(
    VkDevice device, const VkSamplerYcbcrConversionCreateInfo *pCreateInfo,
    const VkAllocationCallbacks *pAllocator, VkSamplerYcbcrConversion *pYcbcrConversion)
{
    const struct pgs_device *dev = pgs_device_from_handle(device);
    return dev->vk.CreateSamplerYcbcrConversion(device, pCreateInfo,
                                                dev->active ? NULL : pAllocator, pYcbcrConversion);
}

VKAPI_ATTR void VKAPI_CALL
pgs_DestroySamplerYcbcrConversion(VkDevice device, VkSamplerYcbcrConversion ycbcrConversion,
                                  const VkAllocationCallbacks *pAllocator)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (!dev->active) {
        dev->vk.DestroySamplerYcbcrConversion(device, ycbcrConversion, pAllocator);
        return;
    }
    struct pgs_kept_samplers *samplers = &dev->pipelines->samplers;
    pthread_mutex_lock(&samplers->lock);
    struct pgs_conversion_use *use = find_locked(samplers, ycbcrConversion);
    if (use)
        use->destroyed++;
    pthread_mutex_unlock(&samplers->lock);
    if (!use)
        dev->vk.DestroySamplerYcbcrConversion(device, ycbcrConversion, NULL);
}
