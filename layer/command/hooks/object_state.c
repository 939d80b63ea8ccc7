/* SPDX-License-Identifier: MIT
 *
 * Dynamic state that shader objects need less often than the pipelines that stand in for them: what
 * the application sets is noted, and passed on.
 */
#include "command/state/buffer.h"
#include "vulkan/hooks.h"

/* Bits of the attachments. */
static uint32_t attachments(uint32_t first, uint32_t count)
{
    return first < 32 ? (uint32_t)(((UINT64_C(1) << (count < 32 ? count : 32)) - 1) << first) : 0;
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetColorBlendEquationEXT(
    VkCommandBuffer commandBuffer, uint32_t firstAttachment, uint32_t attachmentCount,
    const VkColorBlendEquationEXT *pColorBlendEquations)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetColorBlendEquationEXT, firstAttachment, attachmentCount,
                    pColorBlendEquations);
        return;
    }
    cb->dirty = true;
    cb->objects.equations |= attachments(firstAttachment, attachmentCount);
    PGS_EMIT(cb, CmdSetColorBlendEquationEXT, firstAttachment, attachmentCount,
             pColorBlendEquations);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetColorBlendAdvancedEXT(
    VkCommandBuffer commandBuffer, uint32_t firstAttachment, uint32_t attachmentCount,
    const VkColorBlendAdvancedEXT *pColorBlendAdvanced)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetColorBlendAdvancedEXT, firstAttachment, attachmentCount,
                    pColorBlendAdvanced);
        return;
    }
    cb->dirty = true;
    cb->objects.advanced |= attachments(firstAttachment, attachmentCount);
    PGS_EMIT(cb, CmdSetColorBlendAdvancedEXT, firstAttachment, attachmentCount,
             pColorBlendAdvanced);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetLineRasterizationModeEXT(
    VkCommandBuffer commandBuffer, VkLineRasterizationModeEXT lineRasterizationMode)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetLineRasterizationModeEXT, lineRasterizationMode);
        return;
    }
    cb->dirty = true;
    cb->objects.line_mode = true;
    PGS_EMIT(cb, CmdSetLineRasterizationModeEXT, lineRasterizationMode);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetLineStippleEnableEXT(VkCommandBuffer commandBuffer,
                                                          VkBool32 stippledLineEnable)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdSetLineStippleEnableEXT, stippledLineEnable);
        return;
    }
    cb->dirty = true;
    cb->objects.line_stipple = true;
    if (cb->graphics.line_stipple != (stippledLineEnable != VK_FALSE))
        pgs_state_changed(cb);
    /* The last replacement has the state of its draw, and takes no more draws. */
    if (cb->dev->lines)
        cb->pass.replaced_to = NULL;
    cb->graphics.line_stipple = stippledLineEnable;
    PGS_EMIT(cb, CmdSetLineStippleEnableEXT, stippledLineEnable);
}
