/* SPDX-License-Identifier: MIT */
#include "pipeline/descriptor_set.h"

#include "base/alloc.h"
#include "pipeline/device.h"
#include "vulkan/chain.h"
#include "vulkan/hooks.h"

#include <stdatomic.h>

/* The application synchronises calls with one pool, so the list needs no lock. */
struct pgs_descriptor_pool {
    bool frees; /* sets can be freed one by one */
    struct pgs_descriptor_set *first;
};

struct pgs_descriptor_set *pgs_descriptor_set_find(const struct pgs_device *dev,
                                                   VkDescriptorSet handle)
{
    return pgs_map_find(&dev->pipelines->sets, (uint64_t)handle);
}

static struct pgs_descriptor_pool *find_pool(const struct pgs_device *dev, VkDescriptorPool handle)
{
    return pgs_map_find(&dev->pipelines->descriptor_pools, (uint64_t)handle);
}

/* -- sets -- */

static void set_free(struct pgs_device *dev, struct pgs_descriptor_set *set)
{
    pgs_set_layout_release(dev, set->layout);
    pgs_free(set);
}

/* Call it before the driver frees the set: another set may get the handle at once. */
static void forget_set(struct pgs_device *dev, struct pgs_descriptor_set *set)
{
    pgs_map_remove(&dev->pipelines->sets, (uint64_t)set->handle);
    *set->link = set->next;
    if (set->next)
        set->next->link = set->link;
    pgs_mirrors_give_back(dev, set);
    set_free(dev, set);
}

static void forget_all(struct pgs_device *dev, struct pgs_descriptor_pool *pool)
{
    while (pool && pool->first)
        forget_set(dev, pool->first);
}

static VkResult set_new(const struct pgs_device *dev, const VkDescriptorSetAllocateInfo *info,
                        uint32_t i, struct pgs_descriptor_set **set)
{
    const VkDescriptorSetVariableDescriptorCountAllocateInfo *counts = pgs_chain_find(
        info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO);
    struct pgs_set_layout *layout =
        pgs_map_find(&dev->pipelines->set_layouts, (uint64_t)info->pSetLayouts[i]);
    *set = NULL;
    if (!layout || !layout->mirrored)
        return VK_SUCCESS;
    struct pgs_descriptor_set *made = pgs_calloc(1, sizeof(*made));
    if (!made)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    made->layout = pgs_set_layout_acquire(dev, info->pSetLayouts[i]);
    made->variable_count =
        counts && i < counts->descriptorSetCount ? counts->pDescriptorCounts[i] : 0;
    *set = made;
    return VK_SUCCESS;
}

static VkResult publish_set(struct pgs_device *dev, struct pgs_descriptor_pool *pool,
                            struct pgs_descriptor_set *set, VkDescriptorSet handle)
{
    set->handle = handle;
    if (!pgs_map_insert(&dev->pipelines->sets, (uint64_t)handle, set))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    set->next = pool->first;
    set->link = &pool->first;
    if (set->next)
        set->next->link = &set->next;
    pool->first = set;
    return VK_SUCCESS;
}

/* Undoes an allocation. Pools that cannot free sets keep them until they are reset. */
static void unallocate(struct pgs_device *dev, const struct pgs_descriptor_pool *pool,
                       const VkDescriptorSetAllocateInfo *info, VkDescriptorSet *sets)
{
    if (pool->frees)
        dev->vk.FreeDescriptorSets(dev->handle, info->descriptorPool, info->descriptorSetCount,
                                   sets);
    for (uint32_t i = 0; i < info->descriptorSetCount; i++)
        sets[i] = VK_NULL_HANDLE;
}

static VkResult allocate(struct pgs_device *dev, struct pgs_descriptor_pool *pool,
                         const VkDescriptorSetAllocateInfo *info,
                         struct pgs_descriptor_set **tracked, VkDescriptorSet *sets)
{
    const uint32_t count = info->descriptorSetCount;
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++)
        result = set_new(dev, info, i, &tracked[i]);
    if (result == VK_SUCCESS)
        result = dev->vk.AllocateDescriptorSets(dev->handle, info, sets);
    const bool allocated = result == VK_SUCCESS;
    uint32_t published = 0;
    for (; published < count && result == VK_SUCCESS; published++)
        if (tracked[published])
            result = publish_set(dev, pool, tracked[published], sets[published]);
    if (result == VK_SUCCESS)
        return result;
    for (uint32_t i = 0; i < count; i++) {
        if (tracked[i] && tracked[i]->link)
            forget_set(dev, tracked[i]);
        else if (tracked[i])
            set_free(dev, tracked[i]);
    }
    if (allocated)
        unallocate(dev, pool, info, sets);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL
pgs_AllocateDescriptorSets(VkDevice device, const VkDescriptorSetAllocateInfo *pAllocateInfo,
                           VkDescriptorSet *pDescriptorSets)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (!dev->active || !atomic_load(&dev->pipelines->tracks_sets))
        return dev->vk.AllocateDescriptorSets(device, pAllocateInfo, pDescriptorSets);
    struct pgs_descriptor_pool *pool = find_pool(dev, pAllocateInfo->descriptorPool);
    struct pgs_descriptor_set **tracked =
        pgs_calloc(pAllocateInfo->descriptorSetCount, sizeof(*tracked));
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (pool && tracked)
        result = allocate(dev, pool, pAllocateInfo, tracked, pDescriptorSets);
    else
        for (uint32_t i = 0; i < pAllocateInfo->descriptorSetCount; i++)
            pDescriptorSets[i] = VK_NULL_HANDLE;
    pgs_free(tracked);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_FreeDescriptorSets(VkDevice device,
                                                      VkDescriptorPool descriptorPool,
                                                      uint32_t descriptorSetCount,
                                                      const VkDescriptorSet *pDescriptorSets)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (dev->active && atomic_load(&dev->pipelines->tracks_sets)) {
        for (uint32_t i = 0; i < descriptorSetCount; i++) {
            struct pgs_descriptor_set *set = pgs_descriptor_set_find(dev, pDescriptorSets[i]);
            if (set)
                forget_set(dev, set);
        }
    }
    return dev->vk.FreeDescriptorSets(device, descriptorPool, descriptorSetCount, pDescriptorSets);
}

/* -- pools -- */

void pgs_descriptor_pool_free(struct pgs_device *dev, struct pgs_descriptor_pool *pool)
{
    forget_all(dev, pool);
    pgs_free(pool);
}

VKAPI_ATTR VkResult VKAPI_CALL
pgs_CreateDescriptorPool(VkDevice device, const VkDescriptorPoolCreateInfo *pCreateInfo,
                         const VkAllocationCallbacks *pAllocator, VkDescriptorPool *pDescriptorPool)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (!dev->active)
        return dev->vk.CreateDescriptorPool(device, pCreateInfo, pAllocator, pDescriptorPool);
    struct pgs_descriptor_pool *pool = pgs_calloc(1, sizeof(*pool));
    if (!pool)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    pool->frees = pCreateInfo->flags & VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT;
    VkResult result =
        dev->vk.CreateDescriptorPool(device, pCreateInfo, pAllocator, pDescriptorPool);
    if (result == VK_SUCCESS &&
        !pgs_map_insert(&dev->pipelines->descriptor_pools, (uint64_t)*pDescriptorPool, pool)) {
        dev->vk.DestroyDescriptorPool(device, *pDescriptorPool, pAllocator);
        *pDescriptorPool = VK_NULL_HANDLE;
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (result != VK_SUCCESS)
        pgs_free(pool);
    return result;
}

VKAPI_ATTR void VKAPI_CALL pgs_DestroyDescriptorPool(VkDevice device,
                                                     VkDescriptorPool descriptorPool,
                                                     const VkAllocationCallbacks *pAllocator)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (dev->active && descriptorPool)
        pgs_descriptor_pool_free(
            dev, pgs_map_remove(&dev->pipelines->descriptor_pools, (uint64_t)descriptorPool));
    dev->vk.DestroyDescriptorPool(device, descriptorPool, pAllocator);
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_ResetDescriptorPool(VkDevice device,
                                                       VkDescriptorPool descriptorPool,
                                                       VkDescriptorPoolResetFlags flags)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (dev->active)
        forget_all(dev, find_pool(dev, descriptorPool));
    return dev->vk.ResetDescriptorPool(device, descriptorPool, flags);
}
