/* SPDX-License-Identifier: MIT
 *
 * Draws: those of emulated pipelines become an entry of the pass's batch and a replacement in the
 * queue.
 */
#include "base/log.h"
#include "command/buffer.h"
#include "vulkan/hooks.h"

static void replay_draw(void *draw, VkCommandBuffer cb, const struct pgs_device_dispatch *vk,
                        void *context)
{
    (void)vk, (void)context;
    pgs_draw_replay(draw, cb);
}

/* In a pass that is not queued no emulated pipeline is bound. */
static inline bool emulates(const struct pgs_command_buffer *cb)
{
    return cb->recorder.queue && cb->graphics.pipeline;
}

static void emulate(struct pgs_command_buffer *cb, const struct pgs_draw_call *call)
{
    struct pgs_batch *batch = pgs_pass_batch(cb);
    if (!batch)
        return;
    struct pgs_draw *draw;
    VkResult result = pgs_batch_add(batch, &cb->graphics, call, &draw);
    if (result == VK_SUCCESS && draw) {
        result = pgs_enqueue_custom(cb->recorder.queue, replay_draw, draw, 0);
        cb->emulates = true;
        cb->disturbed |= PGS_DISTURBED_VERTEX;
    }
    pgs_recorder_latch(&cb->recorder, result);
}

static PGS_SLOW void draw_slowly(VkCommandBuffer commandBuffer, uint32_t vertexCount,
                                 uint32_t instanceCount, uint32_t firstVertex,
                                 uint32_t firstInstance)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdDraw, vertexCount, instanceCount, firstVertex, firstInstance);
        return;
    }
    if (!emulates(cb)) {
        PGS_EMIT(cb, CmdDraw, vertexCount, instanceCount, firstVertex, firstInstance);
        return;
    }
    emulate(cb, &(struct pgs_draw_call){
                    .count = vertexCount,
                    .instance_count = instanceCount,
                    .first = firstVertex,
                    .first_instance = firstInstance,
                });
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdDraw(VkCommandBuffer commandBuffer, uint32_t vertexCount,
                                       uint32_t instanceCount, uint32_t firstVertex,
                                       uint32_t firstInstance)
{
    /* In a pass that is not queued no emulated pipeline is bound. */
    const struct pgs_recorder *direct = pgs_recorder_direct(commandBuffer);
    if (direct) {
        direct->vk->CmdDraw(commandBuffer, vertexCount, instanceCount, firstVertex, firstInstance);
        return;
    }
    draw_slowly(commandBuffer, vertexCount, instanceCount, firstVertex, firstInstance);
}

static PGS_SLOW void draw_indexed_slowly(VkCommandBuffer commandBuffer, uint32_t indexCount,
                                         uint32_t instanceCount, uint32_t firstIndex,
                                         int32_t vertexOffset, uint32_t firstInstance)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdDrawIndexed, indexCount, instanceCount, firstIndex,
                    vertexOffset, firstInstance);
        return;
    }
    if (!emulates(cb)) {
        PGS_EMIT(cb, CmdDrawIndexed, indexCount, instanceCount, firstIndex, vertexOffset,
                 firstInstance);
        return;
    }
    emulate(cb, &(struct pgs_draw_call){
                    .indexed = true,
                    .count = indexCount,
                    .instance_count = instanceCount,
                    .first = firstIndex,
                    .first_instance = firstInstance,
                    .vertex_offset = vertexOffset,
                });
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdDrawIndexed(VkCommandBuffer commandBuffer, uint32_t indexCount,
                                              uint32_t instanceCount, uint32_t firstIndex,
                                              int32_t vertexOffset, uint32_t firstInstance)
{
    const struct pgs_recorder *direct = pgs_recorder_direct(commandBuffer);
    if (direct) {
        direct->vk->CmdDrawIndexed(commandBuffer, indexCount, instanceCount, firstIndex,
                                   vertexOffset, firstInstance);
        return;
    }
    draw_indexed_slowly(commandBuffer, indexCount, instanceCount, firstIndex, vertexOffset,
                        firstInstance);
}

static void skip_indirect(void)
{
    pgs_log_once(PGS_LOG_ERROR,
                 "indirect draws that need emulation (geometry shader, adjacency, gl_PrimitiveID) "
                 "are not supported yet: skipped");
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdDrawIndirect(VkCommandBuffer commandBuffer, VkBuffer buffer,
                                               VkDeviceSize offset, uint32_t drawCount,
                                               uint32_t stride)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb)
        PGS_FORWARD(commandBuffer, CmdDrawIndirect, buffer, offset, drawCount, stride);
    else if (emulates(cb))
        skip_indirect();
    else
        PGS_EMIT(cb, CmdDrawIndirect, buffer, offset, drawCount, stride);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdDrawIndexedIndirect(VkCommandBuffer commandBuffer,
                                                      VkBuffer buffer, VkDeviceSize offset,
                                                      uint32_t drawCount, uint32_t stride)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb)
        PGS_FORWARD(commandBuffer, CmdDrawIndexedIndirect, buffer, offset, drawCount, stride);
    else if (emulates(cb))
        skip_indirect();
    else
        PGS_EMIT(cb, CmdDrawIndexedIndirect, buffer, offset, drawCount, stride);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdDrawIndirectCount(VkCommandBuffer commandBuffer, VkBuffer buffer,
                                                    VkDeviceSize offset, VkBuffer countBuffer,
                                                    VkDeviceSize countBufferOffset,
                                                    uint32_t maxDrawCount, uint32_t stride)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb)
        PGS_FORWARD(commandBuffer, CmdDrawIndirectCount, buffer, offset, countBuffer,
                    countBufferOffset, maxDrawCount, stride);
    else if (emulates(cb))
        skip_indirect();
    else
        PGS_EMIT(cb, CmdDrawIndirectCount, buffer, offset, countBuffer, countBufferOffset,
                 maxDrawCount, stride);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdDrawIndexedIndirectCount(VkCommandBuffer commandBuffer,
                                                           VkBuffer buffer, VkDeviceSize offset,
                                                           VkBuffer countBuffer,
                                                           VkDeviceSize countBufferOffset,
                                                           uint32_t maxDrawCount, uint32_t stride)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb)
        PGS_FORWARD(commandBuffer, CmdDrawIndexedIndirectCount, buffer, offset, countBuffer,
                    countBufferOffset, maxDrawCount, stride);
    else if (emulates(cb))
        skip_indirect();
    else
        PGS_EMIT(cb, CmdDrawIndexedIndirectCount, buffer, offset, countBuffer, countBufferOffset,
                 maxDrawCount, stride);
}
