/* SPDX-License-Identifier: MIT
 *
 * Transform feedback: steps in the batches of the pass. The layer implements its commands; the
 * driver sees none of them.
 */
#include "command/pass/pass.h"
#include "command/pass/split.h"
#include "command/state/graphics_state.h"
#include "vulkan/hooks.h"

VKAPI_ATTR void VKAPI_CALL pgs_CmdBindTransformFeedbackBuffersEXT(
    VkCommandBuffer commandBuffer, uint32_t firstBinding, uint32_t bindingCount,
    const VkBuffer *pBuffers, const VkDeviceSize *pOffsets, const VkDeviceSize *pSizes)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb)
        return;
    cb->dirty = true;
    for (uint32_t i = 0; i < bindingCount && firstBinding + i < PGS_MAX_XFB_BUFFERS; i++)
        cb->xfb[firstBinding + i] = (struct pgs_xfb_binding){
            .buffer = pBuffers[i],
            .offset_B = pOffsets[i],
            .size_B = pSizes ? pSizes[i] : VK_WHOLE_SIZE,
        };
}

/* Counters beyond the given ones are absent. */
static void read_counters(uint32_t first, uint32_t count, const VkBuffer *buffers,
                          const VkDeviceSize *offsets,
                          struct pgs_counter counters[PGS_MAX_XFB_BUFFERS])
{
    for (uint32_t i = 0; i < PGS_MAX_XFB_BUFFERS; i++)
        counters[i] = (struct pgs_counter){0};
    for (uint32_t i = 0; buffers && i < count && first + i < PGS_MAX_XFB_BUFFERS; i++)
        counters[first + i] = (struct pgs_counter){
            .buffer = buffers[i],
            .offset_B = offsets ? offsets[i] : 0,
        };
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdBeginTransformFeedbackEXT(
    VkCommandBuffer commandBuffer, uint32_t firstCounterBuffer, uint32_t counterBufferCount,
    const VkBuffer *pCounterBuffers, const VkDeviceSize *pCounterBufferOffsets)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb)
        return;
    if (pgs_pass_is_native(&cb->pass))
        pgs_pass_split(cb);
    pgs_captures_note(cb, cb->xfb);
    struct pgs_batch *batch = cb->recorder.queue ? pgs_pass_batch(cb) : NULL;
    if (!batch)
        return;
    struct pgs_counter counters[PGS_MAX_XFB_BUFFERS];
    read_counters(firstCounterBuffer, counterBufferCount, pCounterBuffers, pCounterBufferOffsets,
                  counters);
    VkDeviceAddress interval = 0;
    const VkResult result = pgs_batch_begin_xfb(batch, cb->xfb, counters, &interval);
    pgs_recorder_latch(&cb->recorder, result);
    cb->graphics.interval = result == VK_SUCCESS ? interval : 0;
    cb->emulates = true;
    pgs_state_update_counts(cb);
}

static void note_stored(struct pgs_command_buffer *cb,
                        const struct pgs_counter counters[PGS_MAX_XFB_BUFFERS])
{
    struct pgs_xfb_binding words[PGS_MAX_XFB_BUFFERS];
    for (int i = 0; i < PGS_MAX_XFB_BUFFERS; i++)
        words[i] = (struct pgs_xfb_binding){
            .buffer = counters[i].buffer,
            .offset_B = counters[i].offset_B,
            .size_B = sizeof(uint32_t),
        };
    pgs_captures_note(cb, words);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdEndTransformFeedbackEXT(VkCommandBuffer commandBuffer,
                                                          uint32_t firstCounterBuffer,
                                                          uint32_t counterBufferCount,
                                                          const VkBuffer *pCounterBuffers,
                                                          const VkDeviceSize *pCounterBufferOffsets)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb || !cb->graphics.interval) /* 0: Begin failed */
        return;
    struct pgs_counter counters[PGS_MAX_XFB_BUFFERS];
    read_counters(firstCounterBuffer, counterBufferCount, pCounterBuffers, pCounterBufferOffsets,
                  counters);
    note_stored(cb, counters);
    struct pgs_batch *batch = cb->recorder.queue ? pgs_pass_batch(cb) : NULL;
    if (batch) {
        pgs_recorder_latch(&cb->recorder,
                           pgs_batch_end_xfb(batch, cb->graphics.interval, counters));
    }
    cb->graphics.interval = 0;
    pgs_state_update_counts(cb);
}
