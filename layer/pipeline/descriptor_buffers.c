/* SPDX-License-Identifier: MIT */
#include "pipeline/descriptor_buffers.h"

#include "base/log.h"
#include "vulkan/chain.h"

#include <string.h>

/* The usage that the chain has in place of the member. */
static void read_usage(struct pgs_descriptor_buffer *to,
                       const VkDescriptorBufferBindingInfoEXT *info)
{
    to->usage = info->usage;
#ifdef VK_KHR_maintenance5
    const VkBufferUsageFlags2CreateInfoKHR *wide =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO_KHR);
    if (wide) {
        to->usage = wide->usage;
        to->has_wide_usage = true;
    }
#endif
}

bool pgs_descriptor_buffers_read(struct pgs_descriptor_buffers *to, uint32_t count,
                                 const VkDescriptorBufferBindingInfoEXT *infos)
{
    memset(to, 0, sizeof(*to));
    if (count > PGS_MAX_DESCRIPTOR_BUFFERS) {
        pgs_log(PGS_LOG_ERROR,
                "%u descriptor buffers are bound, and the layer supports %d: vkEndCommandBuffer "
                "fails",
                count, PGS_MAX_DESCRIPTOR_BUFFERS);
        return false;
    }
    to->count = count;
    for (uint32_t i = 0; i < count; i++) {
        const VkDescriptorBufferBindingPushDescriptorBufferHandleEXT *push = pgs_chain_find(
            infos[i].pNext,
            VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_PUSH_DESCRIPTOR_BUFFER_HANDLE_EXT);
        to->items[i].address = infos[i].address;
        to->items[i].push = push ? push->buffer : VK_NULL_HANDLE;
        read_usage(&to->items[i], &infos[i]);
    }
    return true;
}

static size_t used_B(const struct pgs_descriptor_buffers *buffers)
{
    return offsetof(struct pgs_descriptor_buffers, items) +
           buffers->count * sizeof(buffers->items[0]);
}

const struct pgs_descriptor_buffers *
pgs_descriptor_buffers_keep(struct pgs_arena *arena, const struct pgs_descriptor_buffers *from)
{
    struct pgs_descriptor_buffers *kept =
        pgs_arena_alloc(arena, sizeof(*kept), _Alignof(struct pgs_descriptor_buffers));
    if (kept)
        memcpy(kept, from, used_B(from));
    return kept;
}

bool pgs_descriptor_buffers_match(const struct pgs_descriptor_buffers *a,
                                  const struct pgs_descriptor_buffers *b)
{
    if (a == b)
        return true;
    return a && b && a->count == b->count && memcmp(a, b, used_B(a)) == 0;
}

/* -- binding -- */

static void fill_info(const struct pgs_descriptor_buffer *from,
                      struct pgs_descriptor_buffer_infos *to, uint32_t i)
{
    VkDescriptorBufferBindingInfoEXT *info = &to->infos[i];
    *info = (VkDescriptorBufferBindingInfoEXT){
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
        .address = from->address,
        .usage = (VkBufferUsageFlags)from->usage,
    };
#ifdef VK_KHR_maintenance5
    if (from->has_wide_usage) {
        to->usages[i] = (VkBufferUsageFlags2CreateInfoKHR){
            .sType = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO_KHR, .usage = from->usage};
        info->pNext = &to->usages[i];
    }
#endif
    if (!from->push)
        return;
    to->pushes[i] = (VkDescriptorBufferBindingPushDescriptorBufferHandleEXT){
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_PUSH_DESCRIPTOR_BUFFER_HANDLE_EXT,
        .pNext = (void *)info->pNext,
        .buffer = from->push,
    };
    info->pNext = &to->pushes[i];
}

void pgs_descriptor_buffers_fill(const struct pgs_descriptor_buffers *buffers,
                                 struct pgs_descriptor_buffer_infos *to)
{
    for (uint32_t i = 0; i < buffers->count; i++)
        fill_info(&buffers->items[i], to, i);
}

void pgs_descriptor_buffers_bind(const struct pgs_descriptor_buffers *buffers,
                                 const struct pgs_device_dispatch *vk, VkCommandBuffer cb)
{
    struct pgs_descriptor_buffer_infos infos;
    pgs_descriptor_buffers_fill(buffers, &infos);
    vk->CmdBindDescriptorBuffersEXT(cb, buffers->count, infos.infos);
}

void pgs_tracked_set_bind(VkDescriptorSet set, VkPipelineBindPoint point, VkPipelineLayout layout,
                          uint32_t index, uint32_t offset_count, const uint32_t *offsets,
                          const struct pgs_device_dispatch *vk, VkCommandBuffer cb)
{
    if (set == PGS_BUFFER_SET) {
        const VkDeviceSize offset_B = offsets[1] | (VkDeviceSize)offsets[2] << 32;
        vk->CmdSetDescriptorBufferOffsetsEXT(cb, point, layout, index, 1, &offsets[0], &offset_B);
    } else if (set == PGS_EMBEDDED_SET) {
        vk->CmdBindDescriptorBufferEmbeddedSamplersEXT(cb, point, layout, index);
    } else {
        vk->CmdBindDescriptorSets(cb, point, layout, index, 1, &set, offset_count, offsets);
    }
}
