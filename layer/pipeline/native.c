/* SPDX-License-Identifier: MIT */
#include "pipeline/native.h"

#include "pipeline/compile.h"
#include "pipeline/create_state.h"
#include "pipeline/make_variants.h"
#include "pipeline/module.h"
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
    const struct pgs_vertex_capture *capture;
    const struct pgs_spv_vertex_info *vertex;
    VkResult result = pgs_shader_get(source->dev, stage, &source->vs);
    if (result == VK_SUCCESS)
        result = pgs_shader_vertex_capture(source->vs, &capture);
    if (result != VK_SUCCESS)
        return result;
    p->gs.in = capture->out;
    p->gs.xfb = capture->xfb;
    source->vertex_xfb = &capture->xfb;
    if (!p->gs.xfb.enabled)
        return VK_SUCCESS;
    result = pgs_shader_vertex_info(source->vs, &vertex);
    if (result != VK_SUCCESS)
        return result;
    source->vertex_info = *vertex;
    p->uses_push_constants = vertex->reads_push_constants;
    return pgs_reflect_inputs(source);
}

/* All stages before the rasterizer run again as compute, to capture and count what tessellation and
 * geometry shader make. */
static VkResult find_primitives(struct pgs_pipeline_source *source)
{
    VkResult result = pgs_reflect_open(source);
    if (result == VK_SUCCESS && (source->tcs || source->tes))
        result = pgs_reflect_tessellation(source);
    if (result == VK_SUCCESS && !source->gs)
        result = pgs_reflect_pass_through(source, false);
    if (result == VK_SUCCESS)
        result = pgs_reflect_geometry(source);
    if (result == VK_SUCCESS)
        result = pgs_reflect_inputs(source);
    if (result == VK_SUCCESS)
        pgs_reflect_views(source);
    return result;
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

VkResult pgs_native_streams(struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                            uint32_t *stream_mask)
{
    const VkPipelineShaderStageCreateInfo *geometry =
        pgs_find_stage(info, VK_SHADER_STAGE_GEOMETRY_BIT);
    *stream_mask = 1;
    if (!geometry || !pgs_stage_has_placeholder(dev, geometry))
        return VK_SUCCESS;
    struct pgs_shader *shader;
    const struct pgs_spv_geometry_info *gs;
    VkResult result = pgs_shader_get(dev, geometry, &shader);
    if (result == VK_SUCCESS)
        result = pgs_shader_geometry_info(shader, &gs);
    *stream_mask = result == VK_SUCCESS ? gs->stream_mask : 0;
    pgs_shader_release(shader);
    return result;
}

/* Finds out if a capturing vertex shader writes memory. */
static VkResult vertex_effects(struct pgs_device *dev, const VkPipelineShaderStageCreateInfo *stage,
                               bool *effects)
{
    struct pgs_shader *shader;
    const struct pgs_vertex_capture *capture;
    const struct pgs_spv_vertex_info *vertex = NULL;
    VkResult result = pgs_shader_get(dev, stage, &shader);
    if (result == VK_SUCCESS)
        result = pgs_shader_vertex_capture(shader, &capture);
    if (result == VK_SUCCESS && capture->xfb.enabled)
        result = pgs_shader_vertex_info(shader, &vertex);
    *effects |= vertex && vertex->has_side_effects;
    pgs_shader_release(shader);
    return result;
}

/* Finds out if a shader that always runs again writes memory. */
static VkResult shader_effects(struct pgs_shader *shader, bool *effects)
{
    union {
        const struct pgs_spv_vertex_info *vertex;
        const struct pgs_spv_control_info *control;
        const struct pgs_spv_evaluation_info *evaluation;
        const struct pgs_spv_geometry_info *geometry;
    } info;
    VkResult result;
    switch (shader->code.stage) {
    case PGS_SPV_CONTROL:
        result = pgs_shader_control_info(shader, &info.control);
        *effects |= result == VK_SUCCESS && info.control->has_side_effects;
        return result;
    case PGS_SPV_EVALUATION:
        result = pgs_shader_evaluation_info(shader, &info.evaluation);
        *effects |= result == VK_SUCCESS && info.evaluation->has_side_effects;
        return result;
    case PGS_SPV_GEOMETRY:
        result = pgs_shader_geometry_info(shader, &info.geometry);
        *effects |= result == VK_SUCCESS && info.geometry->has_side_effects;
        return result;
    default:
        break;
    }
    result = pgs_shader_vertex_info(shader, &info.vertex);
    *effects |= result == VK_SUCCESS && info.vertex->has_side_effects;
    return result;
}

static VkResult stage_effects(struct pgs_device *dev, const VkPipelineShaderStageCreateInfo *stage,
                              bool *effects)
{
    struct pgs_shader *shader;
    VkResult result = pgs_shader_get(dev, stage, &shader);
    if (result == VK_SUCCESS)
        result = shader_effects(shader, effects);
    pgs_shader_release(shader);
    return result;
}

static bool may_store(const struct pgs_device *dev, const VkPipelineShaderStageCreateInfo *stage)
{
    const struct pgs_module *module = pgs_stage_module(dev, stage);
    return module && module->stores == PGS_SPV_STORES_DONE &&
           stage->stage < VK_SHADER_STAGE_FRAGMENT_BIT;
}

VkResult pgs_needs_stores(struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                          bool *needs)
{
    VkResult result = VK_SUCCESS;
    *needs = false;
    for (uint32_t i = 0; i < info->stageCount && result == VK_SUCCESS; i++)
        if (may_store(dev, &info->pStages[i]))
            result = stage_effects(dev, &info->pStages[i], needs);
    return result;
}

VkResult pgs_runs_twice_with_effects(struct pgs_device *dev,
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
