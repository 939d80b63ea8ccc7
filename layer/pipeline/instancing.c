/* SPDX-License-Identifier: MIT */
#include "pipeline/instancing.h"

#include "pipeline/layout.h"
#include "pipeline/raster_info.h"
#include "vulkan/chain.h"

static enum pgs_uninstanced refuses_primitives(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    const bool any = p->dynamic & PGS_DYNAMIC_TOPOLOGY;
    const bool known = !any && !(p->dynamic & PGS_DYNAMIC_PROVOKING);
    const bool strips = any || p->topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
    if (p->pass_through || (!any && !source->info->pInputAssemblyState))
        return PGS_UNINSTANCED_PRIMITIVES;
    if (p->gs.input_vertices == 2 && strips && pgs_may_stipple(source->info))
        return PGS_UNINSTANCED_STIPPLE; /* each line begins the pattern anew */
    if (known && pgs_instanced_vertices(p->topology, p->provoking_last) != p->gs.input_vertices)
        return PGS_UNINSTANCED_PRIMITIVES; /* else draws decide */
    return PGS_UNINSTANCED_NO;
}

/* The driver is to fetch the attributes as the layer does. The number of a draw would change where
 * calls of several draws are split. */
static enum pgs_uninstanced refuses_inputs(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    const struct pgs_physical_device *physical = source->dev->physical;
    const VkPipelineVertexInputStateCreateInfo *input = source->info->pVertexInputState;
    const bool any = p->dynamic & PGS_DYNAMIC_VERTEX_INPUT; /* of drivers that know divisors */
    const bool knows_all = !physical->lacks_divisors && !physical->lacks_zero_divisor;
    for (uint32_t i = 0; i < PGS_MAX_VERTEX_BINDINGS && !knows_all; i++)
        if (p->bindings[i].instance_rate && p->bindings[i].divisor != 1)
            return PGS_UNINSTANCED_DIVISORS;
    if (!any && !(input && (knows_all || !input->pNext)))
        return PGS_UNINSTANCED_DIVISORS;
    if (pgs_spv_module_has_draw_index(source->vs->code.words, source->vs->code.word_count))
        return PGS_UNINSTANCED_DRAW_INDEX;
    return PGS_UNINSTANCED_NO;
}

/* Primitives of one strip may be drawn in front of those of the next one if they go to layers of
 * their own. */
static enum pgs_uninstanced refuses_order(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    if (p->gs.one_vertex.strips == 1)
        return PGS_UNINSTANCED_NO;
    for (uint32_t i = 0; i < p->attribute_count && !(p->dynamic & PGS_DYNAMIC_VERTEX_INPUT); i++)
        if (p->bindings[p->attributes[i].binding].instance_rate)
            return PGS_UNINSTANCED_INSTANCES;
    return p->gs.one_vertex.layers_differ ? PGS_UNINSTANCED_NO : PGS_UNINSTANCED_ORDER;
}

/* What the rasterizer is to be told, the driver must take from a vertex shader. */
static enum pgs_uninstanced refuses_outputs(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    const struct pgs_physical_device *physical = source->dev->physical;
    const struct pgs_spv_fragment_info *fs = NULL;
    if (source->fs && pgs_shader_fragment_info(source->fs, &fs) != VK_SUCCESS)
        return PGS_UNINSTANCED_PRIMITIVE_ID;
    if (p->by_view || p->view_mask)
        return PGS_UNINSTANCED_VIEWS;
    if (p->by_layer || p->by_viewport ||
        (p->gs.writes_layer && !physical->has_shader_output_layer) ||
        (p->gs.writes_viewport_index && !physical->has_shader_output_viewport_index))
        return PGS_UNINSTANCED_LAYERS;
    if (p->polygons != PGS_SPV_POLYGONS_FILLED)
        return PGS_UNINSTANCED_POLYGONS;
    return fs && fs->reads_primitive_id ? PGS_UNINSTANCED_PRIMITIVE_ID : PGS_UNINSTANCED_NO;
}

/* Of shaders whose vertices are known to be made of one each. */
static enum pgs_uninstanced refuses_joined(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    if (source->dev->physical->instance->settings.plan != PGS_PLAN_AUTO)
        return PGS_UNINSTANCED_SETTING;
    if (p->tessellated)
        return PGS_UNINSTANCED_TESSELLATED;
    if (p->has_effects)
        return PGS_UNINSTANCED_EFFECTS;
    if (source->link)
        return PGS_UNINSTANCED_LIBRARIES;
    return p->gs.reads_push_constants && !p->layout->vertices_get_all ? PGS_UNINSTANCED_PUSHES
                                                                      : PGS_UNINSTANCED_NO;
}

static enum pgs_uninstanced refuses_shaders(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    if (p->raster_stream != 0)
        return PGS_UNINSTANCED_VERTICES;
    if (!p->gs.one_vertex.strips)
        return pgs_spv_has_several_strips(&p->gs) && !p->gs.writes_layer ? PGS_UNINSTANCED_ORDER
                                                                         : PGS_UNINSTANCED_VERTICES;
    return refuses_joined(source);
}

typedef enum pgs_uninstanced refuses(const struct pgs_pipeline_source *source);

/* The first reason; steps: of which the last one is NULL. */
static enum pgs_uninstanced first_of(const struct pgs_pipeline_source *source,
                                     refuses *const *steps)
{
    enum pgs_uninstanced why = PGS_UNINSTANCED_NO;
    for (; *steps && why == PGS_UNINSTANCED_NO; steps++)
        why = (*steps)(source);
    return why;
}

enum pgs_uninstanced pgs_instancing_refuses(const struct pgs_pipeline_source *source)
{
    static refuses *const steps[] = {refuses_shaders, refuses_primitives, refuses_inputs,
                                     refuses_order,   refuses_outputs,    NULL};
    return first_of(source, steps);
}

static enum pgs_uninstanced refuses_picks(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    if (p->raster_stream != 0 || !p->gs.may_pick || !p->layout)
        return PGS_UNINSTANCED_VERTICES;
    if (!pgs_picks_from(source->dev->physical))
        return PGS_UNINSTANCED_FETCH;
    if (p->pass_through || (p->dynamic & PGS_DYNAMIC_STREAM))
        return PGS_UNINSTANCED_PRIMITIVES;
    if (p->gs.output_kind == 2 && pgs_may_stipple(source->info))
        return PGS_UNINSTANCED_STIPPLE; /* lists begin the pattern anew at each line */
    return refuses_joined(source);
}

enum pgs_uninstanced pgs_picking_refuses(const struct pgs_pipeline_source *source)
{
    static refuses *const steps[] = {refuses_picks, refuses_inputs, refuses_outputs, NULL};
    return first_of(source, steps);
}

bool pgs_instancing_depends(const struct pgs_emulated_pipeline *p)
{
    const bool last = p->provoking_last || (p->dynamic & PGS_DYNAMIC_PROVOKING);
    return (p->gs.input_vertices == 3 && last) ||
           ((p->dynamic & PGS_DYNAMIC_VERTEX_INPUT) && p->gs.one_vertex.strips > 1);
}
