/* SPDX-License-Identifier: MIT */
#include "pipeline/distances.h"

#include "base/log.h"
#include "pipeline/create_state.h"
#include "pipeline/module.h"
#include "pipeline/polygons.h"
#include "pipeline/raster_info.h"
#include "pipeline/reflect.h"
#include "pipeline/unsupported.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))

bool pgs_stage_has_distances(const struct pgs_device *dev,
                             const VkPipelineShaderStageCreateInfo *stage)
{
    const struct pgs_module *module = pgs_stage_module(dev, stage);
    return module && module->has_distances;
}

bool pgs_info_has_distances(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info)
{
    if (!dev->physical->emulates_clip)
        return false;
    for (uint32_t i = 0; i < info->stageCount; i++)
        if (pgs_stage_has_distances(dev, &info->pStages[i]))
            return true;
    return false;
}

uint32_t pgs_sample_count(const VkGraphicsPipelineCreateInfo *info)
{
    const bool none = pgs_discards_always(info) || !info->pMultisampleState;
    return none ? 1 : (uint32_t)info->pMultisampleState->rasterizationSamples;
}

static uint32_t wanted_locations(const struct pgs_spv_distances *distances)
{
    return (pgs_spv_distance_floats(distances) + 3) / 4;
}

static uint32_t limit_of(uint32_t limit_el)
{
    return MIN(limit_el / 4, PGS_MAX_LOCATIONS);
}

VkResult pgs_distances_place(struct pgs_spv_distances *distances, uint32_t limit_el,
                             uint64_t *used_mask)
{
    const uint32_t wanted = wanted_locations(distances);
    const uint32_t limit = limit_of(limit_el);
    uint32_t found = 0;
    if ((uint32_t)distances->clip_count + distances->cull_count > PGS_SPV_MAX_DISTANCES)
        return pgs_unsupported("of more clip and cull distances than 8");
    for (uint32_t location = 0; location < limit && found < wanted; location++) {
        if (*used_mask >> location & 1)
            continue;
        *used_mask |= UINT64_C(1) << location;
        distances->locations[found++] = (uint8_t)location;
    }
    return found == wanted ? VK_SUCCESS
                           : pgs_unsupported("of clip and cull distances beside varyings that "
                                             "leave no location free for them");
}

static uint32_t varyings_el(const struct pgs_device *dev)
{
    const VkPhysicalDeviceLimits *limits = &dev->physical->properties.limits;
    return MIN(limits->maxVertexOutputComponents, limits->maxFragmentInputComponents);
}

static void note_fragment(const struct pgs_spv_fragment_info *info,
                          struct pgs_spv_distances *distances)
{
    distances->passes_cull = info->reads_cull_distance;
    if (info->keeps_early_tests)
        pgs_log_once(PGS_LOG_WARN,
                     "a fragment shader demands early tests and stores, discards or writes depths "
                     "or sample masks, behind clip or cull distances that the driver lacks: what "
                     "is clipped has been tested, and may have written its depth");
}

/* Adds both planes to the distances that become varyings, if there is room for them. */
static void add_planes(const struct pgs_device *dev, uint64_t used_mask,
                       struct pgs_spv_distances *distances, struct pgs_depth_clip *clip,
                       struct pgs_spv_depth_planes *planes)
{
    struct pgs_spv_distances more = *distances;
    const uint32_t limit = limit_of(varyings_el(dev));
    uint32_t unused = 0;
    if (!planes->wanted)
        return;
    more.clip_count += PGS_SPV_DEPTH_PLANES;
    for (uint32_t location = 0; location < limit; location++)
        unused += !(used_mask >> location & 1);
    if (wanted_locations(&more) > unused)
        pgs_depth_clip_refuse(clip, planes);
    else
        *distances = more;
}

/* Notes what the stage of a pipeline that the driver draws has to do with distances. */
static VkResult note_stage(struct pgs_device *dev, const VkPipelineShaderStageCreateInfo *stage,
                           struct pgs_spv_distances *distances, uint64_t *used_mask)
{
    const struct pgs_spv_vertex_info *vertex;
    const struct pgs_spv_fragment_info *fragment;
    struct pgs_shader *shader;
    VkResult result = pgs_shader_get(dev, stage, &shader);
    if (result == VK_SUCCESS && stage->stage == VK_SHADER_STAGE_VERTEX_BIT) {
        result = pgs_shader_vertex_info(shader, &vertex);
        if (result == VK_SUCCESS) {
            distances->clip_count = vertex->clip_count;
            distances->cull_count = vertex->cull_count;
            *used_mask |= vertex->output_mask;
        }
    } else if (result == VK_SUCCESS && stage->stage == VK_SHADER_STAGE_FRAGMENT_BIT) {
        result = pgs_shader_fragment_info(shader, &fragment);
        if (result == VK_SUCCESS) {
            note_fragment(fragment, distances);
            *used_mask |= fragment->location_mask;
        }
    }
    pgs_shader_release(shader);
    return result;
}

/* Fragments of an edge or a corner do not know the rest of the polygon. */
static void warn_of_edges(const VkGraphicsPipelineCreateInfo *info,
                          const struct pgs_spv_distances *distances)
{
    if (distances->cull_count && pgs_polygons_may_be_unfilled(info))
        pgs_log_once(PGS_LOG_WARN,
                     "polygons with cull distances, drawn as lines or points: edges and corners "
                     "whose vertices all have a negative one are missing "
                     "(VK_POLY_GS_FILL=emulate has them)");
}

VkResult pgs_distances_of_plain(struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                                struct pgs_clipping *clipping)
{
    uint64_t used_mask = 0;
    VkResult result = VK_SUCCESS;
    *clipping = (struct pgs_clipping){.depth = pgs_depth_clip_of(dev, info),
                                      .varyings = pgs_info_has_distances(dev, info)};
    struct pgs_spv_distances *d = &clipping->distances;
    const bool wanted = clipping->varyings || clipping->depth.planes;
    for (uint32_t i = 0; wanted && i < info->stageCount && result == VK_SUCCESS; i++)
        result = note_stage(dev, &info->pStages[i], d, &used_mask);
    if (!wanted || result != VK_SUCCESS)
        return result;
    pgs_depth_clip_place(dev, info, d->clip_count, d->cull_count, &clipping->depth,
                         &clipping->planes);
    if (!dev->physical->emulates_clip) {
        *d = (struct pgs_spv_distances){0};
        return VK_SUCCESS;
    }
    warn_of_edges(info, d);
    add_planes(dev, used_mask, d, &clipping->depth, &clipping->planes);
    clipping->varyings |= clipping->planes.wanted;
    return pgs_distances_place(d, varyings_el(dev), &used_mask);
}

/* Distances of all streams that are drawn. */
static void count_distances(const struct pgs_emulated_pipeline *p, struct pgs_spv_distances *d)
{
    for (uint32_t s = 0; s < PGS_SPV_STREAMS; s++) {
        const struct pgs_spv_layout *out = &p->gs.out[s];
        if (!pgs_pipeline_has(p, pgs_stored_variant_of(s)))
            continue;
        if (out->clip_distance_w != PGS_NO_WORD && out->clip_distance_count > d->clip_count)
            d->clip_count = out->clip_distance_count;
        if (out->cull_distance_w != PGS_NO_WORD && out->cull_distance_count > d->cull_count)
            d->cull_count = out->cull_distance_count;
    }
    if (p->polygons != PGS_SPV_POLYGONS_FILLED) /* the vertex shader culls them */
        d->cull_count = 0;
}

/* Edges and points of polygons. */
static bool draws_edges(const struct pgs_emulated_pipeline *p)
{
    switch (p->polygons) {
    case PGS_SPV_POLYGONS_LINES:
    case PGS_SPV_POLYGONS_POINTS:
    case PGS_SPV_WIDE_EDGES:
    case PGS_SPV_COPIED_EDGES:
    case PGS_SPV_LARGE_CORNERS:
        return true;
    case PGS_SPV_POLYGONS_FILLED:
    case PGS_SPV_WIDE_LINES:
    case PGS_SPV_COPIED_LINES:
    case PGS_SPV_LARGE_POINTS:
        break;
    }
    return false;
}

/* Stippled copies of thin lines have all samples of a pixel, or none. */
static bool stipples_pixels(const struct pgs_emulated_pipeline *p)
{
    return p->stipple.drawn &&
           (p->polygons == PGS_SPV_COPIED_LINES || p->polygons == PGS_SPV_COPIED_EDGES);
}

VkResult pgs_distances_of_emulated(struct pgs_pipeline_source *source, uint64_t *used_mask)
{
    const struct pgs_device *dev = source->dev;
    struct pgs_spv_distances *d = &source->distances;
    const struct pgs_spv_fragment_info *fs = NULL;
    if (source->depth_clip.planes &&
        draws_edges(source->pipeline)) /* with the bias in their vertices, within the range */
        source->depth_clip.planes = source->depth_clip.clamps = false;
    if (!dev->physical->emulates_clip && !source->depth_clip.planes)
        return VK_SUCCESS;
    count_distances(source->pipeline, d);
    pgs_depth_clip_place(dev, source->info, d->clip_count, d->cull_count, &source->depth_clip,
                         &source->depth_planes);
    if (!dev->physical->emulates_clip) {
        *d = (struct pgs_spv_distances){0};
        return VK_SUCCESS;
    }
    VkResult result = source->fs ? pgs_shader_fragment_info(source->fs, &fs) : VK_SUCCESS;
    if (result != VK_SUCCESS)
        return result;
    if (fs && pgs_spv_distance_floats(d))
        note_fragment(fs, d);
    if (source->pipeline->gs.output_kind == 3)
        warn_of_edges(source->info, d); /* those of the layer's polygons are not counted */
    if (!stipples_pixels(source->pipeline))
        source->sample_count = pgs_sample_count(source->info);
    add_planes(dev, *used_mask, d, &source->depth_clip, &source->depth_planes);
    return pgs_distances_place(d, varyings_el(dev), used_mask);
}
