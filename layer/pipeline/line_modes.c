/* SPDX-License-Identifier: MIT */
#include "pipeline/line_modes.h"

#include "pipeline/raster_info.h"

bool pgs_line_modes_stated(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info)
{
    return dev->line_modes &&
           (pgs_line_state(info) || pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_LINE_STIPPLE_EXT));
}

static bool may_have_samples(const VkGraphicsPipelineCreateInfo *info)
{
    return pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT) ||
           (info->pMultisampleState && !pgs_discards_always(info) &&
            info->pMultisampleState->rasterizationSamples != VK_SAMPLE_COUNT_1_BIT);
}

bool pgs_thin_lines_are_bresenham(const struct pgs_device *dev,
                                  const VkGraphicsPipelineCreateInfo *info)
{
    return !dev->line_modes ||
           (!dev->physical->properties.limits.strictLines && !may_have_samples(info));
}

bool pgs_line_modes_need_layer(const struct pgs_device *dev,
                               const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineRasterizationLineStateCreateInfoEXT *lines =
        dev->line_modes ? pgs_line_state(info) : NULL;
    if (!lines)
        return false;
    if (dev->stipples && pgs_may_stipple(info))
        return true;
    switch ((int)lines->lineRasterizationMode) {
    case VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT:
        return !dev->physical->properties.limits.strictLines;
    case VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT:
        return !pgs_thin_lines_are_bresenham(dev, info) ||
               pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_LINE_WIDTH) ||
               info->pRasterizationState->lineWidth != 1;
    default:
        return false;
    }
}
