/* SPDX-License-Identifier: MIT */
#include "pipeline/gaps.h"

#include "pipeline/module.h"
#include "pipeline/raster_info.h"

#define SIZED                                                                                      \
    (VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT |      \
     VK_SHADER_STAGE_GEOMETRY_BIT)

/* The capabilities are those of a module, which may have other entry points. */
static bool has_point_size(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info)
{
    for (uint32_t i = 0; i < info->stageCount; i++) {
        const VkPipelineShaderStageCreateInfo *stage = &info->pStages[i];
        const struct pgs_module *module = pgs_stage_module(dev, stage);
        if ((stage->stage & SIZED) && module && module->has_point_size)
            return true;
    }
    return false;
}

/* With a dynamic topology that of the input assembly may be any, or there may be none. */
static bool draws_patches(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info)
{
    return (dev->gaps & PGS_FEATURE_BIT(PATCH_RESTART)) &&
           (pgs_has_stage(info, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT) ||
            (info->pInputAssemblyState &&
             info->pInputAssemblyState->topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST));
}

/* Without input assembly another part decides, or it is dynamic. */
bool pgs_info_may_restart_patches(const struct pgs_device *dev,
                                  const VkGraphicsPipelineCreateInfo *info)
{
    return draws_patches(dev, info) &&
           (pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE) ||
            (!info->pInputAssemblyState && dev->physical->any_topology));
}

uint32_t pgs_info_gaps(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info)
{
    uint32_t gaps = 0;
    if ((dev->gaps & PGS_FEATURE_BIT(POINT_SIZE)) && has_point_size(dev, info))
        gaps |= PGS_FEATURE_BIT(POINT_SIZE);
    if (draws_patches(dev, info) && info->pInputAssemblyState &&
        info->pInputAssemblyState->primitiveRestartEnable &&
        !pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE))
        gaps |= PGS_FEATURE_BIT(PATCH_RESTART);
    return gaps;
}
