/* SPDX-License-Identifier: MIT
 *
 * Secondaries. One that continues a render pass and holds emulated draws cannot be executed: its
 * compute work goes before the primary's pass, and its queue is replayed in the pass. As a subpass
 * either executes secondaries or not, all secondaries of that pass are replayed in place then.
 */
#include "command/buffer.h"
#include "command/condition.h"
#include "command/split.h"
#include "vulkan/hooks.h"

static void note_secondary(struct pgs_command_buffer *cb,
                           const struct pgs_command_buffer *secondary)
{
    struct pgs_pass *pass = &cb->pass;
    if (!secondary->queue_kept)
        pass->executes_unqueued = true;
    pgs_recorder_latch(&cb->recorder, secondary->recorder.result);
    pass->by_layer |= secondary->pass.by_layer;
    if (!secondary->emulates)
        return;
    pass->executes_emulated = true;
    cb->ended_queries |= secondary->ended_queries;
    pgs_pass_split_batch(cb); /* keeps the order */
    const size_t count = secondary->pass.batches.count;
    for (size_t i = 0; i < count; i++) {
        struct pgs_pass_batch item = {
            .batch = secondary->pass.batches.items[i].batch,
            .condition = cb->graphics.condition,
            .condition_slot = i == 0 ? secondary->graphics.inherited_condition : 0,
        };
        if (i == 0)
            item.before = &secondary->before;
        if (i + 1 == count)
            item.drain = pgs_query_drain_of(cb, secondary);
        if (!pgs_array_push(&pass->batches, item))
            pgs_recorder_latch(&cb->recorder, VK_ERROR_OUT_OF_HOST_MEMORY);
    }
}

void pgs_pass_note_secondaries(struct pgs_command_buffer *cb, uint32_t count,
                               const VkCommandBuffer *handles)
{
    for (uint32_t i = 0; i < count && cb->pass.state == PGS_PASS_DIRECT; i++) {
        const struct pgs_command_buffer *secondary = pgs_command_buffer_find(handles[i]);
        if (secondary && secondary->emulates && secondary->continues)
            pgs_pass_split(cb);
    }
    for (uint32_t i = 0; i < count && cb->pass.state == PGS_PASS_QUEUED; i++) {
        const struct pgs_command_buffer *secondary = pgs_command_buffer_find(handles[i]);
        if (secondary)
            note_secondary(cb, secondary);
    }
}

/* Outside of a pass: whole passes were recorded into them. */
static void take_statistics(struct pgs_command_buffer *cb, uint32_t count,
                            const VkCommandBuffer *handles)
{
    for (uint32_t i = 0; i < count && cb->pass.state == PGS_PASS_NONE; i++) {
        const struct pgs_command_buffer *secondary = pgs_command_buffer_find(handles[i]);
        if (!secondary)
            continue;
        cb->queries.own_invocations += secondary->queries.own_invocations;
        const struct pgs_query_drain drain = pgs_query_drain_of(cb, secondary);
        pgs_query_record_drained(cb, &drain);
    }
}

/* Outside of a pass: the condition that secondaries inherit they begin themselves, from a slot that
 * is written here. True: none is active now. */
static bool hand_down_condition(struct pgs_command_buffer *cb, uint32_t count,
                                const VkCommandBuffer *handles)
{
    bool handed = false;
    for (uint32_t i = 0; i < count && cb->pass.state == PGS_PASS_NONE; i++) {
        const struct pgs_command_buffer *secondary = pgs_command_buffer_find(handles[i]);
        if (!secondary || !secondary->inherited.buffer)
            continue;
        if (!handed)
            pgs_condition_end(cb, &cb->graphics.condition);
        handed = true;
        pgs_condition_write(cb, &cb->graphics.condition, secondary->graphics.inherited_condition);
    }
    return handed;
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdExecuteCommands(VkCommandBuffer commandBuffer,
                                                  uint32_t commandBufferCount,
                                                  const VkCommandBuffer *pCommandBuffers)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdExecuteCommands, commandBufferCount, pCommandBuffers);
        return;
    }
    pgs_pass_note_secondaries(cb, commandBufferCount, pCommandBuffers);
    const bool handed = hand_down_condition(cb, commandBufferCount, pCommandBuffers);
    PGS_EMIT(cb, CmdExecuteCommands, commandBufferCount, pCommandBuffers);
    take_statistics(cb, commandBufferCount, pCommandBuffers);
    if (handed)
        pgs_condition_begin(cb, &cb->graphics.condition);
    pgs_recorder_latch(&cb->recorder, pgs_saved_forget(&cb->saved)); /* saves from the state */
    pgs_state_reset(cb);
}

/* The commands of room->inline_vk. */

static VKAPI_ATTR void VKAPI_CALL begin_render_pass(VkCommandBuffer cb,
                                                    const VkRenderPassBeginInfo *begin,
                                                    VkSubpassContents contents)
{
    (void)contents;
    pgs_recorder_get(cb)->vk->CmdBeginRenderPass(cb, begin, VK_SUBPASS_CONTENTS_INLINE);
}

static VkSubpassBeginInfo inline_contents(const VkSubpassBeginInfo *info)
{
    VkSubpassBeginInfo copy = *info;
    copy.contents = VK_SUBPASS_CONTENTS_INLINE;
    return copy;
}

static VKAPI_ATTR void VKAPI_CALL begin_render_pass2(VkCommandBuffer cb,
                                                     const VkRenderPassBeginInfo *begin,
                                                     const VkSubpassBeginInfo *subpass)
{
    const VkSubpassBeginInfo info = inline_contents(subpass);
    pgs_recorder_get(cb)->vk->CmdBeginRenderPass2(cb, begin, &info);
}

static VKAPI_ATTR void VKAPI_CALL next_subpass(VkCommandBuffer cb, VkSubpassContents contents)
{
    (void)contents;
    pgs_recorder_get(cb)->vk->CmdNextSubpass(cb, VK_SUBPASS_CONTENTS_INLINE);
}

static VKAPI_ATTR void VKAPI_CALL next_subpass2(VkCommandBuffer cb, const VkSubpassBeginInfo *begin,
                                                const VkSubpassEndInfo *end)
{
    const VkSubpassBeginInfo info = inline_contents(begin);
    pgs_recorder_get(cb)->vk->CmdNextSubpass2(cb, &info, end);
}

static VKAPI_ATTR void VKAPI_CALL begin_rendering(VkCommandBuffer cb, const VkRenderingInfo *info)
{
    VkRenderingInfo copy = *info;
    copy.flags &= ~(VkRenderingFlags)VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT;
    pgs_recorder_get(cb)->vk->CmdBeginRendering(cb, &copy);
}

static VKAPI_ATTR void VKAPI_CALL execute_commands(VkCommandBuffer cb, uint32_t count,
                                                   const VkCommandBuffer *handles)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct pgs_command_buffer *secondary = pgs_command_buffer_find(handles[i]);
        if (secondary)
            pgs_queue_replay(&secondary->queue, cb, pgs_recorder_get(cb)->vk, NULL);
    }
}

void pgs_inline_dispatch_init(struct pgs_device_dispatch *inline_vk,
                              const struct pgs_device_dispatch *vk)
{
    *inline_vk = *vk;
    inline_vk->CmdBeginRenderPass = begin_render_pass;
    inline_vk->CmdBeginRenderPass2 = begin_render_pass2;
    inline_vk->CmdNextSubpass = next_subpass;
    inline_vk->CmdNextSubpass2 = next_subpass2;
    inline_vk->CmdBeginRendering = begin_rendering;
    inline_vk->CmdExecuteCommands = execute_commands;
}
