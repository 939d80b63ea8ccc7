/* SPDX-License-Identifier: MIT */
#include "pipeline/targets.h"

#include "pipeline/compile.h"
#include "pipeline/module.h"
#include "pipeline/reflect.h"

bool pgs_chooses_targets(const struct pgs_device *dev)
{
    return dev->physical->replays_layers || dev->physical->one_viewport;
}

static VkResult check_geometry(struct pgs_device *dev, const VkPipelineShaderStageCreateInfo *stage,
                               bool *emulated, bool *spare)
{
    const struct pgs_spv_geometry_info *gs;
    struct pgs_shader *shader;
    VkResult result = pgs_shader_get(dev, stage, &shader);
    if (result == VK_SUCCESS)
        result = pgs_shader_geometry_info(shader, &gs);
    if (result == VK_SUCCESS) {
        const bool indexes = gs->writes_viewport_index && dev->physical->one_viewport;
        *emulated |= indexes || (gs->writes_layer && dev->physical->replays_layers);
        *spare &= !indexes;
    }
    pgs_shader_release(shader);
    return pgs_refuses_shaders(result) ? VK_SUCCESS : result; /* it may still be the driver's */
}

/* Only modules that declare a capability for it can have outputs that the driver does not take. */
static VkResult check_outputs(struct pgs_device *dev, const VkPipelineShaderStageCreateInfo *stage,
                              bool *emulated, bool *spare)
{
    const struct pgs_module *module = pgs_stage_module(dev, stage);
    struct pgs_spv_targets targets;
    struct pgs_shader *shader;
    if (!module || !module->declares_targets)
        return VK_SUCCESS;
    VkResult result = pgs_shader_get(dev, stage, &shader);
    if (result == VK_SUCCESS)
        result = pgs_result_from_spv(pgs_spv_shader_targets(&shader->code, &targets),
                                     "vertex or evaluation");
    if (result == VK_SUCCESS && ((targets.layer && dev->layer_output) ||
                                 (targets.viewport_index && dev->viewport_output))) {
        *emulated = true;
        *spare = false;
    }
    pgs_shader_release(shader);
    return result;
}

VkResult pgs_targets_check(struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                           bool *emulated, bool *spare)
{
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < info->stageCount && result == VK_SUCCESS; i++) {
        const VkPipelineShaderStageCreateInfo *stage = &info->pStages[i];
        if (stage->stage == VK_SHADER_STAGE_GEOMETRY_BIT && pgs_chooses_targets(dev))
            result = check_geometry(dev, stage, emulated, spare);
        else if (stage->stage == VK_SHADER_STAGE_VERTEX_BIT ||
                 stage->stage == VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT)
            result = check_outputs(dev, stage, emulated, spare);
    }
    return result;
}
