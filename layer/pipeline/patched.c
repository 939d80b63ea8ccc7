/* SPDX-License-Identifier: MIT */
#include "pipeline/patched.h"

#include "base/alloc.h"
#include "pipeline/create_state.h"
#include "pipeline/dump.h"
#include "pipeline/module.h"
#include "pipeline/polygons.h"
#include "pipeline/raster_info.h"

/* Extracts the stage without what the driver refuses. */
static enum pgs_spv_result clean_stage(const struct pgs_device *dev,
                                       const struct pgs_spv_shader *shader, uint32_t raster_stream,
                                       bool behind_mesh, struct pgs_spv_blob *blob)
{
    const struct pgs_spv_fragment_options options = {
        .lacks = pgs_driver_lacks(dev),
        .primitive_id_location = UINT32_MAX,
        .behind_mesh = behind_mesh,
        .has_layer = dev->physical->has_shader_output_layer,
        .has_viewport_index = dev->physical->has_shader_output_viewport_index,
    };
    return shader->stage == PGS_SPV_FRAGMENT
               ? pgs_spv_fragment_fix_up(shader, &options, blob)
               : pgs_spv_extract_entry_point(shader, options.lacks, raster_stream, blob);
}

VkResult pgs_patch_words(struct pgs_device *dev, const VkPipelineShaderStageCreateInfo *stage,
                         uint32_t raster_stream, bool behind_mesh, struct pgs_spv_blob *blob)
{
    struct pgs_shader *shader;
    *blob = (struct pgs_spv_blob){0};
    VkResult result = pgs_shader_get(dev, stage, &shader);
    if (result == VK_SUCCESS)
        result = pgs_result_from_spv(
            clean_stage(dev, &shader->code, raster_stream, behind_mesh, blob), "shader");
    pgs_shader_release(shader);
    return result;
}

VkResult pgs_patch_stage(struct pgs_device *dev, VkPipelineShaderStageCreateInfo *stage,
                         uint32_t raster_stream, bool behind_mesh, VkShaderModule *module)
{
    *module = VK_NULL_HANDLE;
    if (!pgs_stage_has_placeholder(dev, stage))
        return VK_SUCCESS;
    struct pgs_spv_blob blob;
    VkResult result = pgs_patch_words(dev, stage, raster_stream, behind_mesh, &blob);
    if (result == VK_SUCCESS) {
        pgs_dump_module(dev, pgs_dump_next_serial(dev), "extracted", &blob);
        result = pgs_module_create_driver(dev, blob.words, blob.word_count, module);
    }
    if (result == VK_SUCCESS)
        stage->module = *module;
    pgs_spv_blob_free(&blob);
    return result;
}

VkResult pgs_patched_create(const struct pgs_create_call *call,
                            const struct pgs_patched_choice *choice, VkPipeline *pipeline)
{
    struct pgs_device *dev = call->dev;
    const VkGraphicsPipelineCreateInfo *info = call->info;
    *pipeline = VK_NULL_HANDLE;
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    VkGraphicsPipelineCreateInfo patched = *info;
    struct pgs_rasterization rasterization = {.block = NULL};
    struct pgs_dynamic_states dynamic;
    VkPipelineViewportStateCreateInfo viewport;
    VkPipelineRasterizationStateCreateInfo filled, discard;
    VkShaderModule *modules = pgs_calloc(info->stageCount, sizeof(*modules));
    VkPipelineShaderStageCreateInfo *stages = pgs_calloc(info->stageCount, sizeof(*stages));
    if (!modules || !stages)
        goto done;
    patched.stageCount = 0; /* nothing is drawn, so no fragment shader */
    for (uint32_t i = 0; i < info->stageCount; i++) {
        if (!choice->nothing || info->pStages[i].stage != VK_SHADER_STAGE_FRAGMENT_BIT)
            stages[patched.stageCount++] = info->pStages[i];
    }
    patched.pStages = stages;
    if (dev->physical->one_viewport && pgs_has_viewport_state(info))
        pgs_keep_one_viewport(&viewport, &patched.pViewportState);
    result = pgs_rasterization_init(&rasterization, &patched.pRasterizationState);
    if (result == VK_SUCCESS)
        result = pgs_dynamic_states_init(&dynamic, false, dev->physical->emulates_tessellation,
                                         &patched.pDynamicState);
    pgs_polygons_fill(dev, &filled, &patched.pRasterizationState);
    if (choice->nothing && patched.pRasterizationState) {
        discard = *patched.pRasterizationState;
        discard.rasterizerDiscardEnable = VK_TRUE;
        patched.pRasterizationState = &discard;
    }
    for (uint32_t i = 0; i < patched.stageCount && result == VK_SUCCESS; i++)
        result = pgs_patch_stage(dev, &stages[i], choice->stream, pgs_has_mesh_stages(info),
                                 &modules[i]);
    if (result == VK_SUCCESS)
        result = dev->vk.CreateGraphicsPipelines(dev->handle, call->cache, 1, &patched,
                                                 choice->allocator, pipeline);
    if (result != VK_SUCCESS)
        *pipeline = VK_NULL_HANDLE;
done:
    for (uint32_t i = 0; modules && i < info->stageCount; i++)
        dev->vk.DestroyShaderModule(dev->handle, modules[i], NULL);
    pgs_rasterization_finish(&rasterization);
    pgs_free(modules);
    pgs_free(stages);
    return result;
}
