/* SPDX-License-Identifier: MIT */
#include "pipeline/native.h"

#include "pipeline/create_state.h"
#include "pipeline/make_variants.h"
#include "pipeline/reflect.h"
#include "pipeline/tessellation.h"

/* Only modules that the driver refuses can declare the execution mode Xfb. */
static bool may_declare_xfb(const struct pgs_device *dev,
                            const VkPipelineShaderStageCreateInfo *stage)
{
    return stage && pgs_stage_has_placeholder(dev, stage);
}

/* Without geometry shader and tessellation the vertex shader captures. */
static VkResult find_vertex_capture(struct pgs_pipeline_source *source)
{
    struct pgs_emulated_pipeline *p = source->pipeline;
    const VkPipelineShaderStageCreateInfo *stage =
        pgs_find_stage(source->info, VK_SHADER_STAGE_VERTEX_BIT);
    p->gs.output_kind = pgs_raster_primitive_vertices(p);
    p->gs.input_vertices = p->gs.output_kind;
    p->gs.invocations = 1;
    if (!may_declare_xfb(source->dev, stage))
        return VK_SUCCESS;
    VkResult result = pgs_stage_code_init(&source->vs, source->dev, stage);
    if (result == VK_SUCCESS)
        result = pgs_result_from_spv(pgs_spv_vertex_xfb(&source->vs.shader, &p->gs.in, &p->gs.xfb),
                                     "vertex");
    if (result != VK_SUCCESS || !p->gs.xfb.enabled)
        return result;
    result = pgs_result_from_spv(pgs_spv_vertex_info(&source->vs.shader, &source->vertex_info),
                                 "vertex");
    p->uses_push_constants = source->vertex_info.reads_push_constants;
    return result == VK_SUCCESS ? pgs_reflect_inputs(source) : result;
}

/* All stages before the rasterizer run again as compute, to capture and count what tessellation and
 * geometry shader make. */
static VkResult find_primitives(struct pgs_pipeline_source *source)
{
    VkResult result = pgs_reflect_open(source);
    if (result == VK_SUCCESS && (source->tcs.module || source->tes.module))
        result = pgs_reflect_tessellation(source);
    if (result == VK_SUCCESS && !source->gs.module)
        result = pgs_reflect_pass_through(source, false);
    if (result == VK_SUCCESS)
        result = pgs_reflect_geometry(source);
    return result == VK_SUCCESS ? pgs_reflect_inputs(source) : result;
}

static VkResult find_native_facts(struct pgs_pipeline_source *source)
{
    const VkGraphicsPipelineCreateInfo *info = source->info;
    const VkResult result = pgs_record_state(source->pipeline, info);
    if (result != VK_SUCCESS || pgs_pipeline_is_uncounted(source->pipeline) ||
        pgs_has_mesh_stages(info))
        return result;
    if (pgs_find_stage(info, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT) ||
        pgs_find_stage(info, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT) ||
        pgs_find_stage(info, VK_SHADER_STAGE_GEOMETRY_BIT))
        return find_primitives(source);
    return find_vertex_capture(source);
}

bool pgs_runs_anyway(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                     VkResult result)
{
    bool captures = false;
    for (uint32_t i = 0; i < info->stageCount; i++)
        captures |= info->pStages[i].stage != VK_SHADER_STAGE_FRAGMENT_BIT &&
                    may_declare_xfb(dev, &info->pStages[i]);
    if (captures || !pgs_refuses_shaders(result))
        return false;
    pgs_log_uncounted();
    return true;
}

/* Takes their handles over as finished variants. */
static void take_natives(struct pgs_emulated_pipeline *p,
                         const struct pgs_native_pipelines *natives)
{
    p->native_raster = true;
    p->handle = natives->handle;
    p->hidden_streams = natives->hidden_streams;
    atomic_init(&p->variants->uncounted, natives->uncounted);
    p->stored_stream = natives->own_stream < PGS_SPV_STREAMS ? natives->own_stream : 0;
    p->handle_variant = pgs_stored_variant_of(p->stored_stream);
    for (uint32_t s = 0; s < PGS_SPV_STREAMS; s++)
        pgs_variant_take(p->variants, pgs_stored_variant_of(s), natives->of_stream[s]);
    pgs_variant_take(p->variants, p->handle_variant, natives->handle);
    pgs_variant_take(p->variants, PGS_VARIANT_NOTHING, natives->nothing);
}

VkResult pgs_native_pipeline_note(const struct pgs_create_call *call,
                                  const struct pgs_native_pipelines *natives)
{
    struct pgs_emulated_pipeline *p = pgs_emulated_pipeline_new(call);
    if (!p) {
        pgs_native_pipelines_destroy(call->dev, natives);
        call->dev->vk.DestroyPipeline(call->dev->handle, natives->handle, call->allocator);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    take_natives(p, natives);
    VkResult result = find_native_facts(p->variants->source);
    if (result == VK_SUCCESS)
        result = pgs_emulated_pipeline_make(p);
    if (result != VK_SUCCESS && pgs_runs_anyway(call->dev, call->info, result)) {
        atomic_store(&p->variants->uncounted, true);
        result = VK_SUCCESS;
    }
    return pgs_emulated_pipeline_finish(call, p, result);
}

void pgs_native_pipelines_destroy(const struct pgs_device *dev,
                                  const struct pgs_native_pipelines *natives)
{
    for (uint32_t s = 0; s < PGS_SPV_STREAMS; s++)
        dev->vk.DestroyPipeline(dev->handle, natives->of_stream[s], NULL);
    dev->vk.DestroyPipeline(dev->handle, natives->nothing, NULL);
}

VkResult pgs_native_streams(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                            uint32_t *stream_mask)
{
    const VkPipelineShaderStageCreateInfo *geometry =
        pgs_find_stage(info, VK_SHADER_STAGE_GEOMETRY_BIT);
    *stream_mask = 1;
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

/* Finds out if a capturing vertex shader writes memory. */
static VkResult vertex_effects(const struct pgs_device *dev,
                               const VkPipelineShaderStageCreateInfo *stage, bool *effects)
{
    struct pgs_stage_code code;
    struct pgs_spv_vertex_info vertex = {0};
    struct pgs_spv_xfb xfb = {0};
    struct pgs_spv_layout layout;
    VkResult result = pgs_stage_code_init(&code, dev, stage);
    if (result == VK_SUCCESS)
        result = pgs_result_from_spv(pgs_spv_vertex_xfb(&code.shader, &layout, &xfb), "vertex");
    if (result == VK_SUCCESS && xfb.enabled)
        result = pgs_result_from_spv(pgs_spv_vertex_info(&code.shader, &vertex), "vertex");
    pgs_stage_code_finish(&code);
    *effects |= vertex.has_side_effects;
    return result;
}

/* Finds out if a stage that always runs again writes memory. */
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
    if (!vs || (count == 1 && !may_declare_xfb(dev, vs)))
        return VK_SUCCESS;
    if (count == 1)
        return vertex_effects(dev, vs, effects);
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++)
        result = stage_effects(dev, before_raster[i], effects);
    /* it will not run as compute */
    return result != VK_SUCCESS && pgs_runs_anyway(dev, info, result) ? VK_SUCCESS : result;
}
