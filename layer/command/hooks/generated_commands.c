/* SPDX-License-Identifier: MIT
 *
 * Commands that the GPU generates (VK_EXT_device_generated_commands). The driver draws them, with
 * pipelines or shader objects of its own; captures do not reach them.
 */
#include "base/log.h"
#include "command/pass/bind_graphics.h"
#include "command/pass/hazards.h"
#include "command/pass/objects.h"
#include "vulkan/hooks.h"

#ifdef VK_EXT_device_generated_commands

static bool has_graphics(const VkGeneratedCommandsInfoEXT *info)
{
    const VkShaderStageFlags others = VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT;
    return info->shaderStages & (VK_SHADER_STAGE_ALL_GRAPHICS | others);
}

static bool is_emulated(const struct pgs_command_buffer *cb)
{
    bool emulated = cb->recorder.queue && cb->graphics.pipeline && !cb->objects.active;
    for (int i = 0; cb->objects.active && i < PGS_OBJECT_STAGES; i++)
        emulated |= cb->objects.stages[i] && !cb->objects.stages[i]->native;
    return emulated;
}

/* True if the driver can draw with what is bound. */
static bool prepare(struct pgs_command_buffer *cb)
{
    pgs_bind_by_topology(cb);
    if (is_emulated(cb)) {
        pgs_log_once(PGS_LOG_ERROR, "generated commands are left out that would draw with a "
                                    "pipeline or shader object that the layer emulates");
        return false;
    }
    pgs_objects_settle_with_driver(cb);
    if (cb->recorder.queue && cb->counts)
        pgs_log_once(PGS_LOG_ERROR, "generated commands are not counted by a query that is active");
    pgs_reads_note_draw(cb);
    if (cb->recorder.queue)
        pgs_reads_note_unknown(cb); /* buffers whose addresses the GPU chooses */
    return true;
}

/* A layout never asks for preprocessing (pipeline/generated_commands.c). What is bound afterwards
 * depends on the tokens, so programs bind it again before they rely on it. */
VKAPI_ATTR void VKAPI_CALL
pgs_CmdExecuteGeneratedCommandsEXT(VkCommandBuffer commandBuffer, VkBool32 isPreprocessed,
                                   const VkGeneratedCommandsInfoEXT *pGeneratedCommandsInfo)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdExecuteGeneratedCommandsEXT, isPreprocessed,
                    pGeneratedCommandsInfo);
        return;
    }
    const bool draws = has_graphics(pGeneratedCommandsInfo);
    if (draws && !prepare(cb))
        return;
    PGS_EMIT(cb, CmdExecuteGeneratedCommandsEXT, VK_FALSE, pGeneratedCommandsInfo);
    if (draws)
        cb->objects.driver_has = false;
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdPreprocessGeneratedCommandsEXT(
    VkCommandBuffer commandBuffer, const VkGeneratedCommandsInfoEXT *pGeneratedCommandsInfo,
    VkCommandBuffer stateCommandBuffer)
{
    if (!pgs_command_buffer_find(commandBuffer))
        PGS_FORWARD(commandBuffer, CmdPreprocessGeneratedCommandsEXT, pGeneratedCommandsInfo,
                    stateCommandBuffer);
}
#endif
