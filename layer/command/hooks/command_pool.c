/* SPDX-License-Identifier: MIT
 *
 * Command pools, and the command buffers that are allocated from them.
 */
#include "command/pass/lifetime.h"
#include "vulkan/hooks.h"

static uint64_t pool_key(VkCommandPool pool)
{
    return (uint64_t)(uintptr_t)pool;
}

static struct pgs_command_pool *find_pool(const struct pgs_device *dev, VkCommandPool pool)
{
    return pgs_map_find(&dev->commands->pools, pool_key(pool));
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_CreateCommandPool(VkDevice device,
                                                     const VkCommandPoolCreateInfo *pCreateInfo,
                                                     const VkAllocationCallbacks *pAllocator,
                                                     VkCommandPool *pCommandPool)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (!dev->active)
        return dev->vk.CreateCommandPool(device, pCreateInfo, pAllocator, pCommandPool);
    struct pgs_command_pool *pool = pgs_calloc(1, sizeof(*pool));
    if (!pool)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    pool->dev = dev;
    pool->commons = pgs_commons_of(dev, pCreateInfo->queueFamilyIndex);
    const VkResult result =
        dev->vk.CreateCommandPool(device, pCreateInfo, pAllocator, pCommandPool);
    if (result != VK_SUCCESS) {
        pgs_free(pool);
        return result;
    }
    if (!pgs_map_insert(&dev->commands->pools, pool_key(*pCommandPool), pool)) {
        dev->vk.DestroyCommandPool(device, *pCommandPool, pAllocator);
        *pCommandPool = VK_NULL_HANDLE;
        pgs_free(pool);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL pgs_DestroyCommandPool(VkDevice device, VkCommandPool commandPool,
                                                  const VkAllocationCallbacks *pAllocator)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (dev->active && commandPool)
        pgs_command_pool_destroy(pgs_map_remove(&dev->commands->pools, pool_key(commandPool)));
    dev->vk.DestroyCommandPool(device, commandPool, pAllocator);
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_ResetCommandPool(VkDevice device, VkCommandPool commandPool,
                                                    VkCommandPoolResetFlags flags)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (!dev->active)
        return dev->vk.ResetCommandPool(device, commandPool, flags);
    const struct pgs_command_pool *pool = find_pool(dev, commandPool);
    const VkResult result = dev->vk.ResetCommandPool(device, commandPool, flags);
    if (result == VK_SUCCESS && pool)
        for (struct pgs_command_buffer *cb = pool->buffers; cb; cb = cb->next)
            pgs_command_buffer_reset(cb, false);
    return result;
}

/* Says that the program needs less from now on. What command buffers hold that are recorded stays
 * theirs. */
VKAPI_ATTR void VKAPI_CALL pgs_TrimCommandPool(VkDevice device, VkCommandPool commandPool,
                                               VkCommandPoolTrimFlags flags)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    dev->vk.TrimCommandPool(device, commandPool, flags);
    if (dev->active)
        pgs_heap_trim(dev);
}

VKAPI_ATTR VkResult VKAPI_CALL
pgs_AllocateCommandBuffers(VkDevice device, const VkCommandBufferAllocateInfo *pAllocateInfo,
                           VkCommandBuffer *pCommandBuffers)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    VkResult result = dev->vk.AllocateCommandBuffers(device, pAllocateInfo, pCommandBuffers);
    if (!dev->active || result != VK_SUCCESS)
        return result;
    struct pgs_command_pool *pool = find_pool(dev, pAllocateInfo->commandPool);
    if (!pool)
        return result;
    const uint32_t count = pAllocateInfo->commandBufferCount;
    uint32_t added = 0;
    for (; added < count && result == VK_SUCCESS; added += result == VK_SUCCESS)
        result = pgs_command_pool_add(pool, pAllocateInfo->level, pCommandBuffers[added]);
    if (result == VK_SUCCESS)
        return result;
    /* The last added one is first in the list. */
    while (added--)
        pgs_command_buffer_remove(pool->buffers);
    dev->vk.FreeCommandBuffers(device, pAllocateInfo->commandPool, count, pCommandBuffers);
    for (uint32_t i = 0; i < count; i++)
        pCommandBuffers[i] = NULL;
    return result;
}

VKAPI_ATTR void VKAPI_CALL pgs_FreeCommandBuffers(VkDevice device, VkCommandPool commandPool,
                                                  uint32_t commandBufferCount,
                                                  const VkCommandBuffer *pCommandBuffers)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    for (uint32_t i = 0; dev->active && i < commandBufferCount; i++) {
        struct pgs_command_buffer *cb =
            pCommandBuffers[i] ? pgs_command_buffer_peek(pCommandBuffers[i]) : NULL;
        if (cb)
            pgs_command_buffer_remove(cb);
    }
    dev->vk.FreeCommandBuffers(device, commandPool, commandBufferCount, pCommandBuffers);
}
