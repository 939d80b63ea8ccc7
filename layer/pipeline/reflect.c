/* SPDX-License-Identifier: MIT */
#include "pipeline/reflect.h"

#include "base/log.h"
#include "pipeline/create_state.h"
#include "pipeline/fetched_inputs.h"
#include "pipeline/kept_render_pass.h"
#include "pipeline/layout.h"
#include "pipeline/tessellation.h"
#include "pipeline/unsupported.h"
#include "vulkan/chain.h"

const VkPipelineShaderStageCreateInfo *pgs_find_stage(const VkGraphicsPipelineCreateInfo *info,
                                                      VkShaderStageFlagBits stage)
{
    const VkPipelineShaderStageCreateInfo *found = NULL;
    for (uint32_t i = 0; i < info->stageCount; i++)
        if (info->pStages[i].stage == stage)
            found = &info->pStages[i];
    return found;
}

static VkResult open_stage(struct pgs_pipeline_source *source, VkShaderStageFlagBits stage,
                           struct pgs_shader **shader)
{
    const VkPipelineShaderStageCreateInfo *found = pgs_find_stage(source->info, stage);
    return found ? pgs_shader_get(source->dev, found, shader) : VK_SUCCESS;
}

VkResult pgs_reflect_open(struct pgs_pipeline_source *source)
{
    if (pgs_has_mesh_stages(source->info))
        return pgs_unsupported("of mesh shaders");
    if (!pgs_find_stage(source->info, VK_SHADER_STAGE_VERTEX_BIT))
        return pgs_unsupported("without a vertex shader in the same pipeline");
    VkResult result = open_stage(source, VK_SHADER_STAGE_VERTEX_BIT, &source->vs);
    if (result == VK_SUCCESS)
        result = open_stage(source, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, &source->tcs);
    if (result == VK_SUCCESS)
        result = open_stage(source, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, &source->tes);
    if (result == VK_SUCCESS)
        result = open_stage(source, VK_SHADER_STAGE_GEOMETRY_BIT, &source->gs);
    return result;
}

VkResult pgs_reflect_pass_through(struct pgs_pipeline_source *source, bool primitive_id)
{
    struct pgs_emulated_pipeline *p = source->pipeline;
    const uint32_t vertices_per_primitive =
        p->tessellated ? pgs_tessellated_primitive_vertices(p) : pgs_raster_primitive_vertices(p);
    p->pass_through = true;
    return pgs_shader_get_pass_through(p->tessellated ? source->tes : source->vs,
                                       vertices_per_primitive, primitive_id, &source->gs);
}

static VkResult check_primitives(const struct pgs_emulated_pipeline *p)
{
    if (!p->tessellated || p->gs.input_vertices == pgs_tessellated_primitive_vertices(p))
        return VK_SUCCESS;
    pgs_log(PGS_LOG_ERROR, "cannot create a pipeline: its geometry shader takes other primitives "
                           "than its tessellation makes");
    return VK_ERROR_INVALID_SHADER_NV;
}

/* True if output vertices are stored in two arrays. Raster vertices of polygons and wide lines look
 * at several stored ones, those of tessellation alone are the evaluation shader's, and one
 * vertexOffset does not lead to the same vertex of two arrays with different strides. */
static bool splits_vertices(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    return source->dev->physical->traits.splits_vertices && !p->native_raster &&
           p->polygons == PGS_SPV_POLYGONS_FILLED && !p->tes_stored && !p->fetches;
}

/* True if output vertices are packed: emits that are static and reach max_vertices leave no gaps.
 */
static bool packs_vertices(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    const struct pgs_spv_emit_pattern *pattern = &p->gs.pattern;
    return source->dev->physical->traits.packs_vertices && !p->native_raster && !p->tes_stored &&
           !(pattern->is_known && pattern->vertices == p->gs.max_vertices);
}

/* Shorter strips of unknown length are drawn sooner where they lie in one piece. */
#define SPREAD_EL 16

/* True if vertices of the same number may lie beside each other (PGS_DRAW_SPREAD): those of long
 * strips, and where emits leave no slot empty. Of layers most strips are left out. */
static bool spreads_vertices(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    const struct pgs_spv_geometry_info *gs = &p->gs;
    const bool fills = gs->pattern.is_known && gs->pattern.vertices == gs->max_vertices;
    const bool many =
        fills ? gs->max_vertices > 1 && !gs->writes_layer : gs->max_vertices >= SPREAD_EL;
    return source->dev->physical->traits.costs.of[PGS_COST_SPREAD_INVOCATIONS] && !p->packs &&
           !p->native_raster && !p->tessellated && many;
}

VkResult pgs_reflect_geometry(struct pgs_pipeline_source *source)
{
    struct pgs_emulated_pipeline *p = source->pipeline;
    const struct pgs_spv_geometry_info *gs;
    const struct pgs_spv_vertex_info *vs;
    VkResult result = VK_SUCCESS;
    if (source->dev->physical->traits.fetches_vertices) {
        result = pgs_shader_geometry_info(source->gs, &gs);
        p->fetches = result == VK_SUCCESS && pgs_may_fetch_vertices(source->dev->physical, p, gs);
    }
    if (result == VK_SUCCESS)
        result = splits_vertices(source) ? pgs_shader_geometry_split_info(source->gs, &gs)
                                         : pgs_shader_geometry_info(source->gs, &gs);
    if (result != VK_SUCCESS)
        return result;
    p->gs = *gs;
    p->packs = packs_vertices(source);
    p->spreads = spreads_vertices(source);
    source->geometry_info = gs;
    if (p->raster_stream >= PGS_SPV_STREAMS)
        return pgs_unsupported("that rasterizes a stream beyond the last");
    if (gs->max_vertices == 0 || gs->max_vertices > PGS_MAX_GEOMETRY_VERTICES ||
        gs->invocations == 0 || gs->invocations > PGS_MAX_GEOMETRY_INVOCATIONS) {
        pgs_log(PGS_LOG_ERROR,
                "cannot create a pipeline: a geometry shader with %u vertices and %u invocations "
                "is beyond the limits",
                gs->max_vertices, gs->invocations);
        return VK_ERROR_INVALID_SHADER_NV;
    }
    result = pgs_shader_vertex_info(source->vs, &vs);
    if (result != VK_SUCCESS)
        return result;
    source->vertex_info = *vs;
    p->uses_push_constants |= gs->reads_push_constants || vs->reads_push_constants;
    p->vertex_has_effects = vs->has_side_effects;
    p->has_effects = gs->has_side_effects || vs->has_side_effects;
    return check_primitives(p);
}

VkResult pgs_reflect_inputs(struct pgs_pipeline_source *source)
{
    struct pgs_emulated_pipeline *p = source->pipeline;
    const VkResult result =
        pgs_record_vertex_input(p, source->info, source->vertex_info.attribute_mask);
    if (result != VK_SUCCESS)
        return result;
    p->layout = pgs_layout_acquire(source->dev, source->info->layout);
    p->fragments_see_sets = p->layout && p->layout->fragments_see;
    if (!p->layout)
        return pgs_unsupported("with a pipeline layout that the layer has not seen");
    p->push_B = p->layout->push_B;
    return VK_SUCCESS;
}

uint32_t pgs_info_view_mask(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info)
{
    if (info->renderPass)
        return pgs_render_pass_view_mask(dev, info->renderPass, info->subpass);
    const VkPipelineRenderingCreateInfo *rendering =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
    return rendering ? rendering->viewMask : 0;
}

void pgs_reflect_views(struct pgs_pipeline_source *source)
{
    struct pgs_emulated_pipeline *p = source->pipeline;
    const bool reads = source->vertex_info.reads_view_index || source->tessellation_reads_view ||
                       p->gs.reads_view_index;
    const bool has_effects =
        !p->native_raster && (p->has_effects || source->evaluation_has_effects ||
                              (source->control_info && source->control_info->has_side_effects));
    p->view_mask = reads || has_effects ? pgs_info_view_mask(source->dev, source->info) : 0;
    /* No shader may write gl_Layer for several views. */
    p->by_view = !p->native_raster && !p->by_layer && (p->view_mask & (p->view_mask - 1));
}
