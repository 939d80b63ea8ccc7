/* SPDX-License-Identifier: MIT
 *
 * Conditional rendering: tracked for the compute work of draws, which precedes the pass and tests
 * the condition itself, and passed on.
 */
#include "command/state/condition.h"

#include "command/state/host_memory.h"
#include "draw/condition.h"
#include "vulkan/chain.h"

#include <stddef.h>

void pgs_condition_leave_inherited(struct pgs_command_buffer *cb)
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

VkConditionalRenderingBeginInfoEXT pgs_condition_begin_info(const struct pgs_condition *condition)
{
    return (VkConditionalRenderingBeginInfoEXT){
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
        .buffer = condition->buffer,
        .offset = condition->offset_B,
        .flags = condition->inverted ? VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT : 0,
    };
}

void pgs_condition_inherit(struct pgs_command_buffer *cb,
                           const VkCommandBufferInheritanceInfo *inherited)
{
    const VkCommandBufferInheritanceConditionalRenderingInfoEXT *info = NULL;
    if (inherited)
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
    pgs_state_changed(cb);
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
                           pgs_condition_record(cb->dev, cb->handle, condition,
                                                cb->graphics.inherited_condition, slot, memory,
                                                &cb->queries.own_invocations));
}

void pgs_condition_begin(const struct pgs_command_buffer *cb, const struct pgs_condition *condition)
{
    if (!condition->buffer)
        return;
    const VkConditionalRenderingBeginInfoEXT info = pgs_condition_begin_info(condition);
    cb->dev->vk.CmdBeginConditionalRenderingEXT(cb->handle, &info);
}

void pgs_condition_end(const struct pgs_command_buffer *cb, const struct pgs_condition *condition)
{
    if (condition->buffer)
        cb->dev->vk.CmdEndConditionalRenderingEXT(cb->handle);
}
