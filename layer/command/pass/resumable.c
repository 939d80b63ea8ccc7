/* SPDX-License-Identifier: MIT */
#include "command/pass/resumable.h"

#include "command/pass/split_locations.h"
#include "command/pass/split_render_pass.h"
#include "command/state/attachment.h"
#include "command/state/buffer.h"
#include "vulkan/chain.h"

/* `locations` may be NULL. */
static bool is_resumable(const struct pgs_render_pass *kept,
                         const VkRenderPassSampleLocationsBeginInfoEXT *locations)
{
    if (!kept)
        return true;
    if (!pgs_split_pass_splits_anywhere(kept->split))
        return false;
    if (!kept->view_masks && !locations)
        return true;
    for (uint32_t i = 0; i < pgs_split_pass_subpass_count(kept->split); i++)
        if ((kept->view_masks && kept->view_masks[i]) ||
            (locations && !pgs_split_locations_stay(locations, kept->split, i)))
            return false;
    return true;
}

void pgs_render_pass_note_resumable(struct pgs_render_pass *pass)
{
    pass->resumable = is_resumable(pass, NULL);
    pass->loses_nothing = pass->resumable && pgs_split_pass_stores_all(pass->split);
}

static const VkRenderPassSampleLocationsBeginInfoEXT *
locations_of(const VkRenderPassBeginInfo *info)
{
    return pgs_chain_find(info->pNext,
                          VK_STRUCTURE_TYPE_RENDER_PASS_SAMPLE_LOCATIONS_BEGIN_INFO_EXT);
}

bool pgs_render_pass_is_resumable(const struct pgs_render_pass *kept,
                                  const VkRenderPassBeginInfo *info)
{
    if (kept && !info->pNext)
        return kept->resumable;
    return is_resumable(kept, locations_of(info));
}

bool pgs_render_pass_loses_nothing(const struct pgs_render_pass *kept,
                                   const VkRenderPassBeginInfo *info)
{
    if (kept && !info->pNext)
        return kept->loses_nothing;
    return kept && pgs_split_pass_stores_all(kept->split) && is_resumable(kept, locations_of(info));
}

bool pgs_rendering_is_resumable(const VkRenderingInfo *info)
{
    return !info->viewMask && !pgs_has_lone_samples(info->pNext);
}

/* In a pass that is recorded once for each layer it is recorded as often, too. */
bool pgs_inherited_pass_is_resumable(const struct pgs_device *dev,
                                     const VkCommandBufferInheritanceInfo *info)
{
    return !dev->physical->replays_layers && !dev->physical->traits.keeps_passes &&
           (!info || !info->renderPass ||
            is_resumable(pgs_render_pass_find(dev->commands, info->renderPass), NULL));
}

static bool stays(const VkRenderingAttachmentInfo *a, VkImageAspectFlagBits aspect)
{
    return !a || !a->imageView ||
           pgs_attachment_stays(a->loadOp, a->storeOp, a->imageLayout, aspect);
}

bool pgs_rendering_stores_all(const VkRenderingInfo *info)
{
    bool all = stays(info->pDepthAttachment, VK_IMAGE_ASPECT_DEPTH_BIT) &&
               stays(info->pStencilAttachment, VK_IMAGE_ASPECT_STENCIL_BIT);
    for (uint32_t i = 0; i < info->colorAttachmentCount; i++)
        all &= stays(&info->pColorAttachments[i], VK_IMAGE_ASPECT_COLOR_BIT);
    return all;
}

bool pgs_rendering_loses_nothing(const VkRenderingInfo *info)
{
    return pgs_rendering_is_resumable(info) && pgs_rendering_stores_all(info);
}
