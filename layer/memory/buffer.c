/* SPDX-License-Identifier: MIT
 *
 * Buffers of the application that draws may read. They get the usage and the few bytes that kernels
 * need; their sizes and addresses are kept.
 */
#include "memory/buffer.h"

#include "base/alloc.h"
#include "memory/bound.h"
#include "memory/external.h"
#include "memory/usage.h"
#include "vulkan/chain.h"
#include "vulkan/hooks.h"

struct buffer {
    struct pgs_bound bound;          /* first; size_B as the application asked */
    _Atomic VkDeviceAddress address; /* 0: not yet queried */
    bool has_address;
};

/* The least maxBufferSize that the specification allows (Vulkan 1.3, "Limit requirements"). */
#define PGS_LEAST_MAX_BUFFER_SIZE_B (UINT64_C(1) << 30)

static VkDeviceSize query_max_buffer_size(const struct pgs_device *dev)
{
    const struct pgs_physical_device *physical = dev->physical;
    if (physical->api_version < VK_API_VERSION_1_3)
        return PGS_LEAST_MAX_BUFFER_SIZE_B;
    VkPhysicalDeviceMaintenance4Properties maintenance4 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES,
    };
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
        .pNext = &maintenance4,
    };
    physical->instance->vk.GetPhysicalDeviceProperties2(physical->handle, &properties);
    return maintenance4.maxBufferSize > PGS_LEAST_MAX_BUFFER_SIZE_B ? maintenance4.maxBufferSize
                                                                    : PGS_LEAST_MAX_BUFFER_SIZE_B;
}

VkResult pgs_buffer_table_create(struct pgs_device *dev)
{
    struct pgs_buffer_table *table = pgs_calloc(1, sizeof(*table));
    if (!table)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (!pgs_map_init(&table->map)) {
        pgs_free(table);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (!pgs_map_init(&table->images)) {
        pgs_map_finish(&table->map, NULL, NULL);
        pgs_free(table);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    table->max_buffer_size_B = query_max_buffer_size(dev);
    dev->buffers = table;
    return VK_SUCCESS;
}

static void free_value(uint64_t key, void *value, void *context)
{
    (void)key;
    (void)context;
    pgs_free(value);
}

void pgs_buffer_table_destroy(struct pgs_device *dev)
{
    if (!dev->buffers)
        return;
    pgs_map_finish(&dev->buffers->images, free_value, NULL);
    pgs_map_finish(&dev->buffers->map, free_value, NULL);
    pgs_free(dev->buffers);
    dev->buffers = NULL;
}

/* The usage that counts, which VK_KHR_maintenance5 lets stand in the chain. No bit beyond the 32 of
 * VkBufferUsageFlags matters to the layer. */
static VkBufferUsageFlags usage_of(const VkBufferCreateInfo *info)
{
#ifdef VK_KHR_maintenance5
    const VkBufferUsageFlags2CreateInfoKHR *usage =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO_KHR);
    if (usage)
        return (VkBufferUsageFlags)usage->usage;
#endif
    return info->usage;
}

/* 0: not in external memory. */
static VkExternalMemoryHandleTypeFlags external_types(const VkBufferCreateInfo *info)
{
    const VkExternalMemoryBufferCreateInfo *external =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO);
    return external ? external->handleTypes : 0;
}

/* False if it must stay as it is. Draws see no address for it then. */
static bool may_widen(const struct pgs_device *dev, const VkBufferCreateInfo *info)
{
    return !(info->flags & VK_BUFFER_CREATE_PROTECTED_BIT) &&
           pgs_external_takes_usage(dev->physical, info->flags, usage_of(info),
                                    external_types(info));
}

/* The create info that the driver gets. */
struct rewritten {
    VkBufferCreateInfo info;
    void *block;      /* of a chain with another usage */
    bool has_address; /* kernels can access it */
};

/* With a usage in the chain, too. */
static VkResult change_chain(struct rewritten *rewritten)
{
#ifdef VK_KHR_maintenance5
    const VkStructureType type = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO_KHR;
    VkBufferCreateInfo *info = &rewritten->info;
    const VkResult result =
        pgs_chain_copy_prefix(info->pNext, &type, 1, &info->pNext, &rewritten->block);
    VkBufferUsageFlags2CreateInfoKHR *usage = pgs_chain_find(info->pNext, type);
    if (result != VK_SUCCESS)
        return result;
    if (usage)
        usage->usage = (usage->usage & ~(VkBufferUsageFlags2KHR)UINT32_MAX) | info->usage;
#else
    (void)rewritten;
#endif
    return VK_SUCCESS;
}

/* The caller frees rewritten->block. Fails when out of host memory. */
static VkResult rewrite(const struct pgs_device *dev, const VkBufferCreateInfo *info,
                        struct rewritten *rewritten)
{
    const bool widened = may_widen(dev, info);
    *rewritten = (struct rewritten){
        .info = *info,
        .has_address = widened && (usage_of(info) & PGS_DRAW_USAGE),
    };
    rewritten->info.usage = pgs_buffer_usage(usage_of(info), widened, dev->xfb);
    /* Kernels load whole aligned words. The other side of external memory has chosen its size, and
     * no allocation ends within a word. */
    if (rewritten->has_address && !external_types(info) && info->size &&
        info->size <= dev->buffers->max_buffer_size_B - 3)
        rewritten->info.size = (info->size + 3) & ~(VkDeviceSize)3;
    return rewritten->info.usage == usage_of(info) ? VK_SUCCESS : change_chain(rewritten);
}

/* Other buffers need not be known. With transform feedback, any buffer may share memory with one
 * that is captured to. */
static bool is_kept(const struct pgs_device *dev, const VkBufferCreateInfo *info)
{
    return usage_of(info) & (PGS_DRAW_USAGE | (dev->xfb ? PGS_SHADER_USAGE : 0));
}

static void note_xfb_buffer(struct pgs_buffer_table *table, const VkBufferCreateInfo *info)
{
    if (!(usage_of(info) & VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT))
        return;
    VkDeviceSize largest_B = atomic_load_explicit(&table->largest_xfb_B, memory_order_relaxed);
    while (info->size > largest_B &&
           !atomic_compare_exchange_weak_explicit(&table->largest_xfb_B, &largest_B, info->size,
                                                  memory_order_relaxed, memory_order_relaxed))
        ;
}

VkDeviceSize pgs_buffer_largest_xfb_B(struct pgs_device *dev)
{
    return atomic_load_explicit(&dev->buffers->largest_xfb_B, memory_order_relaxed);
}

/* A buffer that the layer knows. */
static VkResult create_kept(struct pgs_device *dev, const VkBufferCreateInfo *asked,
                            const struct rewritten *rewritten,
                            const VkAllocationCallbacks *allocator, VkBuffer *handle)
{
    struct buffer *buffer = pgs_calloc(1, sizeof(*buffer));
    if (!buffer)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    buffer->bound.size_B = asked->size;
    buffer->bound.usage = usage_of(asked);
    buffer->bound.anywhere = asked->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT;
    buffer->has_address = rewritten->has_address;
    const VkResult result = dev->vk.CreateBuffer(dev->handle, &rewritten->info, allocator, handle);
    if (result != VK_SUCCESS) {
        pgs_free(buffer);
        return result;
    }
    if (!pgs_map_insert(&dev->buffers->map, (uint64_t)*handle, buffer)) {
        dev->vk.DestroyBuffer(dev->handle, *handle, allocator);
        *handle = VK_NULL_HANDLE;
        pgs_free(buffer);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    note_xfb_buffer(dev->buffers, asked);
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_CreateBuffer(VkDevice device,
                                                const VkBufferCreateInfo *pCreateInfo,
                                                const VkAllocationCallbacks *pAllocator,
                                                VkBuffer *pBuffer)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (!dev->active)
        return dev->vk.CreateBuffer(device, pCreateInfo, pAllocator, pBuffer);
    struct rewritten rewritten;
    VkResult result = rewrite(dev, pCreateInfo, &rewritten);
    if (result == VK_SUCCESS && !is_kept(dev, pCreateInfo))
        result = dev->vk.CreateBuffer(device, &rewritten.info, pAllocator, pBuffer);
    else if (result == VK_SUCCESS)
        result = create_kept(dev, pCreateInfo, &rewritten, pAllocator, pBuffer);
    pgs_free(rewritten.block);
    return result;
}

VKAPI_ATTR void VKAPI_CALL pgs_DestroyBuffer(VkDevice device, VkBuffer buffer,
                                             const VkAllocationCallbacks *pAllocator)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    /* Remove it first, since another thread may get the same handle as soon as the driver frees
     * it. */
    if (dev->active && buffer) {
        pgs_note_destroyed(&dev->destroyed.buffers);
        pgs_free(pgs_map_remove(&dev->buffers->map, (uint64_t)buffer));
    }
    dev->vk.DestroyBuffer(device, buffer, pAllocator);
}

static void note_memory(struct pgs_device *dev, VkBuffer handle, VkDeviceMemory memory,
                        VkDeviceSize offset_B)
{
    struct buffer *buffer = pgs_map_find(&dev->buffers->map, (uint64_t)handle);
    if (buffer)
        pgs_bound_to(&buffer->bound, memory, offset_B);
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_BindBufferMemory(VkDevice device, VkBuffer buffer,
                                                    VkDeviceMemory memory,
                                                    VkDeviceSize memoryOffset)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    const VkResult result = dev->vk.BindBufferMemory(device, buffer, memory, memoryOffset);
    if (dev->xfb && result == VK_SUCCESS)
        note_memory(dev, buffer, memory, memoryOffset);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_BindBufferMemory2(VkDevice device, uint32_t bindInfoCount,
                                                     const VkBindBufferMemoryInfo *pBindInfos)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    const VkResult result = dev->vk.BindBufferMemory2(device, bindInfoCount, pBindInfos);
    for (uint32_t i = 0; dev->xfb && result == VK_SUCCESS && i < bindInfoCount; i++)
        note_memory(dev, pBindInfos[i].buffer, pBindInfos[i].memory, pBindInfos[i].memoryOffset);
    return result;
}

VKAPI_ATTR void VKAPI_CALL pgs_GetDeviceBufferMemoryRequirements(
    VkDevice device, const VkDeviceBufferMemoryRequirements *pInfo,
    VkMemoryRequirements2 *pMemoryRequirements)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (!dev->active) {
        dev->vk.GetDeviceBufferMemoryRequirements(device, pInfo, pMemoryRequirements);
        return;
    }
    struct rewritten rewritten;
    VkDeviceBufferMemoryRequirements info = *pInfo;
    /* Cannot fail. What buffers of this usage require alone is a good guess. */
    if (rewrite(dev, pInfo->pCreateInfo, &rewritten) == VK_SUCCESS)
        info.pCreateInfo = &rewritten.info;
    dev->vk.GetDeviceBufferMemoryRequirements(device, &info, pMemoryRequirements);
    pgs_free(rewritten.block);
}

bool pgs_buffer_lookup(struct pgs_device *dev, VkBuffer handle, struct pgs_buffer_info *info)
{
    struct buffer *buffer = pgs_map_find(&dev->buffers->map, (uint64_t)handle);
    if (!buffer)
        return false;
    /* Racing threads ask the driver twice and store the same value. */
    VkDeviceAddress address = atomic_load_explicit(&buffer->address, memory_order_relaxed);
    if (!address && buffer->has_address) {
        const VkBufferDeviceAddressInfo address_info = {
            .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
            .buffer = handle,
        };
        address = dev->vk.GetBufferDeviceAddress(dev->handle, &address_info);
        atomic_store_explicit(&buffer->address, address, memory_order_relaxed);
    }
    *info = (struct pgs_buffer_info){
        .size_B = buffer->bound.size_B,
        .address = address,
        .usage = buffer->bound.usage,
    };
    return true;
}
