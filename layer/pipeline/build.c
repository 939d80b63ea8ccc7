/* SPDX-License-Identifier: MIT
 *
 * The steps that all pipelines behind which something of ours stands have in common.
 */
#include "pipeline/build.h"

#include "base/alloc.h"
#include "base/log.h"
#include "poly_gs/format.h"
#include "spirv/spirv.h"

#include <stdatomic.h>

static const char *const module_names[PGS_BUILD_MODULES] = {"vertex",   "control", "evaluation",
                                                            "geometry", "fused",   "capture",
                                                            "raster",   "placed",  "fragment"};

VkResult pgs_build_unsupported(const char *what)
{
    pgs_log(PGS_LOG_ERROR, "cannot create a pipeline: emulation %s is not supported yet", what);
    return VK_ERROR_UNKNOWN;
}

VkResult pgs_build_init(struct pgs_build *b, struct pgs_device *dev, VkPipelineCache cache,
                        const VkGraphicsPipelineCreateInfo *info,
                        const VkAllocationCallbacks *allocator)
{
    *b = (struct pgs_build){.dev = dev, .cache = cache, .info = info, .allocator = allocator};
    b->pipeline = pgs_calloc(1, sizeof(*b->pipeline));
    if (!b->pipeline)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    b->dump_serial = pgs_dump_next_serial(dev);
    for (uint32_t i = 0; i < info->stageCount; i++) {
        const VkPipelineShaderStageCreateInfo *stage = &info->pStages[i];
        switch ((int)stage->stage) {
        case VK_SHADER_STAGE_VERTEX_BIT:
            b->vertex_stage = stage;
            break;
        case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
            b->control_stage = stage;
            break;
        case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
            b->evaluation_stage = stage;
            break;
        case VK_SHADER_STAGE_GEOMETRY_BIT:
            b->geometry_stage = stage;
            break;
        case VK_SHADER_STAGE_FRAGMENT_BIT:
            b->fragment_stage = stage;
            break;
        default:
            b->other_stage = "of mesh shaders";
            break;
        }
    }
    return VK_SUCCESS;
}

VkResult pgs_build_finish(struct pgs_build *b, VkResult result, VkPipeline handle)
{
    struct pgs_device *dev = b->dev;
    if (result == VK_SUCCESS &&
        !pgs_map_insert(&dev->pipelines->pipelines, (uint64_t)handle, b->pipeline))
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result != VK_SUCCESS) {
        dev->vk.DestroyPipeline(dev->handle, handle, b->allocator);
        if (b->pipeline)
            pgs_emulated_pipeline_destroy(dev, b->pipeline, b->allocator);
    } else if (!b->pipeline->native_raster || b->pipeline->gs.feedback.enabled ||
               b->pipeline->dynamic_stream || b->pipeline->hidden_streams) {
        atomic_store(&dev->pipelines->possible, true);
    }
    for (int i = 0; i < PGS_BUILD_MODULES; i++)
        dev->vk.DestroyShaderModule(dev->handle, b->modules[i], b->allocator);
    pgs_stage_code_finish(&b->vs);
    pgs_stage_code_finish(&b->tcs);
    pgs_stage_code_finish(&b->tes);
    pgs_stage_code_finish(&b->gs);
    pgs_stage_code_finish(&b->fs);
    pgs_spv_blob_free(&b->pass_through);
    return result;
}

VkResult pgs_build_open_stages(struct pgs_build *b)
{
    const struct {
        const VkPipelineShaderStageCreateInfo *stage;
        struct pgs_stage_code *code;
    } all[] = {{b->vertex_stage, &b->vs},
               {b->control_stage, &b->tcs},
               {b->evaluation_stage, &b->tes},
               {b->geometry_stage, &b->gs}};
    if (b->other_stage)
        return pgs_build_unsupported(b->other_stage);
    if (!b->vertex_stage)
        return pgs_build_unsupported("without a vertex shader in the same pipeline");
    VkResult result = VK_SUCCESS;
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]) && result == VK_SUCCESS; i++)
        if (all[i].stage)
            result = pgs_stage_code_init(all[i].code, b->dev, all[i].stage);
    return result;
}

VkResult pgs_build_pass_through(struct pgs_build *b, bool primitive_id)
{
    const bool tessellated = b->pipeline->tessellated;
    const struct pgs_spv_shader *last = tessellated ? &b->tes.shader : &b->vs.shader;
    const uint32_t corners = tessellated ? pgs_build_tessellation_corners(b) : pgs_build_corners(b);
    const VkResult result = pgs_result_from_spv(
        pgs_spv_pass_through_geometry(last, corners, primitive_id, &b->pass_through),
        tessellated ? "tessellation evaluation" : "vertex");
    b->pipeline->pass_through = true;
    b->gs.shader = (struct pgs_spv_shader){.words = b->pass_through.words,
                                           .word_count = b->pass_through.word_count,
                                           .entry_point = "main",
                                           .stage = PGS_SPV_GEOMETRY};
    return result;
}

static VkResult check_primitives(const struct pgs_build *b)
{
    const struct pgs_emulated_pipeline *p = b->pipeline;
    if (!p->tessellated || p->gs.input_vertices == pgs_build_tessellation_corners(b))
        return VK_SUCCESS;
    pgs_log(PGS_LOG_ERROR, "a geometry shader takes other primitives than tessellation makes");
    return VK_ERROR_INVALID_SHADER_NV;
}

VkResult pgs_build_reflect(struct pgs_build *b)
{
    struct pgs_spv_geometry_info *gs = &b->pipeline->gs;
    VkResult result = pgs_result_from_spv(pgs_spv_geometry_info(&b->gs.shader, gs), "geometry");
    if (result != VK_SUCCESS)
        return result;
    if (b->pipeline->raster_stream >= PGS_SPV_STREAMS)
        return pgs_build_unsupported("that rasterizes a stream beyond the last");
    if (gs->max_vertices == 0 || gs->max_vertices > PGS_MAX_GEOMETRY_VERTICES ||
        gs->invocations == 0 || gs->invocations > PGS_MAX_GEOMETRY_INVOCATIONS) {
        pgs_log(PGS_LOG_ERROR,
                "geometry shader: %u vertices or %u invocations are beyond the limits",
                gs->max_vertices, gs->invocations);
        return VK_ERROR_INVALID_SHADER_NV;
    }
    result = pgs_result_from_spv(pgs_spv_vertex_info(&b->vs.shader, &b->vertex_info), "vertex");
    b->pipeline->uses_push_constants |=
        gs->reads_push_constants || b->vertex_info.reads_push_constants;
    b->pipeline->has_effects = gs->has_side_effects || b->vertex_info.has_side_effects;
    return result == VK_SUCCESS ? check_primitives(b) : result;
}

VkResult pgs_build_add_module(struct pgs_build *b, enum pgs_build_module which,
                              enum pgs_spv_result built, struct pgs_spv_blob *blob)
{
    VkResult result = pgs_result_from_spv(built, module_names[which]);
    if (result != VK_SUCCESS)
        return result;
    pgs_dump_module(b->dev, b->dump_serial, module_names[which], blob);
    result = pgs_module_create_driver(b->dev, blob->words, blob->word_count, b->allocator,
                                      &b->modules[which]);
    pgs_spv_blob_free(blob);
    return result;
}

VkResult pgs_build_use_group(struct pgs_build *b, enum pgs_stage_group wanted,
                             enum pgs_stage_group *group)
{
    struct pgs_emulated_pipeline *p = b->pipeline;
    *group = wanted == PGS_GROUP_RASTER ? wanted : pgs_layout_group(p->layout, wanted);
    p->stage_groups |= UINT32_C(1) << *group;
    return pgs_layout_prepare(b->dev, p->layout, *group);
}

VkResult pgs_build_pipeline(struct pgs_build *b, enum pgs_build_module which,
                            enum pgs_stage_group wanted, VkPipeline *pipeline)
{
    enum pgs_stage_group group;
    VkResult result = pgs_build_use_group(b, wanted, &group);
    if (result != VK_SUCCESS)
        return result;
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .flags = b->info->flags & (VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT |
                                   VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT),
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = b->modules[which],
                  .pName = "main"},
        .layout = pgs_layout_of_group(b->pipeline->layout, group),
        .basePipelineIndex = -1,
    };
    result = b->dev->vk.CreateComputePipelines(b->dev->handle, b->cache, 1, &info, b->allocator,
                                               pipeline);
    if (result != VK_SUCCESS)
        *pipeline = VK_NULL_HANDLE;
    return result;
}

struct pgs_spv_vertex_options pgs_build_vertex_options(const struct pgs_build *b)
{
    const struct pgs_emulated_pipeline *p = b->pipeline;
    const bool captures = p->native_raster && !p->tessellated && !b->geometry_stage;
    struct pgs_spv_vertex_options options = {.out = p->tessellated ? p->control_in : p->gs.in,
                                             .capture = captures ? &p->gs.feedback : NULL};
    for (uint32_t i = 0; i < p->attribute_count; i++)
        options.format[p->attributes[i].location] =
            p->attributes[i].format |
            (p->bindings[p->attributes[i].binding].instance_rate ? PGS_FORMAT_INSTANCE : 0);
    return options;
}

static VkResult build_vertex(struct pgs_build *b)
{
    const struct pgs_spv_vertex_options options = pgs_build_vertex_options(b);
    struct pgs_spv_blob blob = {0};
    const VkResult result = pgs_build_add_module(
        b, PGS_BUILD_VERTEX, pgs_spv_vertex_to_compute(&b->vs.shader, &options, &blob), &blob);
    return result == VK_SUCCESS
               ? pgs_build_pipeline(b, PGS_BUILD_VERTEX, PGS_GROUP_VERTEX, &b->pipeline->vertex)
               : result;
}

static VkResult build_geometry(struct pgs_build *b)
{
    struct pgs_emulated_pipeline *p = b->pipeline;
    struct pgs_spv_blob blob = {0};
    const VkResult result = pgs_build_add_module(
        b, PGS_BUILD_GEOMETRY, pgs_spv_geometry_to_compute(&b->gs.shader, &p->gs, &blob), &blob);
    return result == VK_SUCCESS
               ? pgs_build_pipeline(b, PGS_BUILD_GEOMETRY, PGS_GROUP_GEOMETRY, &p->geometry)
               : result;
}

/* How often a vertex is shaded then, at most. A pipeline's topology stands for its class. */
static uint32_t runs_of_vertex(const struct pgs_emulated_pipeline *p)
{
    switch ((int)p->topology) {
    case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY:
        return p->gs.invocations;
    default:
        return p->gs.invocations * p->gs.input_vertices;
    }
}

/* To shade a few times what is quickly done is cheaper than to store it and wait for it. */
#define MAX_SHORT_RUNS 8
/* A transformation and some lighting. On an H200 three runs of 350 instructions took as long as one
 * and what is stored and loaded. */
#define MAX_SHORT_STEPS 250

static bool is_worth_fusing(const struct pgs_build *b)
{
    const uint32_t runs = runs_of_vertex(b->pipeline);
    return runs == 1 || (b->vertex_info.steps <= MAX_SHORT_STEPS && runs <= MAX_SHORT_RUNS);
}

/* The descriptors of both shaders in one stage. */
static bool may_see_both(const struct pgs_build *b)
{
    const struct pgs_layout *layout = b->pipeline->layout;
    const enum pgs_stage_group group = pgs_layout_group(layout, PGS_GROUP_VERTEX_GEOMETRY);
    return group == PGS_GROUP_ALL || pgs_layout_group_fits(b->dev, layout, group);
}

/* A compiler that has both shaders before it may take two variables on the same buffer for two
 * buffers, so that what the vertex shader loads could be what the geometry shader stores later. */
static bool may_fuse(const struct pgs_build *b)
{
    const enum pgs_fuse wish = b->dev->physical->instance->settings.fuse;
    return !b->pipeline->tessellated && wish != PGS_FUSE_NEVER && !b->pipeline->has_effects &&
           may_see_both(b) && (wish == PGS_FUSE_ALWAYS || is_worth_fusing(b));
}

/* One pipeline in the place of two; fused is false afterwards where it cannot be. */
static VkResult build_fused(struct pgs_build *b)
{
    struct pgs_emulated_pipeline *p = b->pipeline;
    const struct pgs_spv_vertex_options options = pgs_build_vertex_options(b);
    struct pgs_spv_blob blob = {0};
    const enum pgs_spv_result built =
        pgs_spv_fused_to_compute(&b->vs.shader, &options, &b->gs.shader, &p->gs, &blob);
    if (built == PGS_SPV_UNSUPPORTED)
        return VK_SUCCESS;
    const VkResult result = pgs_build_add_module(b, PGS_BUILD_FUSED, built, &blob);
    p->fused = result == VK_SUCCESS;
    return p->fused
               ? pgs_build_pipeline(b, PGS_BUILD_FUSED, PGS_GROUP_VERTEX_GEOMETRY, &p->geometry)
               : result;
}

/* Where nothing of what units emit has to be counted, they write what is captured themselves. */
static bool may_capture(const struct pgs_emulated_pipeline *p)
{
    return p->gs.pattern.is_known && p->gs.feedback.enabled && p->gs.feedback.run_count &&
           !p->tessellated;
}

/* fused: with the vertex shader in it. */
static enum pgs_spv_result translate_capture(const struct pgs_build *b, bool fused,
                                             struct pgs_spv_blob *blob)
{
    const struct pgs_spv_vertex_options options = pgs_build_vertex_options(b);
    return pgs_spv_geometry_to_capture(fused ? &b->vs.shader : NULL, &options, &b->gs.shader,
                                       &b->pipeline->gs, blob);
}

static VkResult build_capture(struct pgs_build *b)
{
    struct pgs_emulated_pipeline *p = b->pipeline;
    struct pgs_spv_blob blob = {0};
    const enum pgs_spv_result built = translate_capture(b, p->fused, &blob);
    const VkResult result = pgs_build_add_module(b, PGS_BUILD_CAPTURE, built, &blob);
    return result == VK_SUCCESS ? pgs_build_pipeline(b, PGS_BUILD_CAPTURE,
                                                     pgs_pipeline_geometry_group(p), &p->capture)
                                : result;
}

/* Could an indirect draw have no memory, and what it captures and counts only be had without? */
static bool may_go_bare(const struct pgs_build *b)
{
    const struct pgs_emulated_pipeline *p = b->pipeline;
    const bool captures = p->gs.feedback.enabled && p->gs.feedback.run_count;
    if (p->tessellated || p->has_effects || !may_see_both(b))
        return false;
    return p->gs.pattern.is_known ? captures && !p->fused : true;
}

static VkResult build_bare(struct pgs_build *b)
{
    struct pgs_emulated_pipeline *p = b->pipeline;
    struct pgs_spv_blob blob = {0};
    const enum pgs_spv_result built = translate_capture(b, true, &blob);
    if (built == PGS_SPV_UNSUPPORTED)
        return VK_SUCCESS;
    if (built != PGS_SPV_OK)
        return pgs_result_from_spv(built, "geometry");
    pgs_dump_module(b->dev, b->dump_serial, "bare", &blob);
    p->no_memory = pgs_late_pipeline_create(&blob);
    enum pgs_stage_group group;
    return p->no_memory ? pgs_build_use_group(b, PGS_GROUP_VERTEX_GEOMETRY, &group)
                        : VK_ERROR_OUT_OF_HOST_MEMORY;
}

static VkResult find_layout(struct pgs_build *b)
{
    const VkResult result = pgs_build_record_vertex_input(b);
    if (result != VK_SUCCESS)
        return result;
    b->pipeline->layout = pgs_layout_acquire(b->dev, b->info->layout);
    return b->pipeline->layout
               ? VK_SUCCESS
               : pgs_build_unsupported("with a pipeline layout that the layer has not seen");
}

VkResult pgs_build_vertex(struct pgs_build *b)
{
    const VkResult result = find_layout(b);
    return result == VK_SUCCESS ? build_vertex(b) : result;
}

static VkResult build_apart(struct pgs_build *b)
{
    const struct pgs_emulated_pipeline *p = b->pipeline;
    VkResult result = build_vertex(b);
    if (result == VK_SUCCESS && p->tessellated)
        result = pgs_build_control(b);
    if (result == VK_SUCCESS && p->tessellated)
        result = pgs_build_evaluation(b);
    if (p->tes_stored && !p->gs.feedback.enabled)
        return result; /* nobody would run it */
    return result == VK_SUCCESS ? build_geometry(b) : result;
}

VkResult pgs_build_compute(struct pgs_build *b)
{
    const struct pgs_emulated_pipeline *p = b->pipeline;
    VkResult result = find_layout(b);
    if (result == VK_SUCCESS && may_fuse(b))
        result = build_fused(b);
    if (result == VK_SUCCESS && !p->fused)
        result = build_apart(b);
    if (result == VK_SUCCESS && may_capture(p))
        result = build_capture(b);
    return result == VK_SUCCESS && may_go_bare(b) ? build_bare(b) : result;
}
