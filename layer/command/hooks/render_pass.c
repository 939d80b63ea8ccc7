/* SPDX-License-Identifier: MIT
 *
 * Begin, next subpass and end of render pass instances.
 */
#include "command/fb_layers/fb_layers.h"
#include "command/pass/chain.h"
#include "command/pass/local_read.h"
#include "command/pass/order.h"
#include "command/pass/pass.h"
#include "command/pass/quiet.h"
#include "command/pass/split.h"
#include "command/state/target.h"
#include "command/state/views.h"
#include "vulkan/hooks.h"

/* Most instances are of the render pass of the last one, or of few. */
static const struct pgs_render_pass *kept_of(struct pgs_command_buffer *cb, VkRenderPass handle)
{
    struct pgs_known_pass *known = &cb->known_pass;
    const uint32_t destroyed = pgs_count_destroyed(&cb->dev->destroyed.render_passes);
    if (known->handle != handle || known->since != destroyed)
        *known = (struct pgs_known_pass){
            .handle = handle,
            .kept = pgs_render_pass_find(cb->dev->commands, handle),
            .since = destroyed,
        };
    return known->kept;
}

static void begin_render_pass(struct pgs_command_buffer *cb, enum pgs_begin kind,
                              const VkRenderPassBeginInfo *info, VkSubpassContents contents)
{
    const struct pgs_render_pass *kept = kept_of(cb, info->renderPass);
    pgs_pass_begin(cb, kept, pgs_render_pass_is_unqueued(cb, kept, info));
    pgs_fb_layers_note_framebuffer(cb, info->framebuffer);
    pgs_views_begin(cb, kept, 0);
    pgs_split_note_render_pass(cb, kind, info, contents, kept);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdBeginRenderPass(VkCommandBuffer commandBuffer,
                                                  const VkRenderPassBeginInfo *pRenderPassBegin,
                                                  VkSubpassContents contents)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdBeginRenderPass, pRenderPassBegin, contents);
        return;
    }
    begin_render_pass(cb, PGS_BEGIN_RENDER_PASS, pRenderPassBegin, contents);
    if (cb->recorder.queue)
        pgs_split_emit_begin(cb);
    else
        cb->recorder.vk->CmdBeginRenderPass(commandBuffer, pRenderPassBegin, contents);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdBeginRenderPass2(VkCommandBuffer commandBuffer,
                                                   const VkRenderPassBeginInfo *pRenderPassBegin,
                                                   const VkSubpassBeginInfo *pSubpassBeginInfo)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdBeginRenderPass2, pRenderPassBegin, pSubpassBeginInfo);
        return;
    }
    begin_render_pass(cb, PGS_BEGIN_RENDER_PASS2, pRenderPassBegin, pSubpassBeginInfo->contents);
    if (cb->recorder.queue)
        pgs_split_emit_begin(cb);
    else
        cb->recorder.vk->CmdBeginRenderPass2(commandBuffer, pRenderPassBegin, pSubpassBeginInfo);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdNextSubpass(VkCommandBuffer commandBuffer,
                                              VkSubpassContents contents)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdNextSubpass, contents);
        return;
    }
    pgs_pass_split_batch(cb); /* a dependency may separate the subpasses */
    pgs_views_next_subpass(cb);
    pgs_split_next_subpass(cb, contents);
    PGS_EMIT(cb, CmdNextSubpass, contents);
    pgs_order_next_subpass(cb);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdNextSubpass2(VkCommandBuffer commandBuffer,
                                               const VkSubpassBeginInfo *pSubpassBeginInfo,
                                               const VkSubpassEndInfo *pSubpassEndInfo)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdNextSubpass2, pSubpassBeginInfo, pSubpassEndInfo);
        return;
    }
    pgs_pass_split_batch(cb);
    pgs_views_next_subpass(cb);
    pgs_split_next_subpass(cb, pSubpassBeginInfo->contents);
    PGS_EMIT(cb, CmdNextSubpass2, pSubpassBeginInfo, pSubpassEndInfo);
    pgs_order_next_subpass(cb);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdEndRenderPass(VkCommandBuffer commandBuffer)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        pgs_recorder_get(commandBuffer)->vk->CmdEndRenderPass(commandBuffer);
        return;
    }
    PGS_EMIT0(cb, CmdEndRenderPass);
    pgs_pass_flush(cb);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdEndRenderPass2(VkCommandBuffer commandBuffer,
                                                 const VkSubpassEndInfo *pSubpassEndInfo)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdEndRenderPass2, pSubpassEndInfo);
        return;
    }
    PGS_EMIT(cb, CmdEndRenderPass2, pSubpassEndInfo);
    pgs_pass_flush(cb);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdBeginRendering(VkCommandBuffer commandBuffer,
                                                 const VkRenderingInfo *pRenderingInfo)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdBeginRendering, pRenderingInfo);
        return;
    }
    pRenderingInfo = pgs_rendering_unchain(cb, pRenderingInfo);
    pgs_pass_begin(cb, NULL, pgs_rendering_is_unqueued(cb, pRenderingInfo));
    pgs_fb_layers_note_rendering(cb, pRenderingInfo);
    pgs_views_begin_rendering(cb, pRenderingInfo->viewMask);
    pgs_local_read_begin(cb, pRenderingInfo->colorAttachmentCount);
    pgs_target_begin(cb, pRenderingInfo);
    pgs_split_note_rendering(cb, pRenderingInfo);
    if (cb->recorder.queue)
        pgs_split_emit_begin(cb);
    else
        cb->recorder.vk->CmdBeginRendering(commandBuffer, pRenderingInfo);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdEndRendering(VkCommandBuffer commandBuffer)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        pgs_recorder_get(commandBuffer)->vk->CmdEndRendering(commandBuffer);
        return;
    }
    PGS_EMIT0(cb, CmdEndRendering);
    pgs_pass_flush(cb);
}
