/* SPDX-License-Identifier: MIT */
#include "command/state/target.h"

#include "vulkan/chain.h"

#include <string.h>

VkResult pgs_target_note_view(struct pgs_device *dev, VkImageView view, VkFormat format)
{
    if (!dev->object_state_count || !format)
        return VK_SUCCESS;
    return pgs_map_insert(&dev->commands->view_formats, (uint64_t)view, (void *)(uintptr_t)format)
               ? VK_SUCCESS
               : VK_ERROR_OUT_OF_HOST_MEMORY;
}

void pgs_target_forget_view(struct pgs_device *dev, VkImageView view)
{
    if (dev->object_state_count)
        pgs_map_remove(&dev->commands->view_formats, (uint64_t)view);
}

static VkFormat format_of(const struct pgs_command_buffer *cb,
                          const VkRenderingAttachmentInfo *attachment)
{
    if (!attachment || !attachment->imageView)
        return VK_FORMAT_UNDEFINED;
    return (VkFormat)(uintptr_t)pgs_map_find(&cb->dev->commands->view_formats,
                                             (uint64_t)attachment->imageView);
}

/* The extension is not reported where there could be more. */
static uint32_t color_count(uint32_t count)
{
    return count < PGS_OBJECT_MAX_COLORS ? count : PGS_OBJECT_MAX_COLORS;
}

void pgs_target_begin(struct pgs_command_buffer *cb, const VkRenderingInfo *info)
{
    struct pgs_object_target *target = &cb->pass.target;
    if (!cb->dev->object_state_count)
        return;
    memset(target, 0, sizeof(*target));
    target->view_mask = info->viewMask;
    target->color_count = color_count(info->colorAttachmentCount);
    for (uint32_t i = 0; i < target->color_count; i++)
        target->colors[i] = format_of(cb, &info->pColorAttachments[i]);
    target->depth = format_of(cb, info->pDepthAttachment);
    target->stencil = format_of(cb, info->pStencilAttachment);
}

void pgs_target_inherit(struct pgs_command_buffer *cb, const VkCommandBufferInheritanceInfo *info)
{
    struct pgs_object_target *target = &cb->pass.target;
    if (!cb->dev->object_state_count)
        return;
    memset(target, 0, sizeof(*target));
    const VkCommandBufferInheritanceRenderingInfo *rendering = pgs_chain_find(
        info ? info->pNext : NULL, VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO);
    if (!rendering)
        return;
    target->view_mask = rendering->viewMask;
    target->color_count = color_count(rendering->colorAttachmentCount);
    for (uint32_t i = 0; i < target->color_count; i++)
        target->colors[i] = rendering->pColorAttachmentFormats[i];
    target->depth = rendering->depthAttachmentFormat;
    target->stencil = rendering->stencilAttachmentFormat;
}

/* True if there is anything to copy; what does not fit is left out. */
static bool copy_words(uint32_t *to, const uint32_t *from, uint32_t count)
{
    if (from)
        memcpy(to, from,
               (count < PGS_OBJECT_MAX_COLORS ? count : PGS_OBJECT_MAX_COLORS) * sizeof(*to));
    return from != NULL;
}

void pgs_target_read(const struct pgs_command_buffer *cb, struct pgs_object_target *target)
{
    const struct pgs_local_read *set = &cb->pass.local_read;
    memcpy(target, &cb->pass.target, sizeof(*target));
    if (copy_words(target->locations, set->locations, set->location_count))
        target->maps |= PGS_MAP_LOCATIONS;
    if (copy_words(target->indices, set->indices, set->index_count))
        target->maps |= PGS_MAP_INDICES;
    if (copy_words(&target->depth_index, set->depth_index, 1))
        target->maps |= PGS_MAP_DEPTH_INDEX;
    if (copy_words(&target->stencil_index, set->stencil_index, 1))
        target->maps |= PGS_MAP_STENCIL_INDEX;
}
