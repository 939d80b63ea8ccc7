/* SPDX-License-Identifier: MIT
 *
 * The raster pipeline that runs the shaders in front of the rasterizer itself.
 */
#include "pipeline/build.h"

#include "poly_gs/abi.h"
#include "poly_gs/tessellation.h"
#include "spirv/spirv.h"
#include "vulkan/chain.h"

/* Do the shaders have to run once, or does it need what only other pipelines have? */
static bool may_place(const struct pgs_build *b)
{
    const struct pgs_emulated_pipeline *p = b->pipeline;
    if (b->dev->physical->instance->settings.plan == PGS_PLAN_COMPUTE || p->dynamic_stream ||
        (p->rasterizer_discard && !p->dynamic_discard))
        return false;
    if (p->tessellated)
        return p->pass_through && !p->by_layer && !b->evaluation_has_effects;
    return !p->has_effects && (p->gs.stream_mask >> p->raster_stream & 1);
}

/* Lists are drawn for what were strips. */
static bool is_stippled(const struct pgs_build *b)
{
    const VkPipelineRasterizationLineStateCreateInfoEXT *line =
        b->info->pRasterizationState
            ? pgs_chain_find(b->info->pRasterizationState->pNext,
                             VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT)
            : NULL;
    return b->pipeline->gs.output_kind == 2 && b->pipeline->gs.max_vertices > 2 &&
           (pgs_has_dynamic_state(b->info, VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT) ||
            (line && line->stippledLineEnable));
}

/* Its vertex shader sees the descriptors of all that it runs. */
static VkResult find_layout(struct pgs_build *b, VkPipelineLayout *layout)
{
    struct pgs_emulated_pipeline *p = b->pipeline;
    enum pgs_stage_group group;
    *layout = b->info->layout;
    if (!pgs_layout_needs_raster_group(p->layout))
        return VK_SUCCESS;
    const VkResult result = pgs_build_use_group(b, PGS_GROUP_RASTER, &group);
    *layout = pgs_layout_of_group(p->layout, group);
    return result;
}

static bool may_see_all(const struct pgs_build *b)
{
    const struct pgs_layout *layout = b->pipeline->layout;
    return !pgs_layout_needs_raster_group(layout) ||
           pgs_layout_group_fits(b->dev, layout, PGS_GROUP_RASTER);
}

static enum pgs_spv_result place_evaluation(const struct pgs_build *b, struct pgs_spv_blob *blob)
{
    const struct pgs_emulated_pipeline *p = b->pipeline;
    const struct pgs_spv_evaluation_raster_options options = {
        .patch = &p->patch,
        .triangles = (p->tessellation_flags & PGS_TESS_DOMAIN) == PGS_TESS_TRIANGLES,
        .corners = pgs_build_tessellation_corners(b),
        .primitive_id_location = b->primitive_id_location,
    };
    return pgs_spv_evaluation_to_raster(&b->tes.shader, &options, blob);
}

/* What of the draws' records the pipeline knows beforehand. */
static struct pgs_spv_assembly assembly_of(const struct pgs_emulated_pipeline *p)
{
    return (struct pgs_spv_assembly){
        .topology = p->dynamic_topology ? PGS_TOPOLOGY_ANY : (uint32_t)p->topology,
        .flags = PGS_DRAW_INDEXED | PGS_DRAW_PROVOKING_LAST |
                 (p->primitive_restart || p->dynamic_restart ? PGS_DRAW_RESTART : 0) |
                 (p->pass_through ? PGS_DRAW_MAIN : 0),
    };
}

static enum pgs_spv_result place_geometry(const struct pgs_build *b, struct pgs_spv_blob *blob)
{
    const struct pgs_emulated_pipeline *p = b->pipeline;
    const struct pgs_spv_vertex_options vertex = pgs_build_vertex_options(b);
    const struct pgs_spv_assembly assembly = assembly_of(p);
    struct pgs_spv_raster_options raster;
    pgs_build_raster_options(b, p->raster_stream, &raster);
    return pgs_spv_fused_to_raster(&b->vs.shader, &vertex, &b->gs.shader, &p->gs, &assembly,
                                   &raster, blob);
}

/* On CPUs work costs the same wherever it is done, so once is best: on lavapipe 10000 quads take
 * half as long again as inline ones. But SwiftShader needs longer for the kernels than for three to
 * six times the shaders: 1000 quads take 32 ms, and inline ones 15. */
static bool is_dear(const struct pgs_physical_device *physical)
{
    const uint32_t google = 0x1AE0;
    return physical->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU &&
           physical->properties.vendorID != google;
}

/* Is it worth it to run the shaders for each vertex that is drawn, rather than once and to store
 * what they emit? It saves the wait of raster work for compute work, some 10 us on an H200, and
 * memory; and what a vertex shader runs there costs nothing beside the vertex up to a few hundred
 * instructions. With 18 corners (strips of 8) and 280 steps 1000, 10000 and 100000 units took 0.73,
 * 0.89 and 0.95 of what the kernels do; with 3 corners and 1060 steps 0.90, 0.86 and 0.93, with
 * 1960 steps 0.90, 0.87 and 1.12. Where it is not known what is emitted, strips of 4 to 64 vertices
 * took 3 to 6 times as long. */
#define MAX_CORNERS 18
#define MAX_STEPS 1000

static bool is_worth_placing(const struct pgs_build *b)
{
    const struct pgs_spv_geometry_info *gs = &b->pipeline->gs;
    const struct pgs_spv_emit_pattern *pattern = &gs->pattern;
    const uint64_t steps =
        (uint64_t)gs->input_vertices * b->vertex_info.steps + (uint64_t)pattern->steps;
    return !b->pipeline->tessellated && pattern->is_known &&
           pgs_inline_corners(b->pipeline) <= MAX_CORNERS && steps <= MAX_STEPS &&
           !is_dear(b->dev->physical);
}

VkResult pgs_build_placed(struct pgs_build *b)
{
    struct pgs_emulated_pipeline *p = b->pipeline;
    if (!may_place(b) || !may_see_all(b))
        return VK_SUCCESS;
    p->inline_is_exact = !is_stippled(b);
    p->prefers_inline = p->inline_is_exact && is_worth_placing(b);
    struct pgs_spv_blob blob = {0};
    const enum pgs_spv_result built =
        p->tessellated ? place_evaluation(b, &blob) : place_geometry(b, &blob);
    if (built == PGS_SPV_UNSUPPORTED)
        return VK_SUCCESS;
    VkResult result = pgs_build_add_module(b, PGS_BUILD_PLACED, built, &blob);
    if (result != VK_SUCCESS)
        return result;
    VkPipelineLayout layout;
    result = find_layout(b, &layout);
    if (result != VK_SUCCESS)
        return result;
    struct pgs_raster_info raster;
    result = pgs_raster_info_init(&raster, b->info, p, b->modules[PGS_BUILD_PLACED],
                                  b->modules[PGS_BUILD_FRAGMENT]);
    raster.info.layout = layout;
    pgs_raster_info_draw_lists(&raster, p->tessellated ? pgs_build_tessellation_corners(b)
                                                       : p->gs.output_kind);
    if (!p->tessellated)
        raster.attributes[0].format = VK_FORMAT_R32G32B32A32_UINT;
    if (result == VK_SUCCESS)
        result = pgs_build_create_raster(b, &raster.info, &p->inline_raster);
    pgs_raster_info_finish(&raster);
    return result;
}
