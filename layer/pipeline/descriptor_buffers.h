/* SPDX-License-Identifier: MIT
 *
 * VK_EXT_descriptor_buffer: the buffers that a command buffer has bound, and how tracked state says
 * where in them a set is. Set layouts of such sets are visible to all stages that the layer may run
 * their shaders in, so a set is the same wherever it is needed.
 */
#ifndef PGS_PIPELINE_DESCRIPTOR_BUFFERS_H
#define PGS_PIPELINE_DESCRIPTOR_BUFFERS_H

#include "base/arena.h"
#include "vulkan/device.h"

/* Stand in tracked state for the handles of sets. The first has PGS_BUFFER_SET_WORDS "dynamic
 * offsets": the number of the buffer, and the offset in it, low word first. */
#define PGS_BUFFER_SET ((VkDescriptorSet)(UINT64_MAX - 1))
#define PGS_EMBEDDED_SET ((VkDescriptorSet)(UINT64_MAX - 2)) /* immutable samplers alone */
#define PGS_BUFFER_SET_WORDS 3

#define PGS_MAX_DESCRIPTOR_BUFFERS 32

/* vkCmdBindDescriptorBuffersEXT. Zero-initialised: none. */
struct pgs_descriptor_buffers {
    uint32_t count;
    struct pgs_descriptor_buffer {
        VkDeviceAddress address;
        uint64_t usage;      /* the wider one, if the chain has it */
        VkBuffer push;       /* of push descriptors; VK_NULL_HANDLE: none is named */
        bool has_wide_usage; /* the chain has it */
    } items[PGS_MAX_DESCRIPTOR_BUFFERS];
};

/* False, and logged, if there are more than the layer keeps. */
bool pgs_descriptor_buffers_read(struct pgs_descriptor_buffers *to, uint32_t count,
                                 const VkDescriptorBufferBindingInfoEXT *infos);

/* A copy in the arena. NULL: out of memory. */
const struct pgs_descriptor_buffers *
pgs_descriptor_buffers_keep(struct pgs_arena *arena, const struct pgs_descriptor_buffers *from);

/* Both may be NULL. */
bool pgs_descriptor_buffers_match(const struct pgs_descriptor_buffers *a,
                                  const struct pgs_descriptor_buffers *b);

/* Arguments of vkCmdBindDescriptorBuffersEXT, which point to each other. */
struct pgs_descriptor_buffer_infos {
    VkDescriptorBufferBindingInfoEXT infos[PGS_MAX_DESCRIPTOR_BUFFERS];
    VkDescriptorBufferBindingPushDescriptorBufferHandleEXT pushes[PGS_MAX_DESCRIPTOR_BUFFERS];
#ifdef VK_KHR_maintenance5
    VkBufferUsageFlags2CreateInfoKHR usages[PGS_MAX_DESCRIPTOR_BUFFERS];
#endif
};

void pgs_descriptor_buffers_fill(const struct pgs_descriptor_buffers *buffers,
                                 struct pgs_descriptor_buffer_infos *to);

/* Binds them; then no set is in a buffer any more, for either bind point. */
void pgs_descriptor_buffers_bind(const struct pgs_descriptor_buffers *buffers,
                                 const struct pgs_device_dispatch *vk, VkCommandBuffer cb);

/* Binds a set as tracked state has it: at its place in a buffer, its embedded samplers, or with
 * vkCmdBindDescriptorSets. Not for PGS_PUSHED_SET. */
void pgs_tracked_set_bind(VkDescriptorSet set, VkPipelineBindPoint point, VkPipelineLayout layout,
                          uint32_t index, uint32_t offset_count, const uint32_t *offsets,
                          const struct pgs_device_dispatch *vk, VkCommandBuffer cb);

/* Whether sets of a layout with these flags are in descriptor buffers. */
static inline bool pgs_is_buffered(VkDescriptorSetLayoutCreateFlags flags)
{
    return flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
}

#endif
