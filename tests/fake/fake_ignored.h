/* SPDX-License-Identifier: MIT
 *
 * Commands of a driver that has nothing to do, where a test does not look at them. To be included
 * by one file of a program.
 */
#ifndef FAKE_IGNORED_H
#define FAKE_IGNORED_H

#include <vulkan/vulkan.h>

#define FAKE_IGNORES_DESTROY(name, Type)                                                           \
    static inline void name(VkDevice d, Type gone, const VkAllocationCallbacks *allocator)         \
    {                                                                                              \
        (void)d, (void)gone, (void)allocator;                                                      \
    }
#define FAKE_IGNORES_BIND(name, Type)                                                              \
    static inline VkResult name(VkDevice d, Type to, VkDeviceMemory memory, VkDeviceSize offset)   \
    {                                                                                              \
        (void)d, (void)to, (void)memory, (void)offset;                                             \
        return VK_SUCCESS;                                                                         \
    }
FAKE_IGNORES_DESTROY(ignore_destroyed_buffer, VkBuffer)
FAKE_IGNORES_DESTROY(ignore_destroyed_image, VkImage)
FAKE_IGNORES_DESTROY(ignore_destroyed_pass, VkRenderPass)
FAKE_IGNORES_BIND(ignore_bound_buffer, VkBuffer)
FAKE_IGNORES_BIND(ignore_bound_image, VkImage)

static inline void ignore_vertex_buffers(VkCommandBuffer cb, uint32_t first, uint32_t count,
                                         const VkBuffer *buffers, const VkDeviceSize *offsets)
{
    (void)cb, (void)first, (void)count, (void)buffers, (void)offsets;
}

static inline void ignore_sets(VkCommandBuffer cb, VkPipelineBindPoint point,
                               VkPipelineLayout layout, uint32_t first, uint32_t count,
                               const VkDescriptorSet *sets, uint32_t offset_count,
                               const uint32_t *offsets)
{
    (void)cb, (void)point, (void)layout, (void)first, (void)count, (void)sets;
    (void)offset_count, (void)offsets;
}

static inline void ignore_barrier(VkCommandBuffer cb, VkPipelineStageFlags source,
                                  VkPipelineStageFlags target, VkDependencyFlags flags,
                                  uint32_t memory_count, const VkMemoryBarrier *memory,
                                  uint32_t buffer_count, const VkBufferMemoryBarrier *buffer,
                                  uint32_t image_count, const VkImageMemoryBarrier *image)
{
    (void)cb, (void)source, (void)target, (void)flags, (void)memory_count, (void)memory;
    (void)buffer_count, (void)buffer, (void)image_count, (void)image;
}

#endif
