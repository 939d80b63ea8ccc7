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

/* Removes from the inheritance what only the layer implements: statistics that it counts, and the
 * condition of whole passes. */
static VkResult begin_secondary(struct pgs_command_buffer *cb, const VkCommandBufferBeginInfo *info)
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

VKAPI_ATTR VkResult VKAPI_CALL pgs_BeginCommandBuffer(VkCommandBuffer commandBuffer,
                                                      const VkCommandBufferBeginInfo *pBeginInfo)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb)
        return PGS_FORWARD(commandBuffer, BeginCommandBuffer, pBeginInfo);
    pgs_command_buffer_reset(cb, true);
    const bool secondary = cb->level == VK_COMMAND_BUFFER_LEVEL_SECONDARY;
    /* The flag is ignored for primaries. */
    cb->continues =
        secondary && (pBeginInfo->flags & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
    cb->graphics.is_once = pBeginInfo->flags & VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    cb->memory_use.simultaneous = pBeginInfo->flags & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
    const VkResult result = secondary && pBeginInfo->pInheritanceInfo
                                ? begin_secondary(cb, pBeginInfo)
                                : cb->dev->vk.BeginCommandBuffer(commandBuffer, pBeginInfo);
    if (result != VK_SUCCESS) {
        pgs_command_buffer_reset(cb, false);
        return result;
    }
    if (cb->continues) {
        cb->pass.begin = (struct pgs_noted_begin){0};
        pgs_local_read_inherit(cb, pBeginInfo->pInheritanceInfo);
        pgs_target_inherit(cb, pBeginInfo->pInheritanceInfo);
        pgs_pass_begin(cb, NULL,
                       !pgs_pipelines_possible(cb->dev) &&
                           pgs_inherited_pass_is_resumable(cb->dev, pBeginInfo->pInheritanceInfo));
        pgs_layer_queries_inherit(cb, pBeginInfo->pInheritanceInfo);
        pgs_views_inherit(cb, pBeginInfo->pInheritanceInfo);
        pgs_condition_inherit(cb, pBeginInfo->pInheritanceInfo);
    }
    return result;
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

VKAPI_ATTR VkResult VKAPI_CALL pgs_EndCommandBuffer(VkCommandBuffer commandBuffer)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
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

VKAPI_ATTR VkResult VKAPI_CALL pgs_ResetCommandBuffer(VkCommandBuffer commandBuffer,
                                                      VkCommandBufferResetFlags flags)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb)
        return PGS_FORWARD(commandBuffer, ResetCommandBuffer, flags);
    const VkResult result = cb->dev->vk.ResetCommandBuffer(commandBuffer, flags);
    if (result == VK_SUCCESS)
        pgs_command_buffer_reset(cb, false);
    return result;
}
