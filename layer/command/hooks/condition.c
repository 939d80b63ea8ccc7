/* SPDX-License-Identifier: MIT
 *
 * Conditional rendering: tracked for the compute work of draws, and passed on.
 */
#include "command/state/condition.h"
#include "command/pass/hazards.h"
#include "vulkan/hooks.h"

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
    pgs_state_changed(cb);
    cb->pass.begin.open_condition = cb->pass.state != PGS_PASS_NONE;
    pgs_condition_leave_inherited(cb);
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
    pgs_state_changed(cb);
    cb->pass.begin.open_condition = false;
    PGS_EMIT0(cb, CmdEndConditionalRenderingEXT);
    if (cb->pass.state == PGS_PASS_NONE)
        pgs_condition_resume(cb);
}
