/* SPDX-License-Identifier: MIT
 *
 * vkCmdBindShadersEXT.
 */
#include "pipeline/shader_object.h"
#include "command/pass/objects.h"
#include "vulkan/hooks.h"

#ifdef VK_EXT_shader_object

#define MESH_STAGES (VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT)

static void bind_compute(struct pgs_command_buffer *cb, VkShaderEXT shader)
{
    const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    pgs_recorder_latch(&cb->recorder, pgs_compute_state_bind_shader(&cb->compute, shader));
    PGS_EMIT(cb, CmdBindShadersEXT, 1, &stage, &shader);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdBindShadersEXT(VkCommandBuffer commandBuffer, uint32_t stageCount,
                                                 const VkShaderStageFlagBits *pStages,
                                                 const VkShaderEXT *pShaders)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_find(commandBuffer);
    if (!cb) {
        PGS_FORWARD(commandBuffer, CmdBindShadersEXT, stageCount, pStages, pShaders);
        return;
    }
    const struct pgs_shader_object *objects[PGS_OBJECT_STAGES] = {NULL};
    VkShaderStageFlags graphics = 0;
    for (uint32_t i = 0; i < stageCount; i++) {
        const VkShaderEXT shader = pShaders ? pShaders[i] : VK_NULL_HANDLE;
        if (pStages[i] == VK_SHADER_STAGE_COMPUTE_BIT)
            bind_compute(cb, shader);
        if (pStages[i] & MESH_STAGES) {
            pgs_objects_note_mesh(cb, pStages[i], pgs_shader_object_find(cb->dev, shader));
            graphics |= pStages[i];
        }
        for (int k = 0; k < PGS_OBJECT_STAGES; k++) {
            if (pStages[i] != (VkShaderStageFlagBits)(1 << k))
                continue;
            objects[k] = pgs_shader_object_find(cb->dev, shader);
            graphics |= pStages[i];
        }
    }
    if (graphics)
        pgs_objects_bind(cb, graphics, objects);
}
#endif
