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
        result = pgs_result_from_spv(pgs_spv_vertex_xfb(&b->vs.shader, &gs->in, &gs->feedback),
                                     "vertex");
    if (result == VK_SUCCESS && gs->feedback.enabled)
        result = pgs_result_from_spv(pgs_spv_vertex_info(&b->vs.shader, &b->vertex_info), "vertex");
    b->pipeline->uses_push_constants = b->vertex_info.reads_push_constants;
    return result;
}

/* A geometry shader that the driver runs: once more as compute, to count what it emits. */
static VkResult build_geometry_count(struct pgs_build *b)
{
    VkResult result = pgs_build_open_stages(b);
    if (result == VK_SUCCESS)
        result = pgs_build_reflect(b);
    return result == VK_SUCCESS ? pgs_build_compute(b) : result;
}

/* Likewise all in front of the rasterizer, to capture and count what tessellation makes. */
static VkResult build_tessellation_count(struct pgs_build *b)
{
    VkResult result = pgs_build_open_stages(b);
    if (result == VK_SUCCESS)
        result = pgs_build_reflect_tessellation(b);
    if (result == VK_SUCCESS && !b->geometry_stage)
        result = pgs_build_pass_through(b, false);
    if (result == VK_SUCCESS)
        result = pgs_build_reflect(b);
    return result == VK_SUCCESS ? pgs_build_compute(b) : result;
}

static VkResult note(struct pgs_build *b)
{
    struct pgs_emulated_pipeline *p = b->pipeline;
    VkResult result = pgs_build_record_state(b);
    if (result != VK_SUCCESS || b->other_stage)
        return result;
    if (b->control_stage || b->evaluation_stage)
        return build_tessellation_count(b);
    if (b->geometry_stage)
        return build_geometry_count(b);
    p->gs.output_kind = pgs_build_corners(b);
    p->gs.input_vertices = p->gs.output_kind;
    p->gs.invocations = 1;
    if (!may_capture(b->dev, b->vertex_stage))
        return VK_SUCCESS;
    result = find_feedback(b);
    return result == VK_SUCCESS && p->gs.feedback.enabled ? pgs_build_vertex(b) : result;
}

bool pgs_runs_anyway(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                     VkResult result)
{
    bool captures = false;
    for (uint32_t i = 0; i < info->stageCount; i++)
        captures |= info->pStages[i].stage != VK_SHADER_STAGE_FRAGMENT_BIT &&
                    may_capture(dev, &info->pStages[i]);
    if ((result != VK_ERROR_UNKNOWN && result != VK_ERROR_INVALID_SHADER_NV) || captures)
        return false;
    pgs_log(PGS_LOG_ERROR, "the pipeline is created all the same, as the driver can draw it: "
                           "queries of the layer do not count what is drawn with it");
    return true;
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
        b.pipeline->native_raster = true;
        b.pipeline->uncounted = natives->uncounted;
        result = natives->uncounted ? pgs_build_record_state(&b) : note(&b);
        if (result != VK_SUCCESS && pgs_runs_anyway(dev, info, result)) {
            b.pipeline->uncounted = true;
            result = VK_SUCCESS;
        }
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

/* What a vertex shader writes besides its outputs, if it captures. */
static VkResult vertex_effects(const struct pgs_device *dev,
                               const VkPipelineShaderStageCreateInfo *stage, bool *effects)
{
    struct pgs_stage_code code;
    struct pgs_spv_vertex_info vertex = {0};
    struct pgs_spv_xfb feedback = {0};
    struct pgs_spv_layout layout;
    VkResult result = pgs_stage_code_init(&code, dev, stage);
    if (result == VK_SUCCESS)
        result =
            pgs_result_from_spv(pgs_spv_vertex_xfb(&code.shader, &layout, &feedback), "vertex");
    if (result == VK_SUCCESS && feedback.enabled)
        result = pgs_result_from_spv(pgs_spv_vertex_info(&code.shader, &vertex), "vertex");
    pgs_stage_code_finish(&code);
    *effects |= vertex.has_side_effects;
    return result;
}

/* Those of a stage that always runs once more. */
static VkResult stage_effects(const struct pgs_device *dev,
                              const VkPipelineShaderStageCreateInfo *stage, bool *effects)
{
    union {
        struct pgs_spv_vertex_info vertex;
        struct pgs_spv_control_info control;
        struct pgs_spv_evaluation_info evaluation;
        struct pgs_spv_geometry_info geometry;
    } info;
    struct pgs_stage_code code;
    const struct pgs_spv_shader *shader = &code.shader;
    VkResult result = pgs_stage_code_init(&code, dev, stage);
    if (result == VK_SUCCESS) {
        switch (shader->stage) {
        case PGS_SPV_CONTROL:
            result = pgs_result_from_spv(pgs_spv_control_info(shader, &info.control), "control");
            *effects |= result == VK_SUCCESS && info.control.has_side_effects;
            break;
        case PGS_SPV_EVALUATION:
            result = pgs_result_from_spv(pgs_spv_evaluation_info(shader, &info.evaluation),
                                         "evaluation");
            *effects |= result == VK_SUCCESS && info.evaluation.has_side_effects;
            break;
        case PGS_SPV_GEOMETRY:
            result = pgs_result_from_spv(pgs_spv_geometry_info(shader, &info.geometry), "geometry");
            *effects |= result == VK_SUCCESS && info.geometry.has_side_effects;
            break;
        default:
            result = pgs_result_from_spv(pgs_spv_vertex_info(shader, &info.vertex), "vertex");
            *effects |= result == VK_SUCCESS && info.vertex.has_side_effects;
            break;
        }
    }
    pgs_stage_code_finish(&code);
    return result;
}

VkResult pgs_runs_twice_with_effects(const struct pgs_device *dev,
                                     const VkGraphicsPipelineCreateInfo *info, bool *effects)
{
    const VkPipelineShaderStageCreateInfo *before_raster[4], *vs = NULL;
    uint32_t count = 0;
    *effects = false;
    for (uint32_t i = 0; i < info->stageCount && count < 4; i++) {
        const VkPipelineShaderStageCreateInfo *stage = &info->pStages[i];
        if (stage->stage == VK_SHADER_STAGE_FRAGMENT_BIT)
            continue;
        if (stage->stage > VK_SHADER_STAGE_GEOMETRY_BIT) /* of mesh shaders */
            return VK_SUCCESS;
        if (stage->stage == VK_SHADER_STAGE_VERTEX_BIT)
            vs = stage;
        before_raster[count++] = stage;
    }
    if (!vs || (count == 1 && !may_capture(dev, vs)))
        return VK_SUCCESS;
    if (count == 1)
        return vertex_effects(dev, vs, effects);
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++)
        result = stage_effects(dev, before_raster[i], effects);
    /* It will not run as compute. */
    return result != VK_SUCCESS && pgs_runs_anyway(dev, info, result) ? VK_SUCCESS : result;
}
