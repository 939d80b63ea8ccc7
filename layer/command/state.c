/* SPDX-License-Identifier: MIT
 *
 * Binds and the dynamic state that emulated draws read: noted, and sent on.
 */
#include "base/log.h"
#include "command/buffer.h"
#include "vulkan/hooks.h"

#include <string.h>

#define MAX_SET_OFFSETS (PGS_MAX_DYNAMIC_OFFSETS / 4)

static void restore_strides(struct pgs_command_buffer *cb)
{
    for (uint32_t i = 0; i < PGS_MAX_BINDINGS; i++) {
        const struct pgs_vertex_buffer *vertex = &cb->graphics.vertex[i];
        if (!(cb->vertex_strided >> i & 1))
            continue;
        PGS_EMIT(cb, CmdBindVertexBuffers2, i, 1, &vertex->buffer, &vertex->offset_B,
                 cb->vertex_sized >> i & 1 ? &vertex->size_B : NULL, &vertex->stride_B);
    }
}

static void restore_vertex(struct pgs_command_buffer *cb)
{
    const struct pgs_graphics_state *state = &cb->graphics;
    const struct pgs_vertex_buffer *vertex = &state->vertex[0];
    if (cb->vertex_sized & 1)
        PGS_EMIT(cb, CmdBindVertexBuffers2, 0, 1, &vertex->buffer, &vertex->offset_B,
                 &vertex->size_B, NULL);
    else if (cb->vertex_bound & 1)
        PGS_EMIT(cb, CmdBindVertexBuffers, 0, 1, &vertex->buffer, &vertex->offset_B);
    if (cb->known & PGS_KNOWN_INDEX)
        PGS_EMIT(cb, CmdBindIndexBuffer, state->index_buffer, state->index_offset_B,
                 state->index_type);
}

void pgs_state_restore(struct pgs_command_buffer *cb)
{
    const struct pgs_graphics_state *state = &cb->graphics;
    if (cb->disturbed & PGS_DISTURBED_VERTEX)
        restore_vertex(cb);
    if (cb->disturbed & PGS_DISTURBED_STATIC) {
        restore_strides(cb);
        if (cb->known & PGS_KNOWN_TOPOLOGY)
            PGS_EMIT(cb, CmdSetPrimitiveTopology, state->topology);
        if (cb->known & PGS_KNOWN_RESTART)
            PGS_EMIT(cb, CmdSetPrimitiveRestartEnable, state->primitive_restart);
    }
    cb->disturbed = 0;
}

static void bind_graphics_pipeline(struct pgs_command_buffer *cb, VkPipeline pipeline)
{
    const struct pgs_emulated_pipeline *emulated =
        pgs_pipelines_possible(cb->dev) ? pgs_emulated_pipeline_find(cb->dev, pipeline) : NULL;
    cb->graphics.pipeline = emulated;
    if (!emulated) {
        if (cb->disturbed)
            pgs_state_restore(cb);
        return;
    }
    cb->touched = true;
    cb->disturbed |= PGS_DISTURBED_STATIC;
    if (cb->pass.state == PGS_PASS_DIRECT) {
        pgs_log(PGS_LOG_ERROR,
                "the first geometry shader of the device came to be while the render "
                "pass that uses it was being recorded: this command buffer fails");
        pgs_recorder_latch(&cb->recorder, VK_ERROR_UNKNOWN);
    }
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdBindPipeline(VkCommandBuffer commandBuffer,
                                               VkPipelineBindPoint pipelineBindPoint,
                                               VkPipeline pipeline)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdBindPipeline, pipelineBindPoint, pipeline);
        return;
    }
    if (pipelineBindPoint == VK_PIPELINE_BIND_POINT_GRAPHICS)
        bind_graphics_pipeline(cb, pipeline);
    else if (pipelineBindPoint == VK_PIPELINE_BIND_POINT_COMPUTE)
        pgs_saved_bind_pipeline(&cb->saved, pipeline);
    PGS_EMIT(cb, CmdBindPipeline, pipelineBindPoint, pipeline);
}

static void bind_graphics_set(struct pgs_graphics_state *state, uint32_t index, VkDescriptorSet set,
                              uint32_t offset_count, const uint32_t *offsets)
{
    state->sets[index] = set;
    state->dynamic_count[index] = (uint16_t)offset_count;
    if (offset_count)
        memcpy(state->dynamic_offsets[index], offsets, offset_count * sizeof(*offsets));
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdBindDescriptorSets(
    VkCommandBuffer commandBuffer, VkPipelineBindPoint pipelineBindPoint, VkPipelineLayout layout,
    uint32_t firstSet, uint32_t descriptorSetCount, const VkDescriptorSet *pDescriptorSets,
    uint32_t dynamicOffsetCount, const uint32_t *pDynamicOffsets)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdBindDescriptorSets, pipelineBindPoint, layout, firstSet,
                    descriptorSetCount, pDescriptorSets, dynamicOffsetCount, pDynamicOffsets);
        return;
    }
    const uint32_t *offsets = pDynamicOffsets;
    uint32_t left = dynamicOffsetCount;
    cb->touched = true;
    for (uint32_t i = 0; i < descriptorSetCount && firstSet + i < PGS_MAX_SETS; i++) {
        /* Only the layout knows how the offsets are shared out among several sets. */
        uint32_t count = left;
        if (left && descriptorSetCount > 1)
            count = pgs_layout_dynamic_count(cb->dev, layout, firstSet + i);
        if (count > left)
            count = left;
        if (count > MAX_SET_OFFSETS) {
            pgs_log(PGS_LOG_ERROR, "a descriptor set with %u dynamic offsets; the layer handles %d",
                    count, MAX_SET_OFFSETS);
            pgs_recorder_latch(&cb->recorder, VK_ERROR_UNKNOWN);
            break;
        }
        if (pipelineBindPoint == VK_PIPELINE_BIND_POINT_GRAPHICS)
            bind_graphics_set(&cb->graphics, firstSet + i, pDescriptorSets[i], count, offsets);
        else if (pipelineBindPoint == VK_PIPELINE_BIND_POINT_COMPUTE)
            pgs_saved_bind_set(&cb->saved, layout, firstSet + i, pDescriptorSets[i], count,
                               offsets);
        if (count)
            offsets += count;
        left -= count;
    }
    PGS_EMIT(cb, CmdBindDescriptorSets, pipelineBindPoint, layout, firstSet, descriptorSetCount,
             pDescriptorSets, dynamicOffsetCount, pDynamicOffsets);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdPushConstants(VkCommandBuffer commandBuffer,
                                                VkPipelineLayout layout,
                                                VkShaderStageFlags stageFlags, uint32_t offset,
                                                uint32_t size, const void *pValues)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdPushConstants, layout, stageFlags, offset, size, pValues);
        return;
    }
    uint32_t *push = cb->graphics.push;
    if ((stageFlags & ~(VkShaderStageFlags)VK_SHADER_STAGE_COMPUTE_BIT) &&
        offset <= sizeof(cb->graphics.push) && size <= sizeof(cb->graphics.push) - offset) {
        memcpy((char *)push + offset, pValues, size);
        cb->touched = true;
    }
    const struct pgs_pushed_range range = {
        .layout = layout,
        .stages = pgs_push_constant_stages(stageFlags),
        .offset_B = offset,
        .size_B = size,
    };
    if (!range.stages)
        return; /* pushed for the geometry stage alone, which the driver's layout has not */
    pgs_recorder_latch(&cb->recorder, pgs_saved_push(&cb->saved, &range, pValues));
    PGS_EMIT(cb, CmdPushConstants, layout, range.stages, offset, size, pValues);
}

/* sizes and strides may be NULL. */
static void bind_vertex_buffers(struct pgs_command_buffer *cb, uint32_t first, uint32_t count,
                                const VkBuffer *buffers, const VkDeviceSize *offsets_B,
                                const VkDeviceSize *sizes_B, const VkDeviceSize *strides_B)
{
    cb->touched = true;
    for (uint32_t i = 0; i < count && first + i < PGS_MAX_BINDINGS; i++) {
        const uint32_t bit = UINT32_C(1) << (first + i);
        struct pgs_vertex_buffer *vertex = &cb->graphics.vertex[first + i];
        vertex->buffer = buffers[i];
        vertex->offset_B = offsets_B[i];
        vertex->size_B = sizes_B ? sizes_B[i] : VK_WHOLE_SIZE;
        cb->vertex_bound |= bit;
        cb->vertex_sized = sizes_B ? cb->vertex_sized | bit : cb->vertex_sized & ~bit;
        if (strides_B) {
            vertex->stride_B = strides_B[i];
            cb->vertex_strided |= bit;
        }
    }
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdBindVertexBuffers(VkCommandBuffer commandBuffer,
                                                    uint32_t firstBinding, uint32_t bindingCount,
                                                    const VkBuffer *pBuffers,
                                                    const VkDeviceSize *pOffsets)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdBindVertexBuffers, firstBinding, bindingCount, pBuffers,
                    pOffsets);
        return;
    }
    bind_vertex_buffers(cb, firstBinding, bindingCount, pBuffers, pOffsets, NULL, NULL);
    PGS_EMIT(cb, CmdBindVertexBuffers, firstBinding, bindingCount, pBuffers, pOffsets);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdBindVertexBuffers2(VkCommandBuffer commandBuffer,
                                                     uint32_t firstBinding, uint32_t bindingCount,
                                                     const VkBuffer *pBuffers,
                                                     const VkDeviceSize *pOffsets,
                                                     const VkDeviceSize *pSizes,
                                                     const VkDeviceSize *pStrides)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdBindVertexBuffers2, firstBinding, bindingCount, pBuffers,
                    pOffsets, pSizes, pStrides);
        return;
    }
    bind_vertex_buffers(cb, firstBinding, bindingCount, pBuffers, pOffsets, pSizes, pStrides);
    /* The raster pipeline's stride is static: those of the application follow with a native
     * pipeline. */
    PGS_EMIT(cb, CmdBindVertexBuffers2, firstBinding, bindingCount, pBuffers, pOffsets, pSizes,
             cb->graphics.pipeline ? NULL : pStrides);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdBindIndexBuffer(VkCommandBuffer commandBuffer, VkBuffer buffer,
                                                  VkDeviceSize offset, VkIndexType indexType)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdBindIndexBuffer, buffer, offset, indexType);
        return;
    }
    cb->touched = true;
    cb->known |= PGS_KNOWN_INDEX;
    cb->graphics.index_buffer = buffer;
    cb->graphics.index_offset_B = offset;
    cb->graphics.index_size_B = VK_WHOLE_SIZE;
    cb->graphics.index_type = indexType;
    PGS_EMIT(cb, CmdBindIndexBuffer, buffer, offset, indexType);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetPrimitiveTopology(VkCommandBuffer commandBuffer,
                                                       VkPrimitiveTopology primitiveTopology)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetPrimitiveTopology, primitiveTopology);
        return;
    }
    cb->touched = true;
    cb->known |= PGS_KNOWN_TOPOLOGY;
    cb->graphics.topology = primitiveTopology;
    if (!cb->graphics.pipeline) /* else static in the raster pipeline; see pgs_state_restore */
        PGS_EMIT(cb, CmdSetPrimitiveTopology, primitiveTopology);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetPrimitiveRestartEnable(VkCommandBuffer commandBuffer,
                                                            VkBool32 primitiveRestartEnable)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetPrimitiveRestartEnable, primitiveRestartEnable);
        return;
    }
    cb->touched = true;
    cb->known |= PGS_KNOWN_RESTART;
    cb->graphics.primitive_restart = primitiveRestartEnable;
    if (!cb->graphics.pipeline)
        PGS_EMIT(cb, CmdSetPrimitiveRestartEnable, primitiveRestartEnable);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetRasterizerDiscardEnable(VkCommandBuffer commandBuffer,
                                                             VkBool32 rasterizerDiscardEnable)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetRasterizerDiscardEnable, rasterizerDiscardEnable);
        return;
    }
    cb->touched = true;
    cb->graphics.rasterizer_discard = rasterizerDiscardEnable;
    PGS_EMIT(cb, CmdSetRasterizerDiscardEnable, rasterizerDiscardEnable);
}
