/* SPDX-License-Identifier: MIT */
#include "command/state/views.h"

#include "vulkan/chain.h"

static VkResult make_masks(uint32_t subpass_count, struct pgs_render_pass *pass)
{
    pass->view_masks = pgs_calloc(subpass_count, sizeof(*pass->view_masks));
    return pass->view_masks ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VkResult pgs_views_keep(const VkRenderPassCreateInfo *info, struct pgs_render_pass *pass)
{
    const VkRenderPassMultiviewCreateInfo *views =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO);
    if (!views || !views->subpassCount || !views->pViewMasks[0])
        return VK_SUCCESS; /* either all subpasses have views, or none */
    const VkResult result = make_masks(info->subpassCount, pass);
    for (uint32_t i = 0; result == VK_SUCCESS && i < info->subpassCount; i++)
        pass->view_masks[i] = i < views->subpassCount ? views->pViewMasks[i] : 0;
    return result;
}

VkResult pgs_views_keep2(const VkRenderPassCreateInfo2 *info, struct pgs_render_pass *pass)
{
    if (!info->pSubpasses[0].viewMask)
        return VK_SUCCESS;
    const VkResult result = make_masks(info->subpassCount, pass);
    for (uint32_t i = 0; result == VK_SUCCESS && i < info->subpassCount; i++)
        pass->view_masks[i] = info->pSubpasses[i].viewMask;
    return result;
}

static void begin(struct pgs_command_buffer *cb, uint32_t mask, const uint32_t *next)
{
    cb->graphics.view_count = 0;
    for (; mask; mask &= mask - 1)
        cb->graphics.view_count++;
    cb->pass.next_views = next;
    pgs_state_changed(cb);
}

void pgs_views_begin(struct pgs_command_buffer *cb, const struct pgs_render_pass *pass,
                     uint32_t subpass)
{
    if (pass && pass->view_masks)
        begin(cb, pass->view_masks[subpass], &pass->view_masks[subpass + 1]);
    else
        begin(cb, 0, NULL);
}

void pgs_views_begin_rendering(struct pgs_command_buffer *cb, uint32_t view_mask)
{
    begin(cb, view_mask, NULL);
}

void pgs_views_inherit(struct pgs_command_buffer *cb,
                       const VkCommandBufferInheritanceInfo *inherited)
{
    const VkCommandBufferInheritanceRenderingInfo *rendering = NULL;
    if (inherited && inherited->renderPass) {
        pgs_views_begin(cb, pgs_render_pass_find(cb->dev->commands, inherited->renderPass),
                        inherited->subpass);
        return;
    }
    if (inherited)
        rendering = pgs_chain_find(inherited->pNext,
                                   VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO);
    begin(cb, rendering ? rendering->viewMask : 0, NULL);
}

void pgs_views_next_subpass(struct pgs_command_buffer *cb)
{
    const uint32_t *next = cb->pass.next_views;
    if (next)
        begin(cb, *next, next + 1);
}

uint32_t pgs_views_query_count(const struct pgs_command_buffer *cb)
{
    return cb->graphics.view_count ? cb->graphics.view_count : 1;
}
