/* SPDX-License-Identifier: MIT
 *
 * vkAllocateMemory: memory that may back a buffer with an address must be allocated with
 * VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT.
 */
#include "memory/memory.h"

#include "base/alloc.h"
#include "vulkan/chain.h"
#include "vulkan/hooks.h"

/* A dedicated image has no address. Imported memory may back buffers like any other. */
static bool may_back_our_buffers(const struct pgs_device *dev, const VkMemoryAllocateInfo *info)
{
    const VkMemoryDedicatedAllocateInfo *dedicated =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO);
    if (dedicated && dedicated->image)
        return false;
    const VkPhysicalDeviceMemoryProperties *memory = &dev->physical->memory;
    return info->memoryTypeIndex < memory->memoryTypeCount &&
           !(memory->memoryTypes[info->memoryTypeIndex].propertyFlags &
             (VK_MEMORY_PROPERTY_PROTECTED_BIT | VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT));
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_AllocateMemory(VkDevice device,
                                                  const VkMemoryAllocateInfo *pAllocateInfo,
                                                  const VkAllocationCallbacks *pAllocator,
                                                  VkDeviceMemory *pMemory)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    /* VK_EXT_buffer_device_address knows no such flag. */
    if (!dev->active || dev->physical->address == PGS_ADDRESS_EXT ||
        !may_back_our_buffers(dev, pAllocateInfo))
        return dev->vk.AllocateMemory(device, pAllocateInfo, pAllocator, pMemory);

    VkMemoryAllocateFlagsInfo own = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        .pNext = pAllocateInfo->pNext,
        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
    };
    VkMemoryAllocateInfo info = *pAllocateInfo;
    info.pNext = &own;
    void *block = NULL;
    const VkStructureType type = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
    if (!pgs_chain_is_known(pAllocateInfo->pNext, &type, 1)) {
        info.pNext = pAllocateInfo->pNext; /* what is unknown may be what is imported */
    } else if (pgs_chain_find(pAllocateInfo->pNext, type)) {
        const VkResult copied =
            pgs_chain_copy_prefix(pAllocateInfo->pNext, &type, 1, &info.pNext, &block);
        if (copied != VK_SUCCESS)
            return copied;
        ((VkMemoryAllocateFlagsInfo *)pgs_chain_find(info.pNext, type))->flags |=
            VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    }
    const VkResult result = dev->vk.AllocateMemory(device, &info, pAllocator, pMemory);
    pgs_free(block);
    return result;
}
