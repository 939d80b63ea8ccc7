/* SPDX-License-Identifier: MIT */
#include "pipeline/culling.h"

#include "pipeline/kernels.h"
#include "pipeline/raster_info.h"
#include "poly_gs/coverage.h"
#include "poly_gs/planes.h"
#include "spirv/spirv.h"
#include "vulkan/chain.h"

/* True if all structures of the chain are of these types. */
static bool has_only(const void *chain, const VkStructureType *types, size_t count)
{
    for (const VkBaseInStructure *node = chain; node; node = node->pNext) {
        bool known = false;
        for (size_t i = 0; i < count; i++)
            known |= node->sType == types[i];
        if (!known)
            return false;
    }
    return true;
}

/* True if something besides the clip volume decides what of filled triangles is drawn, or could
 * change the volume: what is not known, too. */
static bool is_unusual(const VkGraphicsPipelineCreateInfo *info)
{
    static const VkStructureType rasterization[] = {
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT,
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT,
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
    };
    static const VkStructureType viewport[] = {
        VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT,
    };
    static const VkDynamicState dynamic[] = {
        VK_DYNAMIC_STATE_POLYGON_MODE_EXT,
        VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT,
        VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_NV,
        VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_ENABLE_NV,
        VK_DYNAMIC_STATE_VIEWPORT_SWIZZLE_NV,
    };
    const VkPipelineRasterizationStateCreateInfo *state = info->pRasterizationState;
    const VkPipelineViewportStateCreateInfo *views =
        pgs_has_viewport_state(info) ? info->pViewportState : NULL;
    for (size_t i = 0; i < sizeof(dynamic) / sizeof(dynamic[0]); i++)
        if (pgs_has_dynamic_state(info, dynamic[i]))
            return true;
    return !state || state->polygonMode != VK_POLYGON_MODE_FILL ||
           !has_only(state->pNext, rasterization,
                     sizeof(rasterization) / sizeof(rasterization[0])) ||
           !has_only(views ? views->pNext : NULL, viewport, 1);
}

static bool clips_depths(const VkPipelineRasterizationStateCreateInfo *state)
{
    const VkPipelineRasterizationDepthClipStateCreateInfoEXT *clip = pgs_chain_find(
        state->pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT);
    return clip ? clip->depthClipEnable : !state->depthClampEnable;
}

/* The planes that bound depths, as far as no command changes them. */
static uint32_t depth_planes(const VkGraphicsPipelineCreateInfo *info)
{
    if (pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT) ||
        pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT) ||
        !clips_depths(info->pRasterizationState))
        return 0;
    if (pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT))
        return PGS_DRAW_PLANE_FAR;
    return PGS_DRAW_PLANE_FAR |
           (pgs_depths_are_symmetric(info) ? PGS_DRAW_PLANE_BEGIN : PGS_DRAW_PLANE_NEAR);
}

static bool is_immediate(const struct pgs_pipeline_source *source)
{
    const enum pgs_device_kind kind = source->dev->physical->traits.kind;
    return kind == PGS_DEVICE_ANY || kind == PGS_DEVICE_IMMEDIATE;
}

/* True if the tests cost no more than the stores that wait for them save. It is known of those
 * GPUs only. */
static bool costs_nothing(const struct pgs_pipeline_source *source)
{
    return is_immediate(source) && pgs_spv_holds_strips(&source->pipeline->gs);
}

bool pgs_culling_gathers(const struct pgs_pipeline_source *source)
{
    const struct pgs_spv_geometry_info *gs = &source->pipeline->gs;
    return is_immediate(source) && (gs->writes_layer || gs->writes_viewport_index) &&
           pgs_spv_gathers_strips(gs);
}

/* True if pixels have one sample, in their middle, as far as the pipeline decides it. */
static bool has_usual_samples(const VkGraphicsPipelineCreateInfo *info)
{
    static const VkDynamicState dynamic[] = {
        VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT,
        VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT,
        VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT,
    };
    const VkPipelineMultisampleStateCreateInfo *state =
        pgs_discards_always(info) ? NULL : info->pMultisampleState;
    for (size_t i = 0; i < sizeof(dynamic) / sizeof(dynamic[0]); i++)
        if (pgs_has_dynamic_state(info, dynamic[i]))
            return false;
    return state && !state->pNext && state->rasterizationSamples == VK_SAMPLE_COUNT_1_BIT;
}

/* Strips have one viewport. Drivers round where they clip by distances, and may tell how what is
 * left faces. */
static bool finds_uncovered(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    return source->dev->physical->traits.finds_uncovered && !p->gs.writes_viewport_index &&
           p->gs.out[0].clip_distance_count == 0 && has_usual_samples(source->info);
}

/* True if long strips are cut where they draw nothing: of what PGS_KERNEL_EXPAND lists, or the
 * kernel of lists that goes through rows. Only geometry shaders that take their record once count
 * what that lists, which are those with the vertex shader (pgs_compute_inputs_init). */
static bool cuts(const struct pgs_pipeline_source *source, uint32_t variants)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    const bool lists =
        variants & PGS_VARIANT_BIT(PGS_VARIANT_FUSED) &&
        pgs_row_kernels(source->dev->physical) & PGS_KERNEL_BIT(PGS_KERNEL_EXPAND_POLYGONS);
    return (p->lists ? lists : is_immediate(source)) &&
           source->dev->physical->traits.costs.of[PGS_COST_CUT_INVOCATIONS] && !p->expands_any &&
           !pgs_spv_holds_strips(&p->gs) && finds_uncovered(source);
}

/* False: too little may lie outside to be worth the tests. Of what a shader sends to several
 * layers, or viewports, most see little: five faces of a cube nothing of a triangle. */
static bool pays(const struct pgs_pipeline_source *source, uint32_t variants)
{
    const struct pgs_spv_geometry_info *gs = &source->pipeline->gs;
    switch (source->dev->physical->instance->settings.cull) {
    case PGS_CULL_ALWAYS:
        return true;
    case PGS_CULL_NEVER:
        return false;
    case PGS_CULL_AUTO:
        break;
    }
    return gs->writes_layer || gs->writes_viewport_index || costs_nothing(source) ||
           cuts(source, variants);
}

uint32_t pgs_culling_planes(const struct pgs_pipeline_source *source, uint32_t variants)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    const bool stores_triangles = !p->native_raster && !p->tes_stored && p->gs.output_kind == 3 &&
                                  p->polygons == PGS_SPV_POLYGONS_FILLED &&
                                  pgs_spv_stream_count(p->gs.stream_mask) == 1 &&
                                  p->gs.out[0].position_w != PGS_NO_WORD;
    if (!stores_triangles || !pays(source, variants) || is_unusual(source->info))
        return 0;
    const bool waits = pgs_spv_holds_strips(&p->gs);
    return PGS_DRAW_PLANES_SIDES | depth_planes(source->info) |
           (cuts(source, variants)             ? PGS_DRAW_CUTS
            : waits && finds_uncovered(source) ? PGS_DRAW_COVERAGE
                                               : 0);
}
