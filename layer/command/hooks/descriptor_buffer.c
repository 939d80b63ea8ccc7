/* SPDX-License-Identifier: MIT
 *
 * VK_EXT_descriptor_buffer. Where sets are is tracked in place of their handles; draws bind the
 * same buffers and offsets for the shaders that the layer runs elsewhere.
 */
#include "command/state/graphics_state.h"
#include "pipeline/descriptor_buffers.h"
#include "vulkan/hooks.h"

/* Sets in buffers are nowhere until their offsets are set again. */
static void forget_offsets(struct pgs_command_buffer *cb)
{
    const VkDescriptorSet none = VK_NULL_HANDLE;
    for (uint32_t i = 0; i < PGS_MAX_SETS; i++)
        if (cb->graphics.sets[i] == PGS_BUFFER_SET)
            pgs_state_note_sets(cb, VK_NULL_HANDLE, i, 1, &none);
}

VKAPI_ATTR void VKAPI_CALL
pgs_CmdBindDescriptorBuffersEXT(VkCommandBuffer commandBuffer, uint32_t bufferCount,
                                const VkDescriptorBufferBindingInfoEXT *pBindingInfos)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdBindDescriptorBuffersEXT, bufferCount, pBindingInfos);
        return;
    }
    struct pgs_descriptor_buffers buffers;
    if (!pgs_descriptor_buffers_read(&buffers, bufferCount, pBindingInfos)) {
        pgs_recorder_latch(&cb->recorder, VK_ERROR_UNKNOWN);
        return;
    }
    pgs_recorder_latch(&cb->recorder, pgs_compute_state_bind_buffers(&cb->compute, &buffers));
    cb->graphics.descriptor_buffers = &cb->compute.buffers;
    forget_offsets(cb);
    PGS_EMIT(cb, CmdBindDescriptorBuffersEXT, bufferCount, pBindingInfos);
}

static void note(struct pgs_command_buffer *cb, VkPipelineBindPoint point, VkPipelineLayout layout,
                 uint32_t index, VkDescriptorSet set, uint32_t word_count, const uint32_t *words)
{
    if (index >= PGS_MAX_SETS)
        return;
    if (point == VK_PIPELINE_BIND_POINT_COMPUTE)
        pgs_recorder_latch(&cb->recorder, pgs_compute_state_bind_set(&cb->compute, layout, index,
                                                                     set, word_count, words));
    if (point != VK_PIPELINE_BIND_POINT_GRAPHICS)
        return;
    pgs_state_note_sets(cb, layout, index, 1, &set);
    if (pgs_dynamic_offsets_set(&cb->graphics.dynamic_offsets[index], word_count, words)) {
        cb->graphics.dynamic_count[index] = word_count;
    } else {
        cb->graphics.sets[index] = VK_NULL_HANDLE; /* whose offset others would read */
        pgs_recorder_latch(&cb->recorder, VK_ERROR_OUT_OF_HOST_MEMORY);
    }
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetDescriptorBufferOffsetsEXT(
    VkCommandBuffer commandBuffer, VkPipelineBindPoint pipelineBindPoint, VkPipelineLayout layout,
    uint32_t firstSet, uint32_t setCount, const uint32_t *pBufferIndices,
    const VkDeviceSize *pOffsets)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetDescriptorBufferOffsetsEXT, pipelineBindPoint, layout,
                    firstSet, setCount, pBufferIndices, pOffsets);
        return;
    }
    pgs_command_buffer_keep(cb, layout);
    if (pipelineBindPoint == VK_PIPELINE_BIND_POINT_GRAPHICS)
        pgs_state_bind_kept_sets(cb);
    for (uint32_t i = 0; i < setCount; i++) {
        const uint32_t words[PGS_BUFFER_SET_WORDS] = {pBufferIndices[i], (uint32_t)pOffsets[i],
                                                      (uint32_t)(pOffsets[i] >> 32)};
        note(cb, pipelineBindPoint, layout, firstSet + i, PGS_BUFFER_SET, PGS_BUFFER_SET_WORDS,
             words);
    }
    PGS_EMIT(cb, CmdSetDescriptorBufferOffsetsEXT, pipelineBindPoint, layout, firstSet, setCount,
             pBufferIndices, pOffsets);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdBindDescriptorBufferEmbeddedSamplersEXT(
    VkCommandBuffer commandBuffer, VkPipelineBindPoint pipelineBindPoint, VkPipelineLayout layout,
    uint32_t set)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdBindDescriptorBufferEmbeddedSamplersEXT, pipelineBindPoint,
                    layout, set);
        return;
    }
    pgs_command_buffer_keep(cb, layout);
    if (pipelineBindPoint == VK_PIPELINE_BIND_POINT_GRAPHICS)
        pgs_state_bind_kept_sets(cb);
    note(cb, pipelineBindPoint, layout, set, PGS_EMBEDDED_SET, 0, NULL);
    PGS_EMIT(cb, CmdBindDescriptorBufferEmbeddedSamplersEXT, pipelineBindPoint, layout, set);
}
