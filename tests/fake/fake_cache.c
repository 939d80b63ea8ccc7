/* SPDX-License-Identifier: MIT */
#include "fake_cache.h"

#include "fake_driver.h"
#include "fake_objects.h"

#include <string.h>

struct fake_cache_given fake_cache_given;

VKAPI_ATTR VkResult VKAPI_CALL fake_CreatePipelineCache(VkDevice device,
                                                        const VkPipelineCacheCreateInfo *info,
                                                        const VkAllocationCallbacks *allocator,
                                                        VkPipelineCache *cache)
{
    fake_record(
        "vkCreatePipelineCache", 4,
        (const uint64_t[]){(uint64_t)device, (uint64_t)info, (uint64_t)allocator, (uint64_t)cache});
    const VkResult result = fake_result();
    if (result != VK_SUCCESS)
        return result;
    if (info->initialDataSize) {
        const size_t room_B = sizeof(fake_cache_given.bytes);
        fake_cache_given.size_B = info->initialDataSize;
        memcpy(fake_cache_given.bytes, info->pInitialData,
               info->initialDataSize < room_B ? info->initialDataSize : room_B);
    }
    *cache = (VkPipelineCache)fake_new_handle(FAKE_OTHER);
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL fake_GetPipelineCacheData(VkDevice device, VkPipelineCache cache,
                                                         size_t *size_B, void *data)
{
    const VkPipelineCacheHeaderVersionOne header = {
        .headerSize = sizeof(header),
        .headerVersion = VK_PIPELINE_CACHE_HEADER_VERSION_ONE,
        .pipelineCacheUUID = FAKE_CACHE_UUID,
    };
    fake_record(
        "vkGetPipelineCacheData", 4,
        (const uint64_t[]){(uint64_t)device, (uint64_t)cache, (uint64_t)size_B, (uint64_t)data});
    const VkResult result = fake_result();
    if (result != VK_SUCCESS)
        return result;
    if (!data) {
        *size_B = FAKE_CACHE_DATA_B;
        return VK_SUCCESS;
    }
    const size_t room_B = *size_B;
    *size_B = 0;
    if (room_B < sizeof(header))
        return VK_INCOMPLETE;
    *size_B = room_B < FAKE_CACHE_DATA_B ? sizeof(header) : FAKE_CACHE_DATA_B;
    memcpy(data, &header, sizeof(header));
    memset((char *)data + sizeof(header), 0xda, *size_B - sizeof(header));
    return *size_B < FAKE_CACHE_DATA_B ? VK_INCOMPLETE : VK_SUCCESS;
}
