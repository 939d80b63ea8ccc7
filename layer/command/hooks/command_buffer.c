/* SPDX-License-Identifier: MIT
 *
 * The life of a command buffer: Begin, End, Reset.
 */
#include "command/pass/hazards.h"
#include "command/pass/segments.h"
#include "command/state/buffer.h"
#include "command/state/condition.h"

#include "base/alloc.h"
#include "vulkan/chain.h"
#include "vulkan/hooks.h"

#include <string.h>

void pgs_state_reset(struct pgs_command_buffer *cb)
{
    cb->disturbed = 0;
    cb->bound = VK_NULL_HANDLE;
    cb->hides = false;
    cb->vertex_again = UINT32_MAX;
    if (!cb->touched && !cb->vertex_bound)
        return;
    struct pgs_graphics_state *graphics = &cb->graphics;
    for (uint32_t i = 0; i < PGS_MAX_BINDINGS && cb->vertex_bound >> i; i++)
        graphics->vertex[i] = (struct pgs_vertex_buffer){0};
    for (uint32_t i = 0; i < cb->set_count; i++) {
        graphics->sets[i] = VK_NULL_HANDLE;
        graphics->dynamic_count[i] = 0;
    }
    graphics->pipeline = graphics->counted = NULL;
    graphics->index_buffer = VK_NULL_HANDLE;
    graphics->index_offset_B = graphics->index_size_B = 0;
    graphics->topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    graphics->primitive_restart = graphics->rasterizer_discard = VK_FALSE;
    graphics->raster_stream = 0;
    graphics->provoking_last = false;
    graphics->patch_control_points = 0;
    graphics->tessellation_lower_left = false;
    memset(cb->feedback, 0, sizeof(cb->feedback));
    cb->set_count = 0;
    cb->known = 0;
    cb->vertex_bound = cb->vertex_plain = cb->vertex_strided = 0;
    cb->touched = false;
}

void pgs_command_buffer_keep(struct pgs_command_buffer *cb, VkPipelineLayout layout)
{
    if (!cb->continues)
        return;
    for (size_t i = cb->layouts.count; i > 0; i--)
        if (pgs_layout_handle(cb->layouts.items[i - 1]) == layout)
            return;
    struct pgs_layout *known = pgs_layout_acquire(cb->dev, layout);
    if (!known || pgs_array_push(&cb->layouts, known))
        return;
    pgs_layout_release(cb->dev, known);
    pgs_recorder_latch(&cb->recorder, VK_ERROR_OUT_OF_HOST_MEMORY);
}

void pgs_command_buffer_drop_layouts(struct pgs_command_buffer *cb)
{
    for (size_t i = 0; i < cb->layouts.count; i++)
        pgs_layout_release(cb->dev, cb->layouts.items[i]);
    cb->layouts.count = 0;
}

void pgs_command_buffer_reset(struct pgs_command_buffer *cb)
{
    pgs_command_buffer_drop_layouts(cb);
    pgs_state_reset(cb);
    pgs_saved_reset(&cb->saved);
    pgs_queue_reset(&cb->queue);
    pgs_queue_reset(&cb->before);
    pgs_parts_reset(cb);
    for (size_t i = 0; i < cb->batches.count; i++)
        pgs_batch_reset(cb->batches.items[i]);
    cb->recorder.queue = NULL;
    cb->recorder.result = VK_SUCCESS;
    cb->pass.state = PGS_PASS_NONE;
    cb->pass.batches.count = 0;
    cb->pass.own_batches = 0;
    cb->pass.batch_open = false;
    cb->pass.by_layer = false;
    pgs_reads_reset(&cb->pass);
    pgs_layer_state_reset(cb->layers);
    cb->pass.executes_emulated = cb->pass.executes_unqueued = false;
    cb->pass.suspending = cb->pass.resumed = false;
    cb->continues = cb->queue_kept = cb->emulates = cb->ended_queries = false;
    cb->graphics.condition = (struct pgs_condition){0};
    cb->graphics.inherited_condition = 0;
    cb->inherited = (struct pgs_condition){0};
    cb->heeds_inherited = false;
    cb->graphics.queries = (struct pgs_query_set){0};
    cb->graphics.driver_queries = 0;
    cb->graphics.interval = 0;
    cb->counts = false;
    cb->queries.inherited = (struct pgs_range){0};
    cb->queries.own_invocations = cb->queries.own_grids = 0;
    if (cb->queries.memory)
        pgs_linear_reset(cb->queries.memory);
}

/* Of what a secondary inherits, without what is ours and means nothing to the driver: statistics
 * that we count, and the condition of whole passes. */
static VkResult begin_secondary(struct pgs_command_buffer *cb, const VkCommandBufferBeginInfo *info)
{
    static const VkStructureType condition =
        VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT;
    const VkCommandBufferInheritanceInfo *inherited = info->pInheritanceInfo;
    VkCommandBufferBeginInfo below = *info;
    VkCommandBufferInheritanceInfo rest = *inherited;
    below.pInheritanceInfo = &rest;
    if (cb->dev->queries)
        rest.pipelineStatistics &= ~(VkQueryPipelineStatisticFlags)PGS_OWN_STATISTICS;
    void *block = NULL;
    VkResult result = VK_SUCCESS;
    if (!cb->continues)
        result = pgs_chain_copy_prefix(inherited->pNext, &condition, 1, &rest.pNext, &block);
    if (result == VK_ERROR_OUT_OF_HOST_MEMORY)
        return result;
    const bool tells = result != VK_SUCCESS; /* something unknown stands before it */
    if (block)
        pgs_chain_remove(&rest.pNext, &condition, 1);
    result = cb->dev->vk.BeginCommandBuffer(cb->handle, &below);
    pgs_free(block);
    if (result == VK_SUCCESS)
        pgs_query_inherit(cb, inherited->pipelineStatistics);
    if (result == VK_SUCCESS && !cb->continues && !tells)
        pgs_condition_inherit(cb, inherited);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_BeginCommandBuffer(VkCommandBuffer commandBuffer,
                                                      const VkCommandBufferBeginInfo *pBeginInfo)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb)
        return PGS_FORWARD(commandBuffer, BeginCommandBuffer, pBeginInfo);
    pgs_command_buffer_reset(cb);
    const bool secondary = cb->level == VK_COMMAND_BUFFER_LEVEL_SECONDARY;
    /* The flag means nothing for a primary. */
    cb->continues =
        secondary && (pBeginInfo->flags & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT);
    const VkResult result = secondary && pBeginInfo->pInheritanceInfo
                                ? begin_secondary(cb, pBeginInfo)
                                : cb->dev->vk.BeginCommandBuffer(commandBuffer, pBeginInfo);
    if (result != VK_SUCCESS)
        return result;
    if (cb->continues) {
        cb->pass.begin = (struct pgs_noted_begin){0};
        pgs_pass_begin(cb, VK_NULL_HANDLE);
        pgs_views_inherit(cb, pBeginInfo->pInheritanceInfo);
        pgs_condition_inherit(cb, pBeginInfo->pInheritanceInfo);
    }
    return result;
}

/* A secondary that continues a pass. The queue stays: a primary may have to replay it in place. */
static void end_continuing(struct pgs_command_buffer *cb)
{
    cb->queue_kept = cb->recorder.queue != NULL;
    cb->recorder.queue = NULL;
    pgs_pass_seal(cb);
    cb->pass.state = PGS_PASS_NONE;
    pgs_saved_end_pass(&cb->saved);
    if (cb->queue_kept && !cb->emulates && cb->recorder.result == VK_SUCCESS)
        pgs_queue_replay(&cb->queue, cb->handle, &cb->dev->vk, NULL);
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_EndCommandBuffer(VkCommandBuffer commandBuffer)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb)
        return pgs_recorder_get(commandBuffer)->vk->EndCommandBuffer(commandBuffer);
    if (cb->continues)
        end_continuing(cb);
    else
        pgs_pass_flush(cb); /* what is left is a suspended instance, resumed in another one */
    if (cb->heeds_inherited)
        pgs_condition_end(cb, &cb->inherited);
    if (cb->ended_queries && !cb->continues)
        pgs_query_record_to_host(cb->dev, commandBuffer);
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
        pgs_command_buffer_reset(cb);
    return result;
}
