/* SPDX-License-Identifier: MIT
 *
 * Aliases: buffers and images of the application on the same device memory. Addresses do not show
 * them: images have none, and each sparse buffer has its own.
 */
#include "memory/bound.h"

#include "base/alloc.h"
#include "vulkan/chain.h"
#include "vulkan/hooks.h"

void pgs_bound_to(struct pgs_bound *bound, VkDeviceMemory memory, VkDeviceSize offset_B)
{
    bound->offset_B = offset_B;
    atomic_store_explicit(&bound->memory, (uint64_t)memory, memory_order_release);
}

struct pgs_bytes pgs_bytes_of(const struct pgs_bound *bound, VkDeviceSize offset_B,
                              VkDeviceSize size_B)
{
    struct pgs_bytes bytes = {
        .anywhere = bound->anywhere,
        .memory = atomic_load_explicit(&bound->memory, memory_order_acquire),
    };
    if (bytes.anywhere || !bytes.memory)
        return bytes;
    const VkDeviceSize left_B = offset_B < bound->size_B ? bound->size_B - offset_B : 0;
    bytes.begin_B = bound->offset_B + offset_B;
    bytes.end_B = bytes.begin_B + (size_B < left_B ? size_B : left_B);
    return bytes;
}

bool pgs_bytes_meet(const struct pgs_bytes *a, const struct pgs_bytes *b)
{
    if (a->anywhere || b->anywhere)
        return true;
    const VkDeviceSize begin_B = a->begin_B > b->begin_B ? a->begin_B : b->begin_B;
    const VkDeviceSize end_B = a->end_B < b->end_B ? a->end_B : b->end_B;
    return a->memory && a->memory == b->memory && begin_B < end_B;
}

bool pgs_buffers_meet(struct pgs_device *dev, const struct pgs_buffer_range *a,
                      const struct pgs_buffer_range *b)
{
    const struct pgs_bound *first = pgs_map_find(&dev->buffers->map, (uint64_t)a->buffer);
    const struct pgs_bound *second = pgs_map_find(&dev->buffers->map, (uint64_t)b->buffer);
    if (!first || !second)
        return false;
    const struct pgs_bytes one = pgs_bytes_of(first, a->offset_B, a->size_B);
    const struct pgs_bytes other = pgs_bytes_of(second, b->offset_B, b->size_B);
    return pgs_bytes_meet(&one, &other);
}

struct search {
    struct pgs_bytes bytes;
    VkBufferUsageFlags usage;
};

static void visit(uint64_t key, void *value, void *context)
{
    const struct pgs_bound *bound = value;
    struct search *search = context;
    (void)key;
    if (!(bound->usage & ~search->usage))
        return;
    const struct pgs_bytes bytes = pgs_bytes_of(bound, 0, VK_WHOLE_SIZE);
    if (pgs_bytes_meet(&bytes, &search->bytes))
        search->usage |= bound->usage;
}

VkBufferUsageFlags pgs_usage_of_memory(struct pgs_device *dev, const struct pgs_buffer_range *range)
{
    const struct pgs_bound *bound = pgs_map_find(&dev->buffers->map, (uint64_t)range->buffer);
    if (!bound)
        return 0;
    struct search search = {
        .bytes = pgs_bytes_of(bound, range->offset_B, range->size_B),
        .usage = bound->usage,
    };
    pgs_map_each(&dev->buffers->map, visit, &search);
    pgs_map_each(&dev->buffers->images, visit, &search);
    return search.usage;
}

/* -- images -- */

VkResult pgs_image_note(struct pgs_device *dev, VkImage image, const VkImageCreateInfo *info)
{
    const VkImageStencilUsageCreateInfo *stencil =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO);
    const VkImageUsageFlags usage = info->usage | (stencil ? stencil->stencilUsage : 0);
    const VkBufferUsageFlags as_buffer =
        (usage & VK_IMAGE_USAGE_SAMPLED_BIT ? VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT : 0) |
        (usage & VK_IMAGE_USAGE_STORAGE_BIT ? VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT : 0);
    if (!dev->xfb || !as_buffer)
        return VK_SUCCESS;
    struct pgs_bound *bound = pgs_calloc(1, sizeof(*bound));
    if (!bound)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    bound->usage = as_buffer;
    bound->anywhere =
        info->flags & (VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_DISJOINT_BIT);
    if (pgs_map_insert(&dev->buffers->images, (uint64_t)image, bound))
        return VK_SUCCESS;
    pgs_free(bound);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

void pgs_image_forget(struct pgs_device *dev, VkImage image)
{
    if (dev->xfb)
        pgs_free(pgs_map_remove(&dev->buffers->images, (uint64_t)image));
}

/* The memory of swapchain images is unknown. */
static void bind_image(struct pgs_device *dev, VkImage image, VkDeviceMemory memory,
                       VkDeviceSize offset_B)
{
    struct pgs_bound *bound = pgs_map_find(&dev->buffers->images, (uint64_t)image);
    if (!bound || bound->anywhere || !memory)
        return;
    VkMemoryRequirements needs;
    dev->vk.GetImageMemoryRequirements(dev->handle, image, &needs);
    bound->size_B = needs.size;
    pgs_bound_to(bound, memory, offset_B);
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_BindImageMemory(VkDevice device, VkImage image,
                                                   VkDeviceMemory memory, VkDeviceSize memoryOffset)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    const VkResult result = dev->vk.BindImageMemory(device, image, memory, memoryOffset);
    if (dev->xfb && result == VK_SUCCESS)
        bind_image(dev, image, memory, memoryOffset);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_BindImageMemory2(VkDevice device, uint32_t bindInfoCount,
                                                    const VkBindImageMemoryInfo *pBindInfos)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    const VkResult result = dev->vk.BindImageMemory2(device, bindInfoCount, pBindInfos);
    for (uint32_t i = 0; dev->xfb && result == VK_SUCCESS && i < bindInfoCount; i++)
        bind_image(dev, pBindInfos[i].image, pBindInfos[i].memory, pBindInfos[i].memoryOffset);
    return result;
}
