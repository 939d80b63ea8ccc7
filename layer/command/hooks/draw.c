/* SPDX-License-Identifier: MIT
 *
 * Draws. A draw of an emulated pipeline becomes an entry of the pass's batch and a replacement in
 * the queue.
 */
#include "command/pass/bind_graphics.h"
#include "command/pass/hazards.h"
#include "command/pass/layer_queries.h"
#include "command/pass/objects.h"
#include "command/pass/order.h"
#include "command/pass/replace.h"
#include "command/pass/split.h"
#include "command/state/graphics_state.h"
#include "vulkan/hooks.h"

#include <string.h>

/* A pass that is not queued has no emulated pipeline bound. */
static inline bool emulates(const struct pgs_command_buffer *cb)
{
    return cb->recorder.queue && cb->graphics.pipeline;
}

/* Native draws that are captured or counted. */
static inline bool counts(const struct pgs_command_buffer *cb)
{
    return cb->recorder.queue && cb->counts;
}

/* True if the draw must be added to a batch. */
static inline bool concerns(const struct pgs_command_buffer *cb)
{
    return emulates(cb) || counts(cb);
}

/* True: the draw goes on from the last replacement. What it reads is noted already, if nothing else
 * has been bound since. */
static inline bool take_next(struct pgs_command_buffer *cb, const struct pgs_direct_call *call)
{
    if (!pgs_pass_goes_on(cb))
        return false;
    return pgs_batch_add_next(cb->pass.open_batch, &cb->graphics, call) ||
           pgs_pass_replace_changed(cb, call);
}

/* Likewise for an indirect call of one draw. */
static inline bool take_next_indirect(struct pgs_command_buffer *cb, bool indexed, VkBuffer buffer,
                                      VkDeviceSize offset_B)
{
    return pgs_pass_goes_on(cb) &&
           pgs_batch_add_next_indirect(cb->pass.open_batch, &cb->graphics, indexed,
                                       (struct pgs_counter){buffer, offset_B});
}

/* True: the draw was replaced, or has no effect. */
static bool take(struct pgs_command_buffer *cb, const struct pgs_draw_call *call)
{
    if (emulates(cb)) {
        pgs_order_compute(cb, cb->graphics.pipeline->has_effects);
        pgs_pass_replace_draw(cb, call);
        return true;
    }
    if (!pgs_state_counted(cb))
        return false;
    if (cb->graphics.interval) /* of draws that are only counted, what they store does not matter */
        pgs_order_compute(cb, false);
    return pgs_pass_add_draw(cb, call);
}

/* By members: the hook has just stored them one by one (base/load.h). */
static bool take_direct(struct pgs_command_buffer *cb, const struct pgs_direct_call *call)
{
    return take(cb, &(struct pgs_draw_call){
                        .indexed = call->indexed,
                        .count = call->count,
                        .instance_count = call->instance_count,
                        .first = call->first,
                        .first_instance = call->first_instance,
                        .vertex_offset = call->vertex_offset,
                        .draw_index = call->draw_index,
                    });
}

/* The thread was recording another command buffer; note this one again. */
static inline void return_to_direct(struct pgs_command_buffer *cb)
{
    if (cb->pass.state == PGS_PASS_UNQUEUED)
        pgs_recorder_go_direct(&cb->recorder, cb->handle);
}

/* Binds what draws it. */
static inline void settle(struct pgs_command_buffer *cb)
{
    pgs_objects_settle(cb);
    pgs_bind_by_topology(cb);
    pgs_layer_queries_before_draw(cb);
}

/* A draw that the last replacement does not draw. */
static PGS_SLOW void draw_alone(struct pgs_command_buffer *cb, const struct pgs_direct_call *call)
{
    settle(cb);
    if (emulates(cb) && pgs_pass_replace_back(cb, call))
        return;
    if (concerns(cb) && take_direct(cb, call))
        return;
    return_to_direct(cb);
    pgs_reads_note_draw(cb);
    if (call->indexed)
        PGS_EMIT(cb, CmdDrawIndexed, call->count, call->instance_count, call->first,
                 call->vertex_offset, call->first_instance);
    else
        PGS_EMIT(cb, CmdDraw, call->count, call->instance_count, call->first, call->first_instance);
}

/* True if a native draw is queued as it is: there is nothing to settle, note or count. What settle,
 * concerns and pgs_reads_note_draw ask for must be in here. */
static inline bool is_queued_unchanged(const struct pgs_command_buffer *cb)
{
    return !cb->graphics.pipeline && cb->recorder.queue && cb->pass.drawn && !cb->counts &&
           !cb->objects.active && !cb->topologies && !cb->fb_layers &&
           (cb->pass.reads_noted || !cb->dev->xfb);
}

/* Compilers store several members at once. A store must not lie in two cache lines, or who loads
 * the members waits for it (base/load.h). */
#define PGS_CALL_ALIGN_B 32

/* A draw that pgs_batch_add_next has not taken. */
static inline void draw_otherwise(struct pgs_command_buffer *cb, const struct pgs_direct_call *call)
{
    if (!pgs_pass_goes_on(cb) || !pgs_pass_replace_changed(cb, call))
        draw_alone(cb, call);
}

static PGS_SLOW PGS_UNGUARDED void draw_changed(struct pgs_command_buffer *cb, uint32_t vertexCount,
                                                uint32_t instanceCount, uint32_t firstVertex,
                                                uint32_t firstInstance)
{
    const _Alignas(PGS_CALL_ALIGN_B) struct pgs_direct_call call = {
        .count = vertexCount,
        .instance_count = instanceCount,
        .first = firstVertex,
        .first_instance = firstInstance,
    };
    draw_otherwise(cb, &call);
}

/* The hooks of draws call each of the following functions last, so that they save no registers for
 * it. What is rare takes the numbers from memory, of its own, so that most draws need none. */
static PGS_SLOW PGS_UNGUARDED PGS_FLATTEN void
draw_replaced(struct pgs_command_buffer *cb, uint32_t vertexCount, uint32_t instanceCount,
              uint32_t firstVertex, uint32_t firstInstance)
{
    const _Alignas(PGS_CALL_ALIGN_B) struct pgs_direct_call call = {
        .count = vertexCount,
        .instance_count = instanceCount,
        .first = firstVertex,
        .first_instance = firstInstance,
    };
    if (!pgs_pass_goes_on(cb) || !pgs_batch_add_next(cb->pass.open_batch, &cb->graphics, &call))
        draw_changed(cb, vertexCount, instanceCount, firstVertex, firstInstance);
}

static PGS_SLOW void draw_queued(struct pgs_command_buffer *cb, uint32_t vertexCount,
                                 uint32_t instanceCount, uint32_t firstVertex,
                                 uint32_t firstInstance)
{
    pgs_recorder_latch(&cb->recorder,
                       pgs_enqueue_CmdDraw(cb->recorder.queue, vertexCount, instanceCount,
                                           firstVertex, firstInstance));
}

/* The thread was recording another command buffer, or the device is inactive. */
static PGS_SLOW void draw_elsewhere(VkCommandBuffer commandBuffer, uint32_t vertexCount,
                                    uint32_t instanceCount, uint32_t firstVertex,
                                    uint32_t firstInstance)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(commandBuffer);
    if (cb)
        draw_replaced(cb, vertexCount, instanceCount, firstVertex, firstInstance);
    else
        PGS_FORWARD(commandBuffer, CmdDraw, vertexCount, instanceCount, firstVertex, firstInstance);
}

PGS_HOT VKAPI_ATTR void VKAPI_CALL pgs_CmdDraw(VkCommandBuffer commandBuffer, uint32_t vertexCount,
                                               uint32_t instanceCount, uint32_t firstVertex,
                                               uint32_t firstInstance)
{
    /* A pass that is not queued has no emulated pipeline bound. */
    if (PGS_LIKELY(pgs_recorder_is_unqueued(commandBuffer))) {
        pgs_recorder_memory.draw(commandBuffer, vertexCount, instanceCount, firstVertex,
                                 firstInstance);
        return;
    }
    struct pgs_command_buffer *cb = pgs_command_buffer_last(commandBuffer);
    if (!cb)
        draw_elsewhere(commandBuffer, vertexCount, instanceCount, firstVertex, firstInstance);
    else if (is_queued_unchanged(cb))
        draw_queued(cb, vertexCount, instanceCount, firstVertex, firstInstance);
    else
        draw_replaced(cb, vertexCount, instanceCount, firstVertex, firstInstance);
}

static PGS_SLOW PGS_UNGUARDED void draw_indexed_changed(struct pgs_command_buffer *cb,
                                                        uint32_t indexCount, uint32_t instanceCount,
                                                        uint32_t firstIndex, int32_t vertexOffset,
                                                        uint32_t firstInstance)
{
    const _Alignas(PGS_CALL_ALIGN_B) struct pgs_direct_call call = {
        .indexed = true,
        .count = indexCount,
        .instance_count = instanceCount,
        .first = firstIndex,
        .first_instance = firstInstance,
        .vertex_offset = vertexOffset,
    };
    draw_otherwise(cb, &call);
}

static PGS_SLOW PGS_UNGUARDED PGS_FLATTEN void
draw_indexed_replaced(struct pgs_command_buffer *cb, uint32_t indexCount, uint32_t instanceCount,
                      uint32_t firstIndex, int32_t vertexOffset, uint32_t firstInstance)
{
    const _Alignas(PGS_CALL_ALIGN_B) struct pgs_direct_call call = {
        .indexed = true,
        .count = indexCount,
        .instance_count = instanceCount,
        .first = firstIndex,
        .first_instance = firstInstance,
        .vertex_offset = vertexOffset,
    };
    if (!pgs_pass_goes_on(cb) || !pgs_batch_add_next(cb->pass.open_batch, &cb->graphics, &call))
        draw_indexed_changed(cb, indexCount, instanceCount, firstIndex, vertexOffset,
                             firstInstance);
}

static PGS_SLOW void draw_indexed_queued(struct pgs_command_buffer *cb, uint32_t indexCount,
                                         uint32_t instanceCount, uint32_t firstIndex,
                                         int32_t vertexOffset, uint32_t firstInstance)
{
    pgs_recorder_latch(&cb->recorder,
                       pgs_enqueue_CmdDrawIndexed(cb->recorder.queue, indexCount, instanceCount,
                                                  firstIndex, vertexOffset, firstInstance));
}

static PGS_SLOW void draw_indexed_elsewhere(VkCommandBuffer commandBuffer, uint32_t indexCount,
                                            uint32_t instanceCount, uint32_t firstIndex,
                                            int32_t vertexOffset, uint32_t firstInstance)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(commandBuffer);
    if (cb)
        draw_indexed_replaced(cb, indexCount, instanceCount, firstIndex, vertexOffset,
                              firstInstance);
    else
        PGS_FORWARD(commandBuffer, CmdDrawIndexed, indexCount, instanceCount, firstIndex,
                    vertexOffset, firstInstance);
}

PGS_HOT VKAPI_ATTR void VKAPI_CALL pgs_CmdDrawIndexed(VkCommandBuffer commandBuffer,
                                                      uint32_t indexCount, uint32_t instanceCount,
                                                      uint32_t firstIndex, int32_t vertexOffset,
                                                      uint32_t firstInstance)
{
    if (PGS_LIKELY(pgs_recorder_is_unqueued(commandBuffer))) {
        pgs_recorder_memory.draw_indexed(commandBuffer, indexCount, instanceCount, firstIndex,
                                         vertexOffset, firstInstance);
        return;
    }
    struct pgs_command_buffer *cb = pgs_command_buffer_last(commandBuffer);
    if (!cb)
        draw_indexed_elsewhere(commandBuffer, indexCount, instanceCount, firstIndex, vertexOffset,
                               firstInstance);
    else if (is_queued_unchanged(cb))
        draw_indexed_queued(cb, indexCount, instanceCount, firstIndex, vertexOffset, firstInstance);
    else
        draw_indexed_replaced(cb, indexCount, instanceCount, firstIndex, vertexOffset,
                              firstInstance);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdDrawMultiEXT(VkCommandBuffer commandBuffer, uint32_t drawCount,
                                               const VkMultiDrawInfoEXT *pVertexInfo,
                                               uint32_t instanceCount, uint32_t firstInstance,
                                               uint32_t stride)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdDrawMultiEXT, drawCount, pVertexInfo, instanceCount,
                    firstInstance, stride);
        return;
    }
    settle(cb);
    const unsigned char *next = (const unsigned char *)pVertexInfo;
    for (uint32_t i = 0; i < drawCount && concerns(cb); i++, next += stride) {
        VkMultiDrawInfoEXT info;
        memcpy(&info, next, sizeof(info));
        const struct pgs_direct_call call = {
            .count = info.vertexCount,
            .instance_count = instanceCount,
            .first = info.firstVertex,
            .first_instance = firstInstance,
            .draw_index = i,
        };
        if (!take_next(cb, &call))
            take_direct(cb, &call);
    }
    if (emulates(cb) || !drawCount)
        return;
    pgs_reads_note_draw(cb);
    PGS_EMIT(cb, CmdDrawMultiEXT, drawCount, pVertexInfo, instanceCount, firstInstance, stride);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdDrawMultiIndexedEXT(
    VkCommandBuffer commandBuffer, uint32_t drawCount, const VkMultiDrawIndexedInfoEXT *pIndexInfo,
    uint32_t instanceCount, uint32_t firstInstance, uint32_t stride, const int32_t *pVertexOffset)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdDrawMultiIndexedEXT, drawCount, pIndexInfo, instanceCount,
                    firstInstance, stride, pVertexOffset);
        return;
    }
    settle(cb);
    const unsigned char *next = (const unsigned char *)pIndexInfo;
    for (uint32_t i = 0; i < drawCount && concerns(cb); i++, next += stride) {
        VkMultiDrawIndexedInfoEXT info;
        memcpy(&info, next, sizeof(info));
        const struct pgs_direct_call call = {
            .indexed = true,
            .count = info.indexCount,
            .instance_count = instanceCount,
            .first = info.firstIndex,
            .first_instance = firstInstance,
            .vertex_offset = pVertexOffset ? *pVertexOffset : info.vertexOffset,
            .draw_index = i,
        };
        if (!take_next(cb, &call))
            take_direct(cb, &call);
    }
    if (emulates(cb) || !drawCount)
        return;
    pgs_reads_note_draw(cb);
    PGS_EMIT(cb, CmdDrawMultiIndexedEXT, drawCount, pIndexInfo, instanceCount, firstInstance,
             stride, pVertexOffset);
}

/* Notes the arguments that the driver reads. */
static void note_arguments(struct pgs_command_buffer *cb, const struct pgs_counter *args,
                           uint32_t max_draws, const struct pgs_draw_call *call)
{
    const VkDeviceSize last_B =
        call->indexed ? sizeof(VkDrawIndexedIndirectCommand) : sizeof(VkDrawIndirectCommand);
    if (max_draws)
        pgs_reads_note_buffer(cb, args->buffer, args->offset_B,
                              (VkDeviceSize)(max_draws - 1) * call->args_stride_B + last_B);
    if (call->draw_count.buffer)
        pgs_reads_note_buffer(cb, call->draw_count.buffer, call->draw_count.offset_B,
                              sizeof(uint32_t));
}

/* True: the draws were replaced. */
static bool take_indirect(struct pgs_command_buffer *cb, struct pgs_draw_call call)
{
    const uint32_t max_draws = call.max_draws;
    const struct pgs_counter args = call.args;
    settle(cb);
    call.indirect = true;
    for (uint32_t done = 0; done < max_draws && concerns(cb); done += call.max_draws) {
        const uint32_t left = max_draws - done;
        call.max_draws = left < PGS_MAX_INDIRECT_DRAWS ? left : PGS_MAX_INDIRECT_DRAWS;
        call.draw_index = done;
        take(cb, &call);
        call.args.offset_B += (VkDeviceSize)call.args_stride_B * call.max_draws;
    }
    if (emulates(cb))
        return true;
    pgs_reads_note_draw(cb);
    note_arguments(cb, &args, max_draws, &call);
    return false;
}

/* Sends draws to the driver, one by one where it takes no more at once. */
static void emit_indirect(struct pgs_command_buffer *cb, const struct pgs_draw_call *call)
{
    const VkBuffer buffer = call->args.buffer;
    const uint32_t stride_B = call->args_stride_B;
    const uint32_t at_once = cb->dev->splits_draws && call->max_draws ? 1 : call->max_draws;
    uint32_t done = 0;
    do {
        const VkDeviceSize at_B = call->args.offset_B + (VkDeviceSize)done * stride_B;
        if (call->indexed)
            PGS_EMIT(cb, CmdDrawIndexedIndirect, buffer, at_B, at_once, stride_B);
        else
            PGS_EMIT(cb, CmdDrawIndirect, buffer, at_B, at_once, stride_B);
        done += at_once;
    } while (done < call->max_draws);
}

/* The driver cannot read the count, or the first instance, so the draw needs compute work. */
static void draw_counted(struct pgs_command_buffer *cb, const struct pgs_draw_call *call)
{
    struct pgs_draw_call bounded = *call;
    if (bounded.max_draws > PGS_MAX_INDIRECT_DRAWS) /* the count may be no larger */
        bounded.max_draws = PGS_MAX_INDIRECT_DRAWS;
    if (!cb->recorder.queue || take_indirect(cb, bounded) || !bounded.max_draws)
        return;
    pgs_order_compute(cb, false);
    pgs_pass_replace_draw_count(cb, &bounded);
}

/* The driver knows no first instance. What does not read the numbers of instances it draws all the
 * same; another pipeline draws the rest. */
static void draw_instances(struct pgs_command_buffer *cb, const struct pgs_draw_call *call)
{
    pgs_bind_by_topology(cb);
    const bool other = pgs_bind_instanced_pipeline(cb);
    draw_counted(cb, call);
    if (other)
        pgs_bind_application_pipeline(cb);
}

static void draw_indirect(struct pgs_command_buffer *cb, const struct pgs_draw_call *call)
{
    if (cb->dev->first_instances && !emulates(cb))
        draw_instances(cb, call);
    else if (!take_indirect(cb, *call))
        emit_indirect(cb, call);
}

static void draw_indirect_count(struct pgs_command_buffer *cb, const struct pgs_draw_call *call)
{
    if (cb->dev->first_instances && !emulates(cb))
        draw_instances(cb, call);
    else if (cb->dev->counts_draws)
        draw_counted(cb, call);
    else if (take_indirect(cb, *call))
        return;
    else if (call->indexed)
        PGS_EMIT(cb, CmdDrawIndexedIndirectCount, call->args.buffer, call->args.offset_B,
                 call->draw_count.buffer, call->draw_count.offset_B, call->max_draws,
                 call->args_stride_B);
    else
        PGS_EMIT(cb, CmdDrawIndirectCount, call->args.buffer, call->args.offset_B,
                 call->draw_count.buffer, call->draw_count.offset_B, call->max_draws,
                 call->args_stride_B);
}

/* A call that the last replacement does not draw. cb may be NULL. */
static PGS_SLOW void draw_indirect_alone(struct pgs_command_buffer *cb,
                                         VkCommandBuffer commandBuffer, VkBuffer buffer,
                                         VkDeviceSize offset, uint32_t drawCount, uint32_t stride)
{
    if (!cb)
        PGS_FORWARD(commandBuffer, CmdDrawIndirect, buffer, offset, drawCount, stride);
    else
        draw_indirect(cb, &(struct pgs_draw_call){
                              .args = {buffer, offset},
                              .args_stride_B = stride,
                              .max_draws = drawCount,
                          });
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdDrawIndirect(VkCommandBuffer commandBuffer, VkBuffer buffer,
                                               VkDeviceSize offset, uint32_t drawCount,
                                               uint32_t stride)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(commandBuffer);
    if (!cb || drawCount != 1 || !take_next_indirect(cb, false, buffer, offset))
        draw_indirect_alone(cb, commandBuffer, buffer, offset, drawCount, stride);
}

/* Likewise. */
static PGS_SLOW void draw_indexed_indirect_alone(struct pgs_command_buffer *cb,
                                                 VkCommandBuffer commandBuffer, VkBuffer buffer,
                                                 VkDeviceSize offset, uint32_t drawCount,
                                                 uint32_t stride)
{
    if (!cb)
        PGS_FORWARD(commandBuffer, CmdDrawIndexedIndirect, buffer, offset, drawCount, stride);
    else
        draw_indirect(cb, &(struct pgs_draw_call){
                              .indexed = true,
                              .args = {buffer, offset},
                              .args_stride_B = stride,
                              .max_draws = drawCount,
                          });
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdDrawIndexedIndirect(VkCommandBuffer commandBuffer,
                                                      VkBuffer buffer, VkDeviceSize offset,
                                                      uint32_t drawCount, uint32_t stride)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(commandBuffer);
    if (!cb || drawCount != 1 || !take_next_indirect(cb, true, buffer, offset))
        draw_indexed_indirect_alone(cb, commandBuffer, buffer, offset, drawCount, stride);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdDrawIndirectCount(VkCommandBuffer commandBuffer, VkBuffer buffer,
                                                    VkDeviceSize offset, VkBuffer countBuffer,
                                                    VkDeviceSize countBufferOffset,
                                                    uint32_t maxDrawCount, uint32_t stride)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(commandBuffer);
    if (!cb)
        PGS_FORWARD(commandBuffer, CmdDrawIndirectCount, buffer, offset, countBuffer,
                    countBufferOffset, maxDrawCount, stride);
    else
        draw_indirect_count(cb, &(struct pgs_draw_call){
                                    .args = {buffer, offset},
                                    .args_stride_B = stride,
                                    .max_draws = maxDrawCount,
                                    .draw_count = {countBuffer, countBufferOffset},
                                });
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdDrawIndexedIndirectCount(VkCommandBuffer commandBuffer,
                                                           VkBuffer buffer, VkDeviceSize offset,
                                                           VkBuffer countBuffer,
                                                           VkDeviceSize countBufferOffset,
                                                           uint32_t maxDrawCount, uint32_t stride)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(commandBuffer);
    if (!cb)
        PGS_FORWARD(commandBuffer, CmdDrawIndexedIndirectCount, buffer, offset, countBuffer,
                    countBufferOffset, maxDrawCount, stride);
    else
        draw_indirect_count(cb, &(struct pgs_draw_call){
                                    .indexed = true,
                                    .args = {buffer, offset},
                                    .args_stride_B = stride,
                                    .max_draws = maxDrawCount,
                                    .draw_count = {countBuffer, countBufferOffset},
                                });
}

/* The draw becomes an indirect one with arguments from the compute work, or an emulated one. */
static void draw_byte_count(struct pgs_command_buffer *cb, const struct pgs_draw_call *call)
{
    struct pgs_draw_call known = *call;
    if (!cb->recorder.queue || (!cb->graphics.pipeline && !pgs_state_counted(cb)))
        return;
    if (!cb->graphics.pipeline) {
        pgs_reads_note_draw(cb);
        if (cb->dev->physical->lacks_first_instance) /* nothing reads the numbers of instances */
            known.first_instance = 0;
    }
    pgs_layer_queries_before_draw(cb);
    pgs_order_compute(cb, cb->graphics.pipeline && cb->graphics.pipeline->has_effects);
    pgs_pass_replace_draw(cb, &known);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdDrawIndirectByteCountEXT(
    VkCommandBuffer commandBuffer, uint32_t instanceCount, uint32_t firstInstance,
    VkBuffer counterBuffer, VkDeviceSize counterBufferOffset, uint32_t counterOffset,
    uint32_t vertexStride)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(commandBuffer);
    if (!cb || !vertexStride)
        return;
    if (pgs_pass_is_native(&cb->pass))
        pgs_pass_split(cb);
    pgs_objects_settle_with_pipeline(cb);
    pgs_bind_by_topology(cb);
    const bool other =
        firstInstance && cb->dev->physical->lacks_first_instance && pgs_bind_instanced_pipeline(cb);
    draw_byte_count(cb, &(struct pgs_draw_call){
                            .byte_count = true,
                            .instance_count = instanceCount,
                            .first_instance = firstInstance,
                            .counter = {counterBuffer, counterBufferOffset},
                            .counter_offset_B = counterOffset,
                            .vertex_stride_B = vertexStride,
                        });
    if (other)
        pgs_bind_application_pipeline(cb);
}
