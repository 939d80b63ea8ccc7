/* SPDX-License-Identifier: MIT */
#include "pipeline/joined_strips.h"

#include "pipeline/raster_info.h"
#include "vulkan/chain.h"

/* A shorter strip has as many vertices as the list of its triangles, or nearly so. */
#define SHORTEST_EL 6

/* True if a triangle without area covers no pixel, whatever commands set. */
static bool shows_areas_alone(const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineRasterizationStateCreateInfo *state = info->pRasterizationState;
    return state && state->polygonMode == VK_POLYGON_MODE_FILL &&
           !pgs_chain_find(
               state->pNext,
               VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT) &&
           !pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_POLYGON_MODE_EXT) &&
           !pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT);
}

uint32_t pgs_joined_el(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    const struct pgs_spv_geometry_info *gs = &p->gs;
    const bool joins = !p->tessellated && !(p->dynamic & PGS_DYNAMIC_STREAM) &&
                       !gs->pattern.is_known && gs->one_strip && gs->output_kind == 3 &&
                       gs->longest_strip_el >= SHORTEST_EL && shows_areas_alone(source->info);
    return joins ? gs->longest_strip_el : 0;
}
