/* SPDX-License-Identifier: MIT */
#include "pipeline/raster_recipe.h"

#include "base/alloc.h"
#include "base/log.h"
#include "pipeline/bind_sets.h"
#include "pipeline/compile.h"
#include "pipeline/distances.h"
#include "pipeline/inline_list.h"
#include "pipeline/layout.h"
#include "pipeline/polygons.h"
#include "pipeline/raster_info.h"
#include "pipeline/raster_link.h"
#include "pipeline/raster_module.h"
#include "pipeline/record_inputs.h"
#include "pipeline/stipple.h"
#include "pipeline/stored_records.h"
#include "pipeline/tessellation.h"
#include "pipeline/unsupported.h"
#include "spirv/spirv.h"
#include "vulkan/chain.h"

#include <string.h>

/* -- the fragment shader -- */

/* Locations of what is stored for any stream that is drawn. */
static uint64_t stored_locations(const struct pgs_emulated_pipeline *p)
{
    uint64_t mask = 0;
    for (uint32_t s = 0; s < PGS_SPV_STREAMS; s++) {
        if (!pgs_pipeline_has(p, pgs_stored_variant_of(s)))
            continue;
        for (uint32_t i = 0; i < 4 * PGS_MAX_LOCATIONS; i++)
            if (p->gs.out[s].location_w[i / 4][i % 4] != PGS_NO_WORD)
                mask |= UINT64_C(1) << i / 4;
    }
    return mask;
}

/* Finds a location that is not in use for a fragment shader input that was a built-in, and marks it
 * as used. */
static VkResult find_location(const struct pgs_pipeline_source *source, uint64_t *used_mask,
                              uint32_t *location_found)
{
    const uint32_t limit = source->dev->physical->properties.limits.maxFragmentInputComponents / 4;
    for (uint32_t location = 0; location < limit && location < PGS_MAX_LOCATIONS; location++) {
        if (*used_mask >> location & 1)
            continue;
        *used_mask |= (uint64_t)1 << location;
        *location_found = location;
        return VK_SUCCESS;
    }
    return pgs_unsupported("whose fragment shader reads gl_PrimitiveID, gl_Layer, "
                           "gl_ViewportIndex, gl_FrontFacing or gl_PointCoord, or whose lines are "
                           "stippled, and that leaves no input location free");
}

/* The fragment shader ends where there is nothing. */
static bool cuts_fragments(const struct pgs_pipeline_source *source)
{
    return pgs_spv_distance_floats(&source->distances) || source->pipeline->stipple.drawn;
}

/* Without a fragment shader there is nothing that clips. */
static bool adds_fragment(const struct pgs_pipeline_source *source)
{
    return cuts_fragments(source) && !pgs_discards_always(source->info);
}

/* Of stippled lines. Those of Bresenham have all samples of a pixel, or none. */
static VkResult find_stipple(struct pgs_pipeline_source *source, uint64_t *used_mask)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    const bool by_sample =
        source->dev->physical->features.sampleRateShading && p->polygons == PGS_SPV_WIDE_LINES &&
        !pgs_has_dynamic_state(source->info, VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT);
    if (!p->stipple.drawn)
        return VK_SUCCESS;
    source->sample_count = by_sample ? pgs_sample_count(source->info) : 1;
    return find_location(source, used_mask, &source->stipple_location);
}

VkResult pgs_raster_recipe_prepare(struct pgs_pipeline_source *source)
{
    const bool by_layer = source->pipeline->by_layer;
    const struct pgs_spv_fragment_info *fs;
    source->primitive_id_location = UINT32_MAX;
    uint64_t used_mask = stored_locations(source->pipeline);
    if (!source->fs) {
        VkResult placed = find_stipple(source, &used_mask);
        if (placed == VK_SUCCESS)
            placed = pgs_distances_of_emulated(source, &used_mask);
        source->rewrites_fragment = adds_fragment(source);
        return placed;
    }
    VkResult result = pgs_shader_fragment_info(source->fs, &fs);
    if (result != VK_SUCCESS)
        return result;
    used_mask |= fs->location_mask;
    source->takes_layer = fs->reads_layer && by_layer;
    source->takes_viewport = fs->reads_viewport_index && source->pipeline->by_viewport;
    source->takes_front =
        fs->reads_front_facing && pgs_spv_loses_facing(source->pipeline->polygons);
    source->takes_point_coord =
        fs->reads_point_coord && pgs_spv_is_large(source->pipeline->polygons);
    source->flattens = fs->interpolates && pgs_spv_is_large(source->pipeline->polygons);
    memcpy(source->flat_mask, fs->flat_mask, sizeof(source->flat_mask));
    memcpy(source->linear_mask, fs->linear_mask, sizeof(source->linear_mask));
    if (fs->reads_input_attachments && by_layer)
        pgs_log_once(PGS_LOG_ERROR,
                     "a fragment shader reads input attachments behind a geometry shader that "
                     "writes gl_Layer, on a driver that takes no layer from a vertex shader: it "
                     "reads the first layer of their views in all layers");
    if (source->pipeline->stipple.drawn && fs->keeps_early_tests)
        pgs_log_once(PGS_LOG_WARN,
                     "a fragment shader demands early tests and stores, discards or writes depths "
                     "or sample masks, behind stippled lines that the layer draws: gaps have been "
                     "tested, and may have written their depth");
    if (fs->reads_primitive_id)
        result = find_location(source, &used_mask, &source->primitive_id_location);
    if (result == VK_SUCCESS && source->takes_layer)
        result = find_location(source, &used_mask, &source->layer_location);
    if (result == VK_SUCCESS && source->takes_viewport)
        result = find_location(source, &used_mask, &source->viewport_location);
    if (result == VK_SUCCESS && source->takes_front)
        result = find_location(source, &used_mask, &source->front_location);
    if (result == VK_SUCCESS && source->takes_point_coord)
        result = find_location(source, &used_mask, &source->point_coord_location);
    if (result == VK_SUCCESS)
        result = find_stipple(source, &used_mask);
    if (result == VK_SUCCESS)
        result = pgs_distances_of_emulated(source, &used_mask);
    source->rewrites_fragment = fs->reads_primitive_id || source->takes_layer ||
                                source->takes_viewport || source->takes_front ||
                                source->takes_point_coord || source->flattens ||
                                cuts_fragments(source) || pgs_shader_has_placeholder(source->fs);
    return result;
}

/* -- the pipeline -- */

/* An inline vertex shader sees the descriptors of all stages that it runs. */
static VkResult find_layout(const struct pgs_pipeline_source *source, enum pgs_variant variant,
                            struct pgs_made *made, VkPipelineLayout *layout)
{
    struct pgs_layout *known = source->pipeline->layout;
    *layout = pgs_layout_handle(known);
    if (!pgs_variant_shades(variant) || !pgs_layout_needs_raster_group(known))
        return VK_SUCCESS;
    made->group = PGS_GROUP_RASTER;
    const VkResult result = pgs_layout_prepare(source->dev, known, PGS_GROUP_RASTER);
    *layout = pgs_layout_of_group(known, PGS_GROUP_RASTER);
    return result;
}

/* Creation feedback per stage would refer to the layer's stages, so the driver is not asked for it
 * and it is not reported as valid. */
static VkResult compile_raster(const struct pgs_pipeline_source *source,
                               const VkAllocationCallbacks *allocator,
                               VkGraphicsPipelineCreateInfo *info, VkPipeline *pipeline)
{
    const VkStructureType type = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO;
    const VkPipelineCreationFeedbackCreateInfo *feedback = pgs_chain_find(info->pNext, type);
    void *block = NULL;
    if (feedback && feedback->pipelineStageCreationFeedbackCount) {
        const VkResult copied = pgs_chain_copy_prefix(info->pNext, &type, 1, &info->pNext, &block);
        if (copied != VK_SUCCESS)
            return copied;
        VkPipelineCreationFeedbackCreateInfo *copy = pgs_chain_find(info->pNext, type);
        copy->pipelineStageCreationFeedbackCount = 0;
        copy->pPipelineStageCreationFeedbacks = NULL;
        for (uint32_t i = 0; i < feedback->pipelineStageCreationFeedbackCount; i++)
            feedback->pPipelineStageCreationFeedbacks[i] = (VkPipelineCreationFeedback){0};
    }
    const VkResult result =
        pgs_compile_graphics(source->dev, source->cache, info, allocator, pipeline);
    pgs_free(block);
    return result;
}

/* The driver's create info of the whole raster pipeline. filled, thin: room for its state. */
struct raster {
    struct pgs_raster_info info;
    VkPipelineRasterizationStateCreateInfo filled, thin;
    void *thin_chain; /* a part of its chain */
};

static void finish_raster(struct raster *whole)
{
    pgs_raster_info_finish(&whole->info);
    pgs_free(whole->thin_chain);
}

/* The caller finishes it, also after an error. */
static VkResult init_raster(const struct pgs_pipeline_source *source, enum pgs_variant variant,
                            const struct pgs_raster_modules *modules, struct pgs_made *made,
                            struct raster *whole)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    struct pgs_raster_info *raster = &whole->info;
    VkResult result =
        pgs_raster_info_init(raster, source->info, p, &source->depth_clip, source->dev->line_modes,
                             modules->vertex, modules->fragment);
    whole->thin_chain = NULL;
    if (result == VK_SUCCESS && p->stipple.drawn)
        result = pgs_stipple_turn_off(&whole->thin, &raster->info.pRasterizationState,
                                      &whole->thin_chain);
    if (pgs_spv_is_wide(p->polygons))
        pgs_polygons_widen(&whole->filled, &raster->info.pRasterizationState);
    else
        pgs_polygons_fill(source->dev, &whole->filled, &raster->info.pRasterizationState);
    if (result == VK_SUCCESS)
        result = find_layout(source, variant, made, &raster->info.layout);
    const bool geometry = pgs_inline_runs_geometry(p);
    if (result == VK_SUCCESS && pgs_variant_is_inline(variant)) {
        if (pgs_inline_joins_strips(p, variant))
            pgs_raster_info_draw_strip(raster);
        else
            pgs_raster_info_draw_lists(raster, geometry ? p->gs.output_kind
                                                        : pgs_tessellated_primitive_vertices(p));
        if (geometry)
            raster->attributes[0].format = VK_FORMAT_R32G32B32A32_UINT;
        if (geometry && pgs_inline_lists_invocations(p, variant))
            raster->bindings[0].stride = sizeof(struct pgs_inline_draw);
        if (variant == PGS_VARIANT_INLINE && p->takes_record)
            pgs_raster_info_take_record(raster, p);
    }
    if (result == VK_SUCCESS && variant == PGS_VARIANT_INSTANCED) {
        result = pgs_raster_info_take_input(raster, source->info, p);
    } else if (result == VK_SUCCESS && variant == PGS_VARIANT_PICKED) {
        pgs_raster_info_draw_lists(raster, p->gs.output_kind);
        result = pgs_raster_info_take_vertices(raster, source->info, p);
    } else if (result == VK_SUCCESS && !pgs_variant_is_inline(variant)) {
        if (p->tes_stored)
            pgs_raster_info_draw_lists(raster, pgs_tessellated_primitive_vertices(p));
        else if (p->lists)
            pgs_raster_info_draw_lists(raster, p->gs.output_kind);
        if (p->fetches)
            pgs_raster_info_fetch_vertices(raster, p, (uint32_t)(variant - PGS_VARIANT_STORED_0));
        else if (pgs_stored_finds_records(source->dev->physical, p))
            pgs_raster_info_stride_records(raster, pgs_record_size(p));
        if (p->gs.out_head_w)
            pgs_raster_info_split_vertices(raster, pgs_record_size(p));
    }
    if (result == VK_SUCCESS && pgs_variant_shades(variant) && source->robustness.is_set) {
        const struct pgs_robustness robustness =
            pgs_source_robustness(source, !p->tessellated, false, p->tessellated, geometry);
        pgs_raster_info_take_robustness(raster, &robustness);
    }
    return result;
}

static VkResult compile_modules(struct pgs_pipeline_source *source, enum pgs_variant variant,
                                const struct pgs_raster_modules *modules, struct pgs_made *made)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    struct raster whole;
    struct pgs_raster_info *raster = &whole.info;
    struct pgs_linked_raster linked;
    bool links = false;
    VkResult result = init_raster(source, variant, modules, made, &whole);
    if (result == VK_SUCCESS && !modules->fragment && !pgs_variant_takes_input(variant))
        result = pgs_linked_raster_init(&linked, source, variant, raster, &links);
    if (result == VK_SUCCESS)
        result = compile_raster(source, variant == p->handle_variant ? source->allocator : NULL,
                                links ? &linked.info : &raster->info, &made->pipeline);
    finish_raster(&whole);
    return result;
}

VkResult pgs_raster_recipe_make(struct pgs_pipeline_source *source, enum pgs_variant variant,
                                struct pgs_made *made)
{
    struct pgs_raster_modules modules;
    *made = (struct pgs_made){.group = PGS_GROUP_COUNT};
    const VkResult result = pgs_raster_modules_get(source, variant, &modules);
    made->unsupported = result == VK_SUCCESS && modules.unsupported;
    if (result != VK_SUCCESS || made->unsupported)
        return result;
    return compile_modules(source, variant, &modules, made);
}

/* It keeps no module, and takes no lock: draws may want the variant meanwhile. */
VkResult pgs_raster_recipe_prepare_link(struct pgs_pipeline_source *source,
                                        const struct pgs_raster_link *link, VkPipelineCache cache,
                                        enum pgs_variant variant, bool makes, bool *found)
{
    struct pgs_made made = {.group = PGS_GROUP_COUNT};
    struct pgs_raster_modules modules = {.fragment = VK_NULL_HANDLE};
    struct pgs_shared *vertex;
    struct raster whole;
    *found = false;
    if (source->rewrites_fragment || (!makes && !pgs_raster_modules_are_made(source, variant)))
        return VK_SUCCESS;
    VkResult result = pgs_raster_vertex_get(source, variant, &vertex, &modules.vertex);
    if (result != VK_SUCCESS || !vertex)
        return result;
    result = init_raster(source, variant, &modules, &made, &whole);
    if (result == VK_SUCCESS)
        result = pgs_raster_link_prepare(source, link, cache, vertex, &whole.info, makes, found);
    finish_raster(&whole);
    pgs_shared_release(vertex);
    return result;
}

bool pgs_raster_recipe_is_known(const struct pgs_pipeline_source *source, enum pgs_variant variant)
{
    return pgs_raster_modules_are_made(source, variant);
}
