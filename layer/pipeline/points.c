/* SPDX-License-Identifier: MIT */
#include "pipeline/points.h"

#include "pipeline/module.h"
#include "pipeline/raster_info.h"
#include "pipeline/reflect.h"

static bool has_corners(const VkGraphicsPipelineCreateInfo *info)
{
    return !info->pRasterizationState ||
           info->pRasterizationState->polygonMode == VK_POLYGON_MODE_POINT;
}

/* Polygons count by their mode alone: it is rarely this one. */
static bool may_have_points(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info)
{
    const VkShaderStageFlagBits makers[] = {VK_SHADER_STAGE_GEOMETRY_BIT,
                                            VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                                            VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT};
    const bool geometry = pgs_has_stage(info, VK_SHADER_STAGE_GEOMETRY_BIT);
    if (has_corners(info))
        return true;
    if (!geometry && !pgs_has_stage(info, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT))
        return !info->pInputAssemblyState ||
               info->pInputAssemblyState->topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    for (int i = 0; i < (geometry ? 1 : 3); i++) {
        const struct pgs_module *module = pgs_stage_module(dev, pgs_find_stage(info, makers[i]));
        if (module && module->makes_points)
            return true;
    }
    return false;
}

bool pgs_points_may_be_large(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info)
{
    static const VkShaderStageFlagBits last[] = {VK_SHADER_STAGE_GEOMETRY_BIT,
                                                 VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
                                                 VK_SHADER_STAGE_VERTEX_BIT};
    if (!dev->points || pgs_discards_always(info))
        return false;
    for (size_t i = 0; i < sizeof(last) / sizeof(last[0]); i++) {
        const struct pgs_module *module = pgs_stage_module(dev, pgs_find_stage(info, last[i]));
        if (pgs_has_stage(info, last[i]))
            return module && module->sizes_points && may_have_points(dev, info);
    }
    return false;
}

enum pgs_spv_polygons pgs_large_of(const struct pgs_device *dev,
                                   const VkGraphicsPipelineCreateInfo *info,
                                   const struct pgs_spv_geometry_info *gs)
{
    if (!info->pRasterizationState || !gs->writes_point_size || !pgs_points_may_be_large(dev, info))
        return PGS_SPV_POLYGONS_FILLED;
    if (gs->output_kind == 1)
        return PGS_SPV_LARGE_POINTS;
    return gs->output_kind == 3 && has_corners(info) ? PGS_SPV_LARGE_CORNERS
                                                     : PGS_SPV_POLYGONS_FILLED;
}
