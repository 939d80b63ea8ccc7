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

static PGS_SLOW void begin_render_pass(struct pgs_command_buffer *cb, enum pgs_begin kind,
                                       const VkRenderPassBeginInfo *info,
                                       VkSubpassContents contents)
{
    const struct pgs_render_pass *kept = kept_of(cb, info->renderPass);
    pgs_pass_begin(cb, kept, pgs_render_pass_is_unqueued(cb, kept, info));
    pgs_fb_layers_note_framebuffer(cb, info->framebuffer);
    pgs_views_begin(cb, kept, 0);
    pgs_split_note_render_pass(cb, kind, info, contents, kept);
}

/* True: the driver may begin it at once, as most in a plain command buffer. False means nothing.
 * Calls nothing, so that the hooks save no registers. */
static inline bool begin_plainly(struct pgs_command_buffer *cb, enum pgs_begin kind,
                                 const VkRenderPassBeginInfo *info, VkSubpassContents contents)
{
    const struct pgs_known_pass *known = &cb->known_pass;
    if (!cb->plain || info->pNext || known->handle != info->renderPass || !known->kept ||
        known->since != pgs_count_destroyed(&cb->dev->destroyed.render_passes) ||
        !pgs_render_pass_is_plain(cb, known->kept, info))
        return false;
    cb->pass.state = PGS_PASS_UNQUEUED;
    pgs_recorder_go_direct(&cb->recorder, cb->handle);
    pgs_views_begin_none(cb);
    pgs_split_note_begun(cb, kind, info, contents, known->kept);
    return true;
}

static PGS_SLOW void begin_render_pass_slowly(VkCommandBuffer commandBuffer,
                                              const VkRenderPassBeginInfo *pRenderPassBegin,
                                              VkSubpassContents contents)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(commandBuffer);
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

VKAPI_ATTR void VKAPI_CALL pgs_CmdBeginRenderPass(VkCommandBuffer commandBuffer,
                                                  const VkRenderPassBeginInfo *pRenderPassBegin,
                                                  VkSubpassContents contents)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_last(commandBuffer);
    if (PGS_LIKELY(cb && begin_plainly(cb, PGS_BEGIN_RENDER_PASS, pRenderPassBegin, contents)))
        cb->recorder.vk->CmdBeginRenderPass(commandBuffer, pRenderPassBegin, contents);
    else
        begin_render_pass_slowly(commandBuffer, pRenderPassBegin, contents);
}

static PGS_SLOW void begin_render_pass2_slowly(VkCommandBuffer commandBuffer,
                                               const VkRenderPassBeginInfo *pRenderPassBegin,
                                               const VkSubpassBeginInfo *pSubpassBeginInfo)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(commandBuffer);
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

VKAPI_ATTR void VKAPI_CALL pgs_CmdBeginRenderPass2(VkCommandBuffer commandBuffer,
                                                   const VkRenderPassBeginInfo *pRenderPassBegin,
                                                   const VkSubpassBeginInfo *pSubpassBeginInfo)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_last(commandBuffer);
    if (PGS_LIKELY(cb && begin_plainly(cb, PGS_BEGIN_RENDER_PASS2, pRenderPassBegin,
                                       pSubpassBeginInfo->contents)))
        cb->recorder.vk->CmdBeginRenderPass2(commandBuffer, pRenderPassBegin, pSubpassBeginInfo);
    else
        begin_render_pass2_slowly(commandBuffer, pRenderPassBegin, pSubpassBeginInfo);
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

static PGS_SLOW void end_render_pass_slowly(VkCommandBuffer commandBuffer)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(commandBuffer);
    if (!cb) {
        pgs_recorder_get(commandBuffer)->vk->CmdEndRenderPass(commandBuffer);
        return;
    }
    PGS_EMIT0(cb, CmdEndRenderPass);
    pgs_pass_flush(cb);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdEndRenderPass(VkCommandBuffer commandBuffer)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_last(commandBuffer);
    if (PGS_LIKELY(cb && pgs_pass_end_unqueued(cb)))
        cb->recorder.vk->CmdEndRenderPass(commandBuffer);
    else
        end_render_pass_slowly(commandBuffer);
}

static PGS_SLOW void end_render_pass2_slowly(VkCommandBuffer commandBuffer,
                                             const VkSubpassEndInfo *pSubpassEndInfo)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdEndRenderPass2, pSubpassEndInfo);
        return;
    }
    PGS_EMIT(cb, CmdEndRenderPass2, pSubpassEndInfo);
    pgs_pass_flush(cb);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdEndRenderPass2(VkCommandBuffer commandBuffer,
                                                 const VkSubpassEndInfo *pSubpassEndInfo)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_last(commandBuffer);
    if (PGS_LIKELY(cb && pgs_pass_end_unqueued(cb)))
        cb->recorder.vk->CmdEndRenderPass2(commandBuffer, pSubpassEndInfo);
    else
        end_render_pass2_slowly(commandBuffer, pSubpassEndInfo);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdBeginRendering(VkCommandBuffer commandBuffer,
                                                 const VkRenderingInfo *pRenderingInfo)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(commandBuffer);
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

static PGS_SLOW void end_rendering_slowly(VkCommandBuffer commandBuffer)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(commandBuffer);
    if (!cb) {
        pgs_recorder_get(commandBuffer)->vk->CmdEndRendering(commandBuffer);
        return;
    }
    PGS_EMIT0(cb, CmdEndRendering);
    pgs_pass_flush(cb);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdEndRendering(VkCommandBuffer commandBuffer)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_last(commandBuffer);
    if (PGS_LIKELY(cb && pgs_pass_end_unqueued(cb)))
        cb->recorder.vk->CmdEndRendering(commandBuffer);
    else
        end_rendering_slowly(commandBuffer);
}
