/* SPDX-License-Identifier: MIT */
#include "pipeline/stipple.h"

#include "base/log.h"
#include "pipeline/raster_info.h"
#include "vulkan/chain.h"

#define LINE_STATE VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT

static bool draws_lines(const struct pgs_emulated_pipeline *p)
{
    return p->polygons == PGS_SPV_WIDE_LINES || p->polygons == PGS_SPV_COPIED_LINES;
}

void pgs_record_stipple(const struct pgs_device *dev, struct pgs_emulated_pipeline *p,
                        const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineRasterizationLineStateCreateInfoEXT *lines = pgs_line_state(info);
    struct pgs_stipple *stipple = &p->stipple;
    *stipple = (struct pgs_stipple){.pixels = lines && lines->lineRasterizationMode ==
                                                           VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT,
                                    .pattern = {1, UINT16_MAX}};
    if (!dev->stipples || !pgs_spv_is_wide(p->polygons) || pgs_spv_is_large(p->polygons) ||
        !pgs_may_stipple(info))
        return;
    stipple->drawn = true;
    stipple->joins = draws_lines(p) && p->pass_through && !p->tessellated;
    stipple->goes_on = stipple->joins || (draws_lines(p) && p->gs.max_vertices > 2);
    if (lines && lines->lineStippleFactor)
        stipple->pattern =
            (struct pgs_stipple_pattern){lines->lineStippleFactor, lines->lineStipplePattern};
    if (!draws_lines(p))
        pgs_log_once(PGS_LOG_WARN, "a pipeline draws polygons as wide lines, which the driver "
                                   "cannot, and these may be stippled: the pattern starts again "
                                   "at each edge");
}

VkResult pgs_stipple_turn_off(VkPipelineRasterizationStateCreateInfo *copy,
                              const VkPipelineRasterizationStateCreateInfo **state, void **block)
{
    static const VkStructureType type = LINE_STATE;
    const VkPipelineRasterizationLineStateCreateInfoEXT *lines =
        pgs_chain_find((*state)->pNext, type);
    const void *chain;
    *block = NULL;
    if (!lines || !lines->stippledLineEnable)
        return VK_SUCCESS;
    const VkResult result = pgs_chain_copy_prefix((*state)->pNext, &type, 1, &chain, block);
    if (result != VK_SUCCESS)
        return result;
    VkPipelineRasterizationLineStateCreateInfoEXT *off =
        pgs_chain_find(chain, type); /* the copy is ours */
    off->stippledLineEnable = VK_FALSE;
    *copy = **state;
    copy->pNext = chain;
    *state = copy;
    return VK_SUCCESS;
}
