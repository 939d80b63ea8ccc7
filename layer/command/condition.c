/* SPDX-License-Identifier: MIT
 *
 * Conditional rendering: noted for the compute work of draws, which stands before the pass and asks
 * for the condition itself, and sent on.
 */
#include "command/buffer.h"
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
    cb->pass.begin.open_condition = cb->pass.state != PGS_PASS_NONE;
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
}

void pgs_condition_begin(const struct pgs_command_buffer *cb, const struct pgs_condition *condition)
{
    if (!condition->buffer)
        return;
    const VkConditionalRenderingBeginInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
        .buffer = condition->buffer,
        .offset = condition->offset_B,
        .flags = condition->inverted ? VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT : 0,
    };
    cb->dev->vk.CmdBeginConditionalRenderingEXT(cb->handle, &info);
}

void pgs_condition_end(const struct pgs_command_buffer *cb, const struct pgs_condition *condition)
{
    if (condition->buffer)
        cb->dev->vk.CmdEndConditionalRenderingEXT(cb->handle);
}
