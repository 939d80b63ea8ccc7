/* SPDX-License-Identifier: MIT
 *
 * Barriers, events and timestamps. Waits on stages before the rasterizer, and waits by them, extend
 * to compute shaders. Inside a render pass only graphics stages are legal; there the order of the
 * batches replaces the barrier.
 */
#include "command/pass/order.h"
#include "command/pass/pass.h"
#include "command/pass/split.h"
#include "command/pass/sync.h"
#include "vulkan/hooks.h"

static bool in_pass(const struct pgs_command_buffer *cb)
{
    return cb->pass.state != PGS_PASS_NONE;
}

/* Image barriers count, as they also order draws. Buffer barriers are not allowed in a pass. */
static bool infos_link_draws(const VkDependencyInfo *info)
{
    bool linked = false;
    for (uint32_t i = 0; i < info->memoryBarrierCount; i++)
        linked |= pgs_stages_link_draws(info->pMemoryBarriers[i].srcStageMask,
                                        info->pMemoryBarriers[i].dstStageMask);
    for (uint32_t i = 0; i < info->imageMemoryBarrierCount; i++)
        linked |= pgs_stages_link_draws(info->pImageMemoryBarriers[i].srcStageMask,
                                        info->pImageMemoryBarriers[i].dstStageMask);
    return linked;
}

/* The captured buffers may have been read up to here. */
static void order_draws(struct pgs_command_buffer *cb)
{
    cb->plain = false;
    pgs_pass_split_batch(cb);
    if (cb->graphics.interval)
        pgs_captures_note(cb, cb->xfb);
}

static void note_order(struct pgs_command_buffer *cb, const struct pgs_barriers *b)
{
    VkAccessFlags access = 0;
    for (uint32_t i = 0; i < b->memory_count; i++)
        access |= b->memory[i].srcAccessMask;
    for (uint32_t i = 0; i < b->image_count; i++)
        access |= b->image[i].srcAccessMask;
    pgs_order_note_barrier(&cb->pass, b->source, access, b->target);
}

static void note_order2(struct pgs_command_buffer *cb, const VkDependencyInfo *info)
{
    for (uint32_t i = 0; i < info->memoryBarrierCount; i++)
        pgs_order_note_barrier(&cb->pass, info->pMemoryBarriers[i].srcStageMask,
                               info->pMemoryBarriers[i].srcAccessMask,
                               info->pMemoryBarriers[i].dstStageMask);
    for (uint32_t i = 0; i < info->imageMemoryBarrierCount; i++)
        pgs_order_note_barrier(&cb->pass, info->pImageMemoryBarriers[i].srcStageMask,
                               info->pImageMemoryBarriers[i].srcAccessMask,
                               info->pImageMemoryBarriers[i].dstStageMask);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdPipelineBarrier(
    VkCommandBuffer commandBuffer, VkPipelineStageFlags srcStageMask,
    VkPipelineStageFlags dstStageMask, VkDependencyFlags dependencyFlags,
    uint32_t memoryBarrierCount, const VkMemoryBarrier *pMemoryBarriers,
    uint32_t bufferMemoryBarrierCount, const VkBufferMemoryBarrier *pBufferMemoryBarriers,
    uint32_t imageMemoryBarrierCount, const VkImageMemoryBarrier *pImageMemoryBarriers)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdPipelineBarrier, srcStageMask, dstStageMask, dependencyFlags,
                    memoryBarrierCount, pMemoryBarriers, bufferMemoryBarrierCount,
                    pBufferMemoryBarriers, imageMemoryBarrierCount, pImageMemoryBarriers);
        return;
    }
    struct pgs_barriers b = {
        .source = srcStageMask,
        .target = dstStageMask,
        .memory_count = memoryBarrierCount,
        .buffer_count = bufferMemoryBarrierCount,
        .image_count = imageMemoryBarrierCount,
        .memory = pMemoryBarriers,
        .buffer = pBufferMemoryBarriers,
        .image = pImageMemoryBarriers,
    };
    if (in_pass(cb) && pgs_stages_link_draws(b.source, b.target)) {
        note_order(cb, &b);
        order_draws(cb);
    }
    pgs_arena_reset(&cb->scratch);
    pgs_recorder_latch(&cb->recorder, pgs_barriers_widen(cb->dev, &b, in_pass(cb), &cb->scratch));
    PGS_EMIT(cb, CmdPipelineBarrier, b.source, b.target, dependencyFlags, b.memory_count, b.memory,
             b.buffer_count, b.buffer, b.image_count, b.image);
}

/* NULL: out of host memory, which is latched. */
static const VkDependencyInfo *widen_infos(struct pgs_command_buffer *cb,
                                           const VkDependencyInfo *infos, uint32_t count,
                                           bool only_graphics)
{
    pgs_arena_reset(&cb->scratch);
    const VkDependencyInfo *widened =
        pgs_dependencies_widen(cb->dev, infos, count, only_graphics, &cb->scratch);
    if (!widened)
        pgs_recorder_latch(&cb->recorder, VK_ERROR_OUT_OF_HOST_MEMORY);
    return widened;
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdPipelineBarrier2(VkCommandBuffer commandBuffer,
                                                   const VkDependencyInfo *pDependencyInfo)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdPipelineBarrier2, pDependencyInfo);
        return;
    }
    if (in_pass(cb) && infos_link_draws(pDependencyInfo)) {
        note_order2(cb, pDependencyInfo);
        order_draws(cb);
    }
    const VkDependencyInfo *info = widen_infos(cb, pDependencyInfo, 1, in_pass(cb));
    if (info)
        PGS_EMIT(cb, CmdPipelineBarrier2, info);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetEvent(VkCommandBuffer commandBuffer, VkEvent event,
                                           VkPipelineStageFlags stageMask)
{
    const struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (cb)
        stageMask = (VkPipelineStageFlags)pgs_widen_stages(stageMask, cb->dev->native);
    pgs_recorder_get(commandBuffer)->vk->CmdSetEvent(commandBuffer, event, stageMask);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdResetEvent(VkCommandBuffer commandBuffer, VkEvent event,
                                             VkPipelineStageFlags stageMask)
{
    const struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (cb)
        stageMask = (VkPipelineStageFlags)pgs_widen_stages(stageMask, cb->dev->native);
    pgs_recorder_get(commandBuffer)->vk->CmdResetEvent(commandBuffer, event, stageMask);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetEvent2(VkCommandBuffer commandBuffer, VkEvent event,
                                            const VkDependencyInfo *pDependencyInfo)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetEvent2, event, pDependencyInfo);
        return;
    }
    const VkDependencyInfo *info = widen_infos(cb, pDependencyInfo, 1, false);
    if (info)
        cb->dev->vk.CmdSetEvent2(commandBuffer, event, info);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdResetEvent2(VkCommandBuffer commandBuffer, VkEvent event,
                                              VkPipelineStageFlags2 stageMask)
{
    const struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (cb)
        stageMask = pgs_widen_stages(stageMask, cb->dev->native);
    pgs_recorder_get(commandBuffer)->vk->CmdResetEvent2(commandBuffer, event, stageMask);
}

/* An event that a pass waits for was set before the pass, so the compute work may wait for it
 * before the pass, too. Masks are widened in a pass as well: the source masks must equal those that
 * the event was set with. */
VKAPI_ATTR void VKAPI_CALL pgs_CmdWaitEvents(
    VkCommandBuffer commandBuffer, uint32_t eventCount, const VkEvent *pEvents,
    VkPipelineStageFlags srcStageMask, VkPipelineStageFlags dstStageMask,
    uint32_t memoryBarrierCount, const VkMemoryBarrier *pMemoryBarriers,
    uint32_t bufferMemoryBarrierCount, const VkBufferMemoryBarrier *pBufferMemoryBarriers,
    uint32_t imageMemoryBarrierCount, const VkImageMemoryBarrier *pImageMemoryBarriers)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdWaitEvents, eventCount, pEvents, srcStageMask, dstStageMask,
                    memoryBarrierCount, pMemoryBarriers, bufferMemoryBarrierCount,
                    pBufferMemoryBarriers, imageMemoryBarrierCount, pImageMemoryBarriers);
        return;
    }
    struct pgs_barriers b = {
        .source = srcStageMask,
        .target = dstStageMask,
        .memory_count = memoryBarrierCount,
        .buffer_count = bufferMemoryBarrierCount,
        .image_count = imageMemoryBarrierCount,
        .memory = pMemoryBarriers,
        .buffer = pBufferMemoryBarriers,
        .image = pImageMemoryBarriers,
    };
    pgs_arena_reset(&cb->scratch);
    pgs_recorder_latch(&cb->recorder, pgs_barriers_widen(cb->dev, &b, false, &cb->scratch));
    if (cb->recorder.queue)
        pgs_recorder_latch(&cb->recorder,
                           pgs_enqueue_CmdWaitEvents(
                               &cb->before, eventCount, pEvents, b.source, b.target, b.memory_count,
                               b.memory, b.buffer_count, b.buffer, b.image_count, b.image));
    PGS_EMIT(cb, CmdWaitEvents, eventCount, pEvents, b.source, b.target, b.memory_count, b.memory,
             b.buffer_count, b.buffer, b.image_count, b.image);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdWaitEvents2(VkCommandBuffer commandBuffer, uint32_t eventCount,
                                              const VkEvent *pEvents,
                                              const VkDependencyInfo *pDependencyInfos)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdWaitEvents2, eventCount, pEvents, pDependencyInfos);
        return;
    }
    const VkDependencyInfo *infos = widen_infos(cb, pDependencyInfos, eventCount, false);
    if (!infos)
        return;
    if (cb->recorder.queue)
        pgs_recorder_latch(&cb->recorder,
                           pgs_enqueue_CmdWaitEvents2(&cb->before, eventCount, pEvents, infos));
    PGS_EMIT(cb, CmdWaitEvents2, eventCount, pEvents, infos);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdWriteTimestamp(VkCommandBuffer commandBuffer,
                                                 VkPipelineStageFlagBits pipelineStage,
                                                 VkQueryPool queryPool, uint32_t query)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdWriteTimestamp, pipelineStage, queryPool, query);
        return;
    }
    PGS_EMIT(cb, CmdWriteTimestamp,
             (VkPipelineStageFlagBits)pgs_native_stage(pipelineStage, cb->dev->native), queryPool,
             query);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdWriteTimestamp2(VkCommandBuffer commandBuffer,
                                                  VkPipelineStageFlags2 stage,
                                                  VkQueryPool queryPool, uint32_t query)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdWriteTimestamp2, stage, queryPool, query);
        return;
    }
    PGS_EMIT(cb, CmdWriteTimestamp2, pgs_native_stage(stage, cb->dev->native), queryPool, query);
}
