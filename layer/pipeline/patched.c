/* SPDX-License-Identifier: MIT */
#include "pipeline/patched.h"

#include "base/alloc.h"
#include "pipeline/create_state.h"
#include "pipeline/distances.h"
#include "pipeline/dump.h"
#include "pipeline/module.h"
#include "pipeline/polygons.h"
#include "pipeline/raster_info.h"
#include "pipeline/vertex_needs.h"

/* What takes the place of distances, and of clipped depths. */
struct clipping {
    struct pgs_clipping of;
    uint32_t sample_count;
};

/* Replaces the words by those of a further step, unless it fails. */
static void take_step(enum pgs_spv_result result, struct pgs_spv_blob *blob,
                      const struct pgs_spv_blob *next)
{
    if (result != PGS_SPV_OK)
        return;
    pgs_spv_blob_free(blob);
    *blob = *next;
}

static struct pgs_spv_shader words_of(const struct pgs_spv_shader *shader,
                                      const struct pgs_spv_blob *blob)
{
    struct pgs_spv_shader of = *shader;
    of.words = blob->words;
    of.word_count = blob->word_count;
    return of;
}

/* Lets an extracted vertex shader clip. */
static enum pgs_spv_result clip_vertex(const struct pgs_spv_shader *shader,
                                       const struct pgs_clipping *clipping,
                                       struct pgs_spv_blob *blob)
{
    enum pgs_spv_result result = PGS_SPV_OK;
    struct pgs_spv_blob next;
    if (clipping->planes.wanted) {
        const struct pgs_spv_shader of = words_of(shader, blob);
        result = pgs_spv_shader_clip_depth(&of, &clipping->planes, &next);
        take_step(result, blob, &next);
    }
    if (clipping->varyings && result == PGS_SPV_OK) {
        const struct pgs_spv_shader of = words_of(shader, blob);
        result = pgs_spv_shader_pass_distances(&of, &clipping->distances, &next);
        take_step(result, blob, &next);
    }
    return result;
}

/* Extracts the stage without what the driver refuses. */
static enum pgs_spv_result clean_stage(const struct pgs_device *dev,
                                       const struct pgs_spv_shader *shader, uint32_t raster_stream,
                                       bool behind_mesh, const struct clipping *clipping,
                                       struct pgs_spv_blob *blob)
{
    const struct pgs_spv_distances none = {0};
    const struct pgs_spv_fragment_options options = {
        .lacks = pgs_driver_lacks(dev),
        .primitive_id_location = UINT32_MAX,
        .behind_mesh = behind_mesh,
        .has_layer = dev->physical->has_shader_output_layer,
        .has_viewport_index = dev->physical->has_shader_output_viewport_index,
        .distances = clipping ? clipping->of.distances : none,
        .sample_count = clipping ? clipping->sample_count : 1,
    };
    if (shader->stage == PGS_SPV_FRAGMENT)
        return pgs_spv_fragment_fix_up(shader, &options, blob);
    const enum pgs_spv_result result =
        pgs_spv_extract_entry_point(shader, options.lacks, raster_stream, blob);
    return result == PGS_SPV_OK && clipping && shader->stage == PGS_SPV_VERTEX
               ? clip_vertex(shader, &clipping->of, blob)
               : result;
}

static VkResult patch_words(struct pgs_device *dev, const VkPipelineShaderStageCreateInfo *stage,
                            uint32_t raster_stream, bool behind_mesh,
                            const struct clipping *clipping, struct pgs_spv_blob *blob)
{
    struct pgs_shader *shader;
    *blob = (struct pgs_spv_blob){0};
    VkResult result = pgs_shader_get(dev, stage, &shader);
    if (result == VK_SUCCESS)
        result = pgs_result_from_spv(
            clean_stage(dev, &shader->code, raster_stream, behind_mesh, clipping, blob), "shader");
    pgs_shader_release(shader);
    return result;
}

VkResult pgs_patch_words(struct pgs_device *dev, const VkPipelineShaderStageCreateInfo *stage,
                         uint32_t raster_stream, bool behind_mesh, struct pgs_spv_blob *blob)
{
    return patch_words(dev, stage, raster_stream, behind_mesh, NULL, blob);
}

static VkResult make_module(struct pgs_device *dev, const struct pgs_spv_blob *blob,
                            VkPipelineShaderStageCreateInfo *stage, VkShaderModule *module)
{
    pgs_dump_module(dev, pgs_dump_next_serial(dev), "extracted", blob);
    const VkResult result = pgs_module_create_driver(dev, blob->words, blob->word_count, module);
    if (result == VK_SUCCESS)
        stage->module = *module;
    return result;
}

static VkResult patch_stage(struct pgs_device *dev, VkPipelineShaderStageCreateInfo *stage,
                            uint32_t raster_stream, bool behind_mesh,
                            const struct clipping *clipping, VkShaderModule *module)
{
    struct pgs_spv_blob blob;
    *module = VK_NULL_HANDLE;
    VkResult result = patch_words(dev, stage, raster_stream, behind_mesh, clipping, &blob);
    if (result == VK_SUCCESS)
        result = make_module(dev, &blob, stage, module);
    pgs_spv_blob_free(&blob);
    return result;
}

VkResult pgs_patch_stage(struct pgs_device *dev, VkPipelineShaderStageCreateInfo *stage,
                         uint32_t raster_stream, bool behind_mesh, VkShaderModule *module)
{
    *module = VK_NULL_HANDLE;
    return pgs_stage_has_placeholder(dev, stage)
               ? patch_stage(dev, stage, raster_stream, behind_mesh, NULL, module)
               : VK_SUCCESS;
}

/* -- stages of a pipeline -- */

/* The stages that the driver gets, and what has to be freed of them. */
struct patched_stages {
    VkPipelineShaderStageCreateInfo *stages; /* room for one more than the application's */
    VkShaderModule *modules;
    uint32_t count;
};

/* With the application's stages, but for a fragment shader where nothing is drawn. */
static VkResult init_stages(struct patched_stages *patched,
                            const VkGraphicsPipelineCreateInfo *info, bool nothing)
{
    patched->modules = pgs_calloc(info->stageCount + 1, sizeof(*patched->modules));
    patched->stages = pgs_calloc(info->stageCount + 1, sizeof(*patched->stages));
    patched->count = 0;
    if (!patched->modules || !patched->stages)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < info->stageCount; i++)
        if (!nothing || info->pStages[i].stage != VK_SHADER_STAGE_FRAGMENT_BIT)
            patched->stages[patched->count++] = info->pStages[i];
    return VK_SUCCESS;
}

static void finish_stages(struct patched_stages *patched, const struct pgs_device *dev)
{
    for (uint32_t i = 0; patched->modules && i < patched->count; i++)
        dev->vk.DestroyShaderModule(dev->handle, patched->modules[i], NULL);
    pgs_free(patched->modules);
    pgs_free(patched->stages);
}

/* A fragment shader that only clips. */
static VkResult add_fragment(struct pgs_device *dev, struct patched_stages *patched,
                             const struct clipping *clipping)
{
    const struct pgs_spv_shader empty = pgs_spv_empty_fragment();
    struct pgs_spv_blob blob;
    VkPipelineShaderStageCreateInfo *stage = &patched->stages[patched->count];
    *stage = (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
        .pName = empty.entry_point,
    };
    VkResult result =
        pgs_result_from_spv(clean_stage(dev, &empty, 0, false, clipping, &blob), "fragment");
    if (result == VK_SUCCESS)
        result = make_module(dev, &blob, stage, &patched->modules[patched->count]);
    patched->count += result == VK_SUCCESS;
    pgs_spv_blob_free(&blob);
    return result;
}

static bool clips_in(const struct clipping *clipping, VkShaderStageFlagBits stage)
{
    return clipping->of.varyings ||
           (clipping->of.planes.wanted && stage == VK_SHADER_STAGE_VERTEX_BIT);
}

static VkResult patch_stages(struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                             const struct pgs_patched_choice *choice,
                             const struct clipping *clipping, struct patched_stages *patched)
{
    const bool mesh = pgs_has_mesh_stages(info);
    bool has_fragment = false;
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < patched->count && result == VK_SUCCESS; i++) {
        VkPipelineShaderStageCreateInfo *stage = &patched->stages[i];
        has_fragment |= stage->stage == VK_SHADER_STAGE_FRAGMENT_BIT;
        const bool clips = clips_in(clipping, stage->stage);
        if (clips || pgs_stage_has_placeholder(dev, stage))
            result = patch_stage(dev, stage, choice->stream, mesh, clips ? clipping : NULL,
                                 &patched->modules[i]);
    }
    if (result == VK_SUCCESS && pgs_spv_distance_floats(&clipping->of.distances) && !has_fragment &&
        !choice->nothing && !pgs_discards_always(info))
        result = add_fragment(dev, patched, clipping);
    return result;
}

VkResult pgs_patched_create(const struct pgs_create_call *call,
                            const struct pgs_patched_choice *choice, VkPipeline *pipeline)
{
    struct pgs_device *dev = call->dev;
    const VkGraphicsPipelineCreateInfo *info = call->info;
    *pipeline = VK_NULL_HANDLE;
    VkGraphicsPipelineCreateInfo patched = *info;
    struct pgs_rasterization rasterization = {.block = NULL};
    struct pgs_dynamic_states dynamic;
    VkPipelineViewportStateCreateInfo viewport;
    VkPipelineVertexInputStateCreateInfo vertex_input;
    VkPipelineRasterizationStateCreateInfo filled, discard;
    struct patched_stages stages;
    struct clipping clipping = {.sample_count = pgs_sample_count(info)};
    VkResult result = init_stages(&stages, info, choice->nothing);
    if (result == VK_SUCCESS)
        result = pgs_distances_of_plain(dev, info, &clipping.of);
    if (result != VK_SUCCESS)
        goto done;
    if (dev->physical->one_viewport && pgs_has_viewport_state(info))
        pgs_keep_one_viewport(&viewport, &patched.pViewportState);
    result = pgs_rasterization_init(&rasterization, &clipping.of.depth, dev->line_modes,
                                    &patched.pRasterizationState);
    if (result == VK_SUCCESS)
        result = pgs_dynamic_states_init(&dynamic, false, dev->physical->emulates_tessellation,
                                         dev->line_modes, &patched.pDynamicState);
    pgs_divisors_drop(dev, info, &vertex_input, &patched.pVertexInputState);
    pgs_polygons_fill(dev, &filled, &patched.pRasterizationState);
    if (choice->nothing && patched.pRasterizationState) {
        discard = *patched.pRasterizationState;
        discard.rasterizerDiscardEnable = VK_TRUE;
        patched.pRasterizationState = &discard;
    }
    if (result == VK_SUCCESS)
        result = patch_stages(dev, info, choice, &clipping, &stages);
    patched.stageCount = stages.count;
    patched.pStages = stages.stages;
    if (result == VK_SUCCESS)
        result = dev->vk.CreateGraphicsPipelines(dev->handle, call->cache, 1, &patched,
                                                 choice->allocator, pipeline);
    if (result != VK_SUCCESS)
        *pipeline = VK_NULL_HANDLE;
done:
    finish_stages(&stages, dev);
    pgs_rasterization_finish(&rasterization);
    return result;
}
