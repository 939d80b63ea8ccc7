/* SPDX-License-Identifier: MIT
 *
 * Pipelines that the driver draws by itself, where transform feedback is ours: what it takes to
 * capture and to count their draws beside them.
 */
#include "pipeline/build.h"

#include "base/log.h"
#include "poly_gs/abi.h"

/* Only modules that the driver refuses can have the execution mode Xfb. */
static bool may_capture(const struct pgs_device *dev, const VkPipelineShaderStageCreateInfo *stage)
{
    return stage && pgs_stage_has_placeholder(dev, stage);
}

static VkResult find_feedback(struct pgs_build *b)
{
    struct pgs_spv_geometry_info *gs = &b->pipeline->gs;
    VkResult result = pgs_stage_code_init(&b->vs, b->dev, b->vertex_stage);
    if (result == VK_SUCCESS)
        result = pgs_result_from_spv(pgs_spv_vertex_feedback(&b->vs.shader, &gs->in, &gs->feedback),
                                     "vertex");
    if (result == VK_SUCCESS && gs->feedback.enabled)
        result = pgs_result_from_spv(pgs_spv_vertex_info(&b->vs.shader, &b->vertex_info), "vertex");
    b->pipeline->uses_push_constants = b->vertex_info.reads_push_constants;
    return result;
}

/* The vertex shader once more, as compute, for what it captures. */
static VkResult build_capture(struct pgs_build *b)
{
    VkResult result = pgs_build_record_vertex_input(b);
    if (result != VK_SUCCESS)
        return result;
    b->pipeline->layout = pgs_layout_acquire(b->dev, b->info->layout);
    if (!b->pipeline->layout)
        return pgs_build_unsupported("with a pipeline layout that the layer has not seen");
    return pgs_build_vertex(b);
}

/* A geometry shader that the driver runs: once more as compute, to count what it emits. */
static VkResult build_geometry_count(struct pgs_build *b)
{
    VkResult result = pgs_stage_code_init(&b->vs, b->dev, b->vertex_stage);
    if (result == VK_SUCCESS)
        result = pgs_stage_code_init(&b->gs, b->dev, b->geometry_stage);
    if (result == VK_SUCCESS)
        result = pgs_build_reflect(b);
    if (result == VK_SUCCESS)
        result = build_capture(b);
    return result == VK_SUCCESS ? pgs_build_geometry(b) : result;
}

static VkResult note(struct pgs_build *b)
{
    struct pgs_emulated_pipeline *p = b->pipeline;
    VkResult result = pgs_build_record_state(b);
    if (result != VK_SUCCESS)
        return result;
    p->native_raster = true;
    if (b->other_stage) {
        pgs_log_once(PGS_LOG_WARN, "transform feedback and its queries do not see what "
                                   "tessellation shaders put out");
        return VK_SUCCESS;
    }
    if (b->geometry_stage)
        return build_geometry_count(b);
    p->gs.output_kind = pgs_build_corners(b);
    p->gs.input_vertices = p->gs.output_kind;
    p->gs.invocations = 1;
    if (!may_capture(b->dev, b->vertex_stage))
        return VK_SUCCESS;
    result = find_feedback(b);
    return result == VK_SUCCESS && p->gs.feedback.enabled ? build_capture(b) : result;
}

VkResult pgs_native_pipeline_note(struct pgs_device *dev, VkPipelineCache cache,
                                  const VkGraphicsPipelineCreateInfo *info,
                                  const VkAllocationCallbacks *allocator,
                                  struct pgs_native_pipelines *natives)
{
    struct pgs_build b;
    const VkPipeline handle = natives->handle;
    VkResult result = pgs_build_init(&b, dev, cache, info, allocator);
    if (result == VK_SUCCESS) {
        b.pipeline->raster = handle;
        b.pipeline->hidden_streams = natives->hidden_streams;
        for (uint32_t s = 0; s < PGS_SPV_STREAMS; s++)
            b.pipeline->raster_of_stream[s] = natives->of_stream[s];
        result = note(&b);
    } else {
        pgs_pipelines_of_streams_destroy(dev, natives->of_stream, allocator);
    }
    return pgs_build_finish(&b, result, handle);
}

void pgs_pipelines_of_streams_destroy(const struct pgs_device *dev,
                                      const VkPipeline of_stream[PGS_SPV_STREAMS],
                                      const VkAllocationCallbacks *allocator)
{
    for (uint32_t s = 0; s < PGS_SPV_STREAMS; s++) {
        bool again = false;
        for (uint32_t i = 0; i < s; i++)
            again |= of_stream[i] == of_stream[s];
        if (!again)
            dev->vk.DestroyPipeline(dev->handle, of_stream[s], allocator);
    }
}

VkResult pgs_native_streams(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                            uint32_t *stream_mask)
{
    const VkPipelineShaderStageCreateInfo *geometry = NULL;
    *stream_mask = 1;
    for (uint32_t i = 0; i < info->stageCount; i++)
        if (info->pStages[i].stage == VK_SHADER_STAGE_GEOMETRY_BIT)
            geometry = &info->pStages[i];
    if (!geometry || !pgs_stage_has_placeholder(dev, geometry))
        return VK_SUCCESS;
    struct pgs_stage_code code;
    struct pgs_spv_geometry_info gs = {0};
    VkResult result = pgs_stage_code_init(&code, dev, geometry);
    if (result == VK_SUCCESS)
        result = pgs_result_from_spv(pgs_spv_geometry_info(&code.shader, &gs), "geometry");
    pgs_stage_code_finish(&code);
    *stream_mask = gs.stream_mask;
    return result;
}

/* What a stage writes besides its outputs; nothing for a stage that is not there. */
static VkResult vertex_effects(const struct pgs_device *dev,
                               const VkPipelineShaderStageCreateInfo *stage, bool captures,
                               bool *effects)
{
    struct pgs_stage_code code;
    struct pgs_spv_vertex_info vertex = {0};
    struct pgs_spv_feedback feedback = {0};
    struct pgs_spv_layout layout;
    VkResult result = pgs_stage_code_init(&code, dev, stage);
    if (result == VK_SUCCESS && captures)
        result = pgs_result_from_spv(pgs_spv_vertex_feedback(&code.shader, &layout, &feedback),
                                     "vertex");
    if (result == VK_SUCCESS && (feedback.enabled || !captures))
        result = pgs_result_from_spv(pgs_spv_vertex_info(&code.shader, &vertex), "vertex");
    pgs_stage_code_finish(&code);
    *effects |= vertex.has_side_effects;
    return result;
}

static VkResult geometry_effects(const struct pgs_device *dev,
                                 const VkPipelineShaderStageCreateInfo *stage, bool *effects)
{
    struct pgs_stage_code code;
    struct pgs_spv_geometry_info gs = {0};
    VkResult result = pgs_stage_code_init(&code, dev, stage);
    if (result == VK_SUCCESS)
        result = pgs_result_from_spv(pgs_spv_geometry_info(&code.shader, &gs), "geometry");
    pgs_stage_code_finish(&code);
    *effects |= gs.has_side_effects;
    return result;
}

VkResult pgs_runs_twice_with_effects(const struct pgs_device *dev,
                                     const VkGraphicsPipelineCreateInfo *info, bool *effects)
{
    const VkPipelineShaderStageCreateInfo *vs = NULL, *gs = NULL;
    *effects = false;
    for (uint32_t i = 0; i < info->stageCount; i++) {
        const VkPipelineShaderStageCreateInfo *stage = &info->pStages[i];
        if (stage->stage == VK_SHADER_STAGE_VERTEX_BIT)
            vs = stage;
        else if (stage->stage == VK_SHADER_STAGE_GEOMETRY_BIT)
            gs = stage;
        else if (stage->stage != VK_SHADER_STAGE_FRAGMENT_BIT)
            return VK_SUCCESS;
    }
    if (!vs || (!gs && !may_capture(dev, vs)))
        return VK_SUCCESS;
    VkResult result = vertex_effects(dev, vs, !gs, effects);
    if (result == VK_SUCCESS && gs)
        result = geometry_effects(dev, gs, effects);
    return result;
}
