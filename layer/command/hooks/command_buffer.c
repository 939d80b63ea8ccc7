/* SPDX-License-Identifier: MIT
 *
 * Begin, End and Reset of a command buffer.
 */
#include "command/pass/layer_queries.h"
#include "command/pass/lifetime.h"
#include "command/pass/local_read.h"
#include "command/pass/pass.h"
#include "command/pass/resumable.h"
#include "command/state/condition.h"
#include "command/state/query_state.h"
#include "command/state/target.h"
#include "command/state/views.h"
#include "vulkan/chain.h"
#include "vulkan/hooks.h"

/* Begins it in the driver. Removes from the inheritance what only the layer implements: statistics
 * that it counts, and the condition of whole passes. */
static VkResult begin_inheriting(struct pgs_command_buffer *cb,
                                 const VkCommandBufferBeginInfo *info)
{
    static const VkStructureType condition =
        VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT;
    const VkCommandBufferInheritanceInfo *inherited = info->pInheritanceInfo;
    VkCommandBufferBeginInfo below = *info;
    VkCommandBufferInheritanceInfo rest = *inherited;
    below.pInheritanceInfo = &rest;
    if (cb->dev->queries)
        rest.pipelineStatistics &= ~pgs_statistics_of_layer(cb->dev);
    void *block = NULL;
    VkResult result = VK_SUCCESS;
    if (!cb->continues)
        result = pgs_chain_copy_prefix(inherited->pNext, &condition, 1, &rest.pNext, &block);
    if (result != VK_SUCCESS)
        return result;
    if (block)
        pgs_chain_remove(&rest.pNext, &condition, 1);
    result = cb->dev->vk.BeginCommandBuffer(cb->handle, &below);
    pgs_free(block);
    if (result == VK_SUCCESS)
        pgs_query_inherit(cb, inherited->pipelineStatistics);
    if (result == VK_SUCCESS && !cb->continues)
        pgs_condition_inherit(cb, inherited);
    return result;
}

/* It begins within a pass. */
static void continue_pass(struct pgs_command_buffer *cb,
                          const VkCommandBufferInheritanceInfo *inherited)
{
    cb->pass.begin = (struct pgs_noted_begin){0};
    pgs_local_read_inherit(cb, inherited);
    pgs_target_inherit(cb, inherited);
    pgs_pass_begin(cb, NULL,
                   !pgs_pipelines_possible(cb->dev) &&
                       pgs_inherited_pass_is_resumable(cb->dev, inherited));
    pgs_layer_queries_inherit(cb, inherited);
    pgs_views_inherit(cb, inherited);
    pgs_condition_inherit(cb, inherited);
}

static PGS_SLOW VkResult begin_secondary(struct pgs_command_buffer *cb,
                                         const VkCommandBufferBeginInfo *info)
{
    cb->continues = info->flags & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
    const VkResult result = info->pInheritanceInfo
                                ? begin_inheriting(cb, info)
                                : cb->dev->vk.BeginCommandBuffer(cb->handle, info);
    if (result == VK_SUCCESS && cb->continues)
        continue_pass(cb, info->pInheritanceInfo);
    return result;
}

static PGS_SLOW VkResult fail(struct pgs_command_buffer *cb, VkResult result)
{
    pgs_command_buffer_reset(cb, false);
    return result;
}

static inline VkResult begin(struct pgs_command_buffer *cb, const VkCommandBufferBeginInfo *info)
{
    pgs_command_buffer_reset(cb, true);
    cb->graphics.is_once = info->flags & VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    cb->memory_use.simultaneous = info->flags & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
    const VkResult result = cb->level == VK_COMMAND_BUFFER_LEVEL_SECONDARY
                                ? begin_secondary(cb, info)
                                : cb->dev->vk.BeginCommandBuffer(cb->handle, info);
    return PGS_LIKELY(result == VK_SUCCESS) ? result : fail(cb, result);
}

static PGS_SLOW VkResult begin_elsewhere(VkCommandBuffer commandBuffer,
                                         const VkCommandBufferBeginInfo *pBeginInfo)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(commandBuffer);
    return cb ? begin(cb, pBeginInfo) : PGS_FORWARD(commandBuffer, BeginCommandBuffer, pBeginInfo);
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_BeginCommandBuffer(VkCommandBuffer commandBuffer,
                                                      const VkCommandBufferBeginInfo *pBeginInfo)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_last(commandBuffer);
    return PGS_LIKELY(cb != NULL) ? begin(cb, pBeginInfo)
                                  : begin_elsewhere(commandBuffer, pBeginInfo);
}

/* Ends a secondary that continues a pass. Its queue is kept, as a primary may have to replay it in
 * place, unless the driver executes it. */
static void end_continuing(struct pgs_command_buffer *cb)
{
    const bool queued = cb->recorder.queue != NULL;
    /* What executes a secondary without a queue cannot be replayed elsewhere. */
    cb->queue_kept = queued && !cb->pass.executes_unqueued && !cb->executable;
    cb->recorder.queue = NULL;
    pgs_pass_check(cb);
    pgs_pass_seal(cb);
    cb->pass.state = PGS_PASS_NONE;
    pgs_compute_state_end_pass(&cb->compute);
    if (queued && (!cb->emulates || cb->executable) && cb->recorder.result == VK_SUCCESS)
        pgs_queue_replay(&cb->queue, cb->handle,
                         cb->pass.executes_emulated ? &cb->dev->commands->inline_vk : &cb->dev->vk,
                         NULL);
}

static PGS_SLOW VkResult end_slowly(VkCommandBuffer commandBuffer)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(commandBuffer);
    if (!cb)
        return pgs_recorder_get(commandBuffer)->vk->EndCommandBuffer(commandBuffer);
    if (cb->continues)
        end_continuing(cb);
    if (cb->heeds_inherited)
        pgs_condition_end(cb, &cb->inherited);
    if (cb->ended_queries && !cb->continues)
        pgs_query_record_to_host(cb->dev, commandBuffer);
    if (cb->batches_keep) {
        pgs_batch_give_unused(cb->batches.items[0]);
        cb->batches_keep = cb->batches_used;
    }
    const VkResult result = cb->dev->vk.EndCommandBuffer(commandBuffer);
    return cb->recorder.result != VK_SUCCESS ? cb->recorder.result : result;
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_EndCommandBuffer(VkCommandBuffer commandBuffer)
{
    const struct pgs_command_buffer *cb = pgs_command_buffer_last(commandBuffer);
    if (PGS_LIKELY(cb && cb->plain && cb->recorder.result == VK_SUCCESS))
        return cb->dev->vk.EndCommandBuffer(commandBuffer);
    return end_slowly(commandBuffer);
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_ResetCommandBuffer(VkCommandBuffer commandBuffer,
                                                      VkCommandBufferResetFlags flags)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(commandBuffer);
    if (!cb)
        return PGS_FORWARD(commandBuffer, ResetCommandBuffer, flags);
    const VkResult result = cb->dev->vk.ResetCommandBuffer(commandBuffer, flags);
    if (result == VK_SUCCESS)
        pgs_command_buffer_reset(cb, false);
    return result;
}
