/* SPDX-License-Identifier: MIT
 *
 * Conditional rendering: noted for the compute work of draws, which stands before the pass and asks
 * for the condition itself, and sent on.
 */
#include "command/state/condition.h"
#include "command/pass/hazards.h"
#include "vulkan/chain.h"
#include "vulkan/hooks.h"

#include <stddef.h>

/* A condition of the command buffer's own begins, so there is none to inherit. If that is within a
 * pass, nothing of the pass has been recorded yet. */
static void leave_inherited(struct pgs_command_buffer *cb)
{
    if (cb->heeds_inherited)
        pgs_condition_end(cb, &cb->inherited);
    cb->heeds_inherited = false;
}

void pgs_condition_resume(struct pgs_command_buffer *cb)
{
    if (!cb->inherited.buffer || cb->heeds_inherited)
        return;
    pgs_condition_begin(cb, &cb->inherited);
    cb->heeds_inherited = true;
}

const struct pgs_condition *pgs_condition_outer(const struct pgs_command_buffer *cb)
{
    return cb->heeds_inherited ? &cb->inherited : &cb->graphics.condition;
}

static VkConditionalRenderingBeginInfoEXT info_of(const struct pgs_condition *condition)
{
    return (VkConditionalRenderingBeginInfoEXT){
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
        .buffer = condition->buffer,
        .offset = condition->offset_B,
        .flags = condition->inverted ? VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT : 0,
    };
}

struct pgs_condition pgs_condition_pause(struct pgs_command_buffer *cb)
{
    struct pgs_condition paused = {0};
    if (!cb->pass.begin.open_condition)
        return paused;
    paused = cb->graphics.condition;
    cb->graphics.condition = (struct pgs_condition){0};
    PGS_EMIT0(cb, CmdEndConditionalRenderingEXT);
    return paused;
}

void pgs_condition_unpause(struct pgs_command_buffer *cb, const struct pgs_condition *paused)
{
    if (!paused->buffer)
        return;
    const VkConditionalRenderingBeginInfoEXT info = info_of(paused);
    cb->graphics.condition = *paused;
    leave_inherited(cb);
    pgs_reads_note_buffer(cb, paused->buffer, paused->offset_B, sizeof(uint32_t));
    PGS_EMIT(cb, CmdBeginConditionalRenderingEXT, &info);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdBeginConditionalRenderingEXT(
    VkCommandBuffer commandBuffer,
    const VkConditionalRenderingBeginInfoEXT *pConditionalRenderingBegin)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdBeginConditionalRenderingEXT, pConditionalRenderingBegin);
        return;
    }
    cb->graphics.condition = (struct pgs_condition){
        .buffer = pConditionalRenderingBegin->buffer,
        .offset_B = pConditionalRenderingBegin->offset,
        .inverted = pConditionalRenderingBegin->flags & VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT,
    };
    cb->pass.begin.open_condition = cb->pass.state != PGS_PASS_NONE;
    leave_inherited(cb);
    pgs_reads_note_buffer(cb, pConditionalRenderingBegin->buffer,
                          pConditionalRenderingBegin->offset, sizeof(uint32_t));
    PGS_EMIT(cb, CmdBeginConditionalRenderingEXT, pConditionalRenderingBegin);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdEndConditionalRenderingEXT(VkCommandBuffer commandBuffer)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        pgs_recorder_get(commandBuffer)->vk->CmdEndConditionalRenderingEXT(commandBuffer);
        return;
    }
    cb->graphics.condition = (struct pgs_condition){0};
    cb->pass.begin.open_condition = false;
    PGS_EMIT0(cb, CmdEndConditionalRenderingEXT);
    if (cb->pass.state == PGS_PASS_NONE)
        pgs_condition_resume(cb);
}

void pgs_condition_inherit(struct pgs_command_buffer *cb,
                           const VkCommandBufferInheritanceInfo *inherited)
{
    const VkCommandBufferInheritanceConditionalRenderingInfoEXT *info = NULL;
    if (inherited && (cb->recorder.queue || !cb->continues))
        info = pgs_chain_find(
            inherited->pNext,
            VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT);
    struct pgs_linear *memory =
        info && info->conditionalRenderingEnable ? pgs_query_memory(cb) : NULL;
    if (!memory)
        return;
    struct pgs_range slot;
    const VkResult result = pgs_linear_alloc(memory, PGS_CONDITION_SLOT_B, 16, &slot);
    pgs_recorder_latch(&cb->recorder, result);
    if (result != VK_SUCCESS)
        return;
    cb->graphics.inherited_condition = slot.address;
    if (cb->continues)
        return;
    cb->inherited = (struct pgs_condition){
        .buffer = slot.buffer,
        .offset_B = slot.offset_B + offsetof(VkDrawIndirectCommand, instanceCount),
    };
    pgs_condition_resume(cb);
}

void pgs_condition_write(struct pgs_command_buffer *cb, const struct pgs_condition *condition,
                         VkDeviceAddress slot)
{
    struct pgs_linear *memory = slot ? pgs_query_memory(cb) : NULL;
    if (memory)
        pgs_recorder_latch(&cb->recorder,
                           pgs_condition_record(cb->dev, cb->handle, condition, slot, memory,
                                                &cb->queries.own_invocations));
}

void pgs_condition_begin(const struct pgs_command_buffer *cb, const struct pgs_condition *condition)
{
    if (!condition->buffer)
        return;
    const VkConditionalRenderingBeginInfoEXT info = info_of(condition);
    cb->dev->vk.CmdBeginConditionalRenderingEXT(cb->handle, &info);
}

void pgs_condition_end(const struct pgs_command_buffer *cb, const struct pgs_condition *condition)
{
    if (condition->buffer)
        cb->dev->vk.CmdEndConditionalRenderingEXT(cb->handle);
}
