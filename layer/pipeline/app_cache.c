/* SPDX-License-Identifier: MIT
 *
 * The application's VkPipelineCache. Programs keep more under the UUID of caches than the driver's
 * data: zink, for one, keeps shaders that it has fitted to the driver's features and limits. So
 * where the layer reports others, it reports another UUID, and the data that programs see have
 * that one. This concerns devices on which the layer does nothing else, too.
 */
#include "base/alloc.h"
#include "pipeline/ahead.h"
#include "pipeline/device.h"
#include "vulkan/hooks.h"
#include "vulkan/own_uuid.h"

#include <string.h>

/* Whether data begin with the header of this device: with the driver's UUID, or the one that the
 * layer reports. */
static bool has_header(const struct pgs_device *dev, const void *data, size_t data_B, bool reported)
{
    VkPipelineCacheHeaderVersionOne header;
    uint8_t uuid[VK_UUID_SIZE];
    if (!dev->physical->emulates || !data || data_B < sizeof(header))
        return false;
    memcpy(&header, data, sizeof(header));
    memcpy(uuid, dev->physical->properties.pipelineCacheUUID, sizeof(uuid));
    if (reported)
        pgs_reported_uuid(dev->physical, uuid);
    return header.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
           memcmp(header.pipelineCacheUUID, uuid, sizeof(uuid)) == 0;
}

static void change_header(const struct pgs_device *dev, void *data)
{
    pgs_reported_uuid(dev->physical, (uint8_t *)data + offsetof(VkPipelineCacheHeaderVersionOne,
                                                                pipelineCacheUUID));
}

/* Also notes whether there is a cache that the layer may not use in several threads at once. */
VKAPI_ATTR VkResult VKAPI_CALL pgs_CreatePipelineCache(VkDevice device,
                                                       const VkPipelineCacheCreateInfo *pCreateInfo,
                                                       const VkAllocationCallbacks *pAllocator,
                                                       VkPipelineCache *pPipelineCache)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (dev->active && (pCreateInfo->flags & VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT))
        atomic_store(&dev->pipelines->has_unsynchronized_caches, true);
    if (!has_header(dev, pCreateInfo->pInitialData, pCreateInfo->initialDataSize, true))
        return dev->vk.CreatePipelineCache(device, pCreateInfo, pAllocator, pPipelineCache);
    VkPipelineCacheCreateInfo info = *pCreateInfo;
    void *data = pgs_alloc(info.initialDataSize);
    if (!data)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    memcpy(data, pCreateInfo->pInitialData, info.initialDataSize);
    change_header(dev, data);
    info.pInitialData = data;
    const VkResult result = dev->vk.CreatePipelineCache(device, &info, pAllocator, pPipelineCache);
    pgs_free(data);
    return result;
}

VKAPI_ATTR void VKAPI_CALL pgs_DestroyPipelineCache(VkDevice device, VkPipelineCache pipelineCache,
                                                    const VkAllocationCallbacks *pAllocator)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (dev->active && pipelineCache)
        pgs_ahead_settle(dev, pipelineCache);
    dev->vk.DestroyPipelineCache(device, pipelineCache, pAllocator);
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_GetPipelineCacheData(VkDevice device,
                                                        VkPipelineCache pipelineCache,
                                                        size_t *pDataSize, void *pData)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (dev->active)
        pgs_ahead_settle(dev, pipelineCache);
    const VkResult result = dev->vk.GetPipelineCacheData(device, pipelineCache, pDataSize, pData);
    if (result >= 0 && has_header(dev, pData, *pDataSize, false)) /* VK_INCOMPLETE, too */
        change_header(dev, pData);
    return result;
}

/* Only one thread may use the destination meanwhile. */
VKAPI_ATTR VkResult VKAPI_CALL pgs_MergePipelineCaches(VkDevice device, VkPipelineCache dstCache,
                                                       uint32_t srcCacheCount,
                                                       const VkPipelineCache *pSrcCaches)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (dev->active) {
        pgs_ahead_settle(dev, dstCache);
        for (uint32_t i = 0; i < srcCacheCount; i++)
            pgs_ahead_settle(dev, pSrcCaches[i]);
    }
    return dev->vk.MergePipelineCaches(device, dstCache, srcCacheCount, pSrcCaches);
}
