/* SPDX-License-Identifier: MIT */
#include "pipeline/targets.h"

#include "pipeline/module.h"
#include "pipeline/raster_info.h"
#include "pipeline/reflect.h"

bool pgs_chooses_targets(const struct pgs_device *dev)
{
    return dev->physical->replays_layers || dev->physical->one_viewport;
}

/* What a shader writes. */
struct written {
    bool layer, viewport_index;
};

static VkResult written_by(struct pgs_device *dev, const VkPipelineShaderStageCreateInfo *stage,
                           struct written *written)
{
    const struct pgs_spv_vertex_info *vs;
    const struct pgs_spv_evaluation_info *tes;
    const struct pgs_spv_geometry_info *gs;
    struct pgs_shader *shader;
    *written = (struct written){false, false};
    VkResult result = pgs_shader_get(dev, stage, &shader);
    if (result != VK_SUCCESS)
        return result;
    switch (shader->code.stage) {
    case PGS_SPV_VERTEX:
        result = pgs_shader_vertex_info(shader, &vs);
        if (result == VK_SUCCESS)
            *written = (struct written){vs->writes_layer, vs->writes_viewport_index};
        break;
    case PGS_SPV_EVALUATION:
        result = pgs_shader_evaluation_info(shader, &tes);
        if (result == VK_SUCCESS)
            *written = (struct written){tes->writes_layer, tes->writes_viewport_index};
        break;
    case PGS_SPV_GEOMETRY:
        result = pgs_shader_geometry_info(shader, &gs);
        if (result == VK_SUCCESS)
            *written = (struct written){gs->writes_layer, gs->writes_viewport_index};
        break;
    default:
        break;
    }
    pgs_shader_release(shader);
    return result;
}

static VkResult check_geometry(struct pgs_device *dev, const VkPipelineShaderStageCreateInfo *stage,
                               bool *emulated, bool *spare)
{
    struct written written;
    const VkResult result = written_by(dev, stage, &written);
    const bool indexes = written.viewport_index && dev->physical->one_viewport;
    *emulated |= indexes || (written.layer && dev->physical->replays_layers);
    *spare &= !indexes;
    return pgs_refuses_shaders(result) ? VK_SUCCESS : result; /* it may still be the driver's */
}

/* Only modules that declare a capability for it can write what the driver does not take. */
static VkResult check_outputs(struct pgs_device *dev, const VkPipelineShaderStageCreateInfo *stage,
                              bool *emulated, bool *spare)
{
    const struct pgs_module *module = pgs_stage_module(dev, stage);
    struct written written;
    if (!module || !module->declares_targets)
        return VK_SUCCESS;
    const VkResult result = written_by(dev, stage, &written);
    if ((written.layer && dev->layer_output) || (written.viewport_index && dev->viewport_output)) {
        *emulated = true;
        *spare = false;
    }
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
