/* SPDX-License-Identifier: MIT
 *
 * vkCreateGraphicsPipelines, vkCreateComputePipelines, vkDestroyPipeline. A batch without emulated
 * pipelines is passed on as it is. Otherwise its elements are created one by one.
 */
#include "pipeline/create_info.h"
#include "pipeline/device.h"
#include "pipeline/dump.h"
#include "pipeline/module.h"
#include "pipeline/native.h"
#include "pipeline/raster_info.h"

#include "base/alloc.h"
#include "base/log.h"
#include "vulkan/chain.h"
#include "vulkan/hooks.h"

#include <string.h>

#define GEOMETRY VK_SHADER_STAGE_GEOMETRY_BIT
#define TESSELLATION                                                                               \
    (VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT)

static bool has_stage(const VkGraphicsPipelineCreateInfo *info, VkShaderStageFlags stages)
{
    for (uint32_t i = 0; i < info->stageCount; i++)
        if (info->pStages[i].stage & stages)
            return true;
    return false;
}

static bool has_adjacency(const VkGraphicsPipelineCreateInfo *info)
{
    if (!info->pInputAssemblyState)
        return false;
    switch ((int)info->pInputAssemblyState->topology) {
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY:
        return true;
    default:
        return false;
    }
}

static bool selects_stream(const VkGraphicsPipelineCreateInfo *info)
{
    if (pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT))
        return true;
    return info->pRasterizationState &&
           pgs_chain_find(info->pRasterizationState->pNext,
                          VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT);
}

/* True if only the layer can assemble the primitives. */
static bool needs_primitives(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info)
{
    return (dev->physical->emulates_geometry &&
            (has_stage(info, GEOMETRY) || has_adjacency(info))) ||
           (dev->physical->emulates_tessellation && has_stage(info, TESSELLATION));
}

/* True if it has dynamic state that the driver does not know. */
static bool has_foreign_state(const struct pgs_device *dev,
                              const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineDynamicStateCreateInfo *dynamic = info->pDynamicState;
    for (uint32_t i = 0; dynamic && i < dynamic->dynamicStateCount; i++)
        if (dev->physical->emulates_tessellation &&
            pgs_is_tessellation_state(dynamic->pDynamicStates[i]))
            return true;
    return false;
}

/* True if it can be passed on unchanged. The driver may support its geometry shader or tessellation
 * and the layer may still emulate them; see pgs_runs_twice_with_effects. */
static bool is_native(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info)
{
    if (needs_primitives(dev, info) || selects_stream(info) || has_foreign_state(dev, info) ||
        (dev->xfb && has_stage(info, GEOMETRY | TESSELLATION)))
        return false;
    for (uint32_t i = 0; i < info->stageCount; i++)
        if (pgs_stage_has_placeholder(dev, &info->pStages[i]))
            return false;
    return true;
}

/* Finds out if the driver lacks the primitive data that this stage reads. */
static VkResult check_primitive_id(struct pgs_device *dev,
                                   const VkPipelineShaderStageCreateInfo *stage, bool *lacks)
{
    struct pgs_shader *shader;
    const struct pgs_spv_fragment_info *fs = NULL;
    if (stage->stage != VK_SHADER_STAGE_FRAGMENT_BIT || !pgs_stage_has_placeholder(dev, stage))
        return VK_SUCCESS;
    VkResult result = pgs_shader_get(dev, stage, &shader);
    if (result == VK_SUCCESS)
        result = pgs_shader_fragment_info(shader, &fs);
    *lacks |= fs && fs->reads_primitive_id;
    pgs_shader_release(shader);
    return result;
}

/* Finds out if the layer must make the primitives. With *spare the driver could draw them, too. */
static VkResult check_emulation(struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                                bool *emulated, bool *spare)
{
    VkResult result = VK_SUCCESS;
    *emulated = needs_primitives(dev, info);
    for (uint32_t i = 0; i < info->stageCount && !*emulated && result == VK_SUCCESS; i++)
        result = check_primitive_id(dev, &info->pStages[i], emulated);
    *spare = !*emulated;
    if (result == VK_SUCCESS && !*emulated && dev->xfb)
        result = pgs_runs_twice_with_effects(dev, info, emulated);
    return result;
}

/* Extracts the stage without what the driver refuses. */
static enum pgs_spv_result clean_stage(const struct pgs_device *dev,
                                       const struct pgs_spv_shader *shader, uint32_t raster_stream,
                                       struct pgs_spv_blob *blob)
{
    const struct pgs_spv_fragment_options options = {
        .lacks = pgs_driver_lacks(dev),
        .primitive_id_location = UINT32_MAX,
        .has_layer = dev->physical->has_shader_output_layer,
        .has_viewport_index = dev->physical->has_shader_output_viewport_index,
    };
    return shader->stage == PGS_SPV_FRAGMENT
               ? pgs_spv_fragment_fix_up(shader, &options, blob)
               : pgs_spv_extract_entry_point(shader, options.lacks, raster_stream, blob);
}

/* Replaces a placeholder by a real module with the stage's entry point, without the capabilities
 * that the driver refuses. The caller destroys *module; VK_NULL_HANDLE: the stage did not change.
 */
static VkResult patch_stage(struct pgs_device *dev, VkPipelineShaderStageCreateInfo *stage,
                            uint32_t raster_stream, VkShaderModule *module)
{
    *module = VK_NULL_HANDLE;
    if (!pgs_stage_has_placeholder(dev, stage))
        return VK_SUCCESS;
    struct pgs_shader *shader;
    struct pgs_spv_blob blob = {0};
    VkResult result = pgs_shader_get(dev, stage, &shader);
    if (result == VK_SUCCESS)
        result =
            pgs_result_from_spv(clean_stage(dev, &shader->code, raster_stream, &blob), "shader");
    if (result == VK_SUCCESS) {
        pgs_dump_module(dev, pgs_dump_next_serial(dev), "extracted", &blob);
        result = pgs_module_create_driver(dev, blob.words, blob.word_count, module);
    }
    if (result == VK_SUCCESS)
        stage->module = *module;
    pgs_spv_blob_free(&blob);
    pgs_shader_release(shader);
    return result;
}

/* What the driver draws with a pipeline. */
struct choice {
    uint32_t stream; /* of the geometry shader's outputs */
    bool nothing;
    const VkAllocationCallbacks *allocator; /* for the driver's pipeline */
};

/* Creates a native pipeline whose modules the driver does not accept unchanged. */
static VkResult create_patched(const struct pgs_create_call *call, const struct choice *choice,
                               VkPipeline *pipeline)
{
    struct pgs_device *dev = call->dev;
    const VkGraphicsPipelineCreateInfo *info = call->info;
    *pipeline = VK_NULL_HANDLE;
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    VkGraphicsPipelineCreateInfo patched = *info;
    struct pgs_rasterization rasterization = {.block = NULL};
    struct pgs_dynamic_states dynamic;
    VkPipelineRasterizationStateCreateInfo discard;
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
    result = pgs_rasterization_init(&rasterization, &patched.pRasterizationState);
    if (result == VK_SUCCESS)
        result = pgs_dynamic_states_init(&dynamic, false, dev->physical->emulates_tessellation,
                                         &patched.pDynamicState);
    if (choice->nothing && patched.pRasterizationState) {
        discard = *patched.pRasterizationState;
        discard.rasterizerDiscardEnable = VK_TRUE;
        patched.pRasterizationState = &discard;
    }
    for (uint32_t i = 0; i < patched.stageCount && result == VK_SUCCESS; i++)
        result = patch_stage(dev, &stages[i], choice->stream, &modules[i]);
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

/* Registers a native pipeline, which may be VK_NULL_HANDLE, if its draws could be captured. */
static VkResult note_native(const struct pgs_create_call *call,
                            const struct pgs_native_pipelines *natives, VkPipeline *pipeline)
{
    if (!call->dev->xfb || !natives->handle)
        return VK_SUCCESS;
    const VkResult result = pgs_native_pipeline_note(call, natives);
    if (result != VK_SUCCESS)
        *pipeline = VK_NULL_HANDLE;
    return result;
}

/* With a dynamic stream: one pipeline for each stream that is emitted to, and one that draws
 * nothing for the others. */
static VkResult create_other_streams(const struct pgs_create_call *call, uint32_t mask,
                                     bool discards, struct pgs_native_pipelines *natives)
{
    const uint32_t own = natives->own_stream;
    VkResult result = VK_SUCCESS;
    bool hides = false;
    for (uint32_t s = 0; s < PGS_SPV_STREAMS && result == VK_SUCCESS; s++) {
        const bool emitted = mask >> s & 1;
        hides |= !emitted && s != own;
        if (emitted && s != own)
            result = create_patched(call, &(struct choice){.stream = s}, &natives->of_stream[s]);
    }
    if (result == VK_SUCCESS && hides && !discards)
        result = create_patched(call, &(struct choice){.stream = own, .nothing = true},
                                &natives->nothing);
    return result;
}

static VkResult create_streams(const struct pgs_create_call *call,
                               struct pgs_native_pipelines *natives)
{
    const VkGraphicsPipelineCreateInfo *info = call->info;
    const uint32_t wanted = pgs_rasterization_stream(info);
    const bool selects = call->dev->xfb && selects_stream(info);
    const bool dynamic =
        selects && pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT);
    const bool discards = pgs_has_dynamic_state(info, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE);
    uint32_t mask = 0;
    VkResult result = selects ? pgs_native_streams(call->dev, info, &mask) : VK_SUCCESS;
    if (result != VK_SUCCESS)
        return result;
    const uint32_t own = pgs_handle_stream(mask, wanted);
    natives->own_stream = own;
    natives->hidden_streams = selects && discards ? ~mask : 0;
    result = create_patched(call,
                            &(struct choice){.stream = own,
                                             .nothing = own != wanted && !dynamic && !discards,
                                             .allocator = call->allocator},
                            &natives->handle);
    return result == VK_SUCCESS && dynamic ? create_other_streams(call, mask, discards, natives)
                                           : result;
}

static VkResult create_native(const struct pgs_create_call *call, bool uncounted,
                              VkPipeline *pipeline)
{
    struct pgs_native_pipelines natives = {.uncounted = uncounted};
    const VkResult result = create_streams(call, &natives);
    *pipeline = natives.handle;
    if (result == VK_SUCCESS)
        return note_native(call, &natives, pipeline);
    pgs_native_pipelines_destroy(call->dev, &natives);
    call->dev->vk.DestroyPipeline(call->dev->handle, natives.handle, call->allocator);
    *pipeline = VK_NULL_HANDLE;
    return result;
}

static VkResult create_one(const struct pgs_create_call *call, VkPipeline *pipeline)
{
    bool emulated, spare;
    VkResult result = check_emulation(call->dev, call->info, &emulated, &spare);
    if (result == VK_SUCCESS && emulated) {
        result = pgs_emulated_pipeline_create(call, pipeline);
        if (result == VK_SUCCESS || !spare || !pgs_runs_anyway(call->dev, call->info, result))
            return result;
        result = VK_SUCCESS;
    }
    return result == VK_SUCCESS ? create_native(call, emulated, pipeline) : result;
}

/* The base of a derivative may be an earlier element of the batch, which the layer creates in a
 * separate call. */
static VkGraphicsPipelineCreateInfo resolve_base(const VkGraphicsPipelineCreateInfo *info,
                                                 uint32_t index, const VkPipeline *created)
{
    VkGraphicsPipelineCreateInfo resolved = *info;
    if (!(info->flags & VK_PIPELINE_CREATE_DERIVATIVE_BIT) || info->basePipelineIndex < 0)
        return resolved;
    resolved.basePipelineHandle = (uint32_t)info->basePipelineIndex < index
                                      ? created[info->basePipelineIndex]
                                      : VK_NULL_HANDLE;
    resolved.basePipelineIndex = -1;
    if (!resolved.basePipelineHandle)
        resolved.flags &= ~(VkPipelineCreateFlags)VK_PIPELINE_CREATE_DERIVATIVE_BIT;
    return resolved;
}

/* Errors outrank VK_PIPELINE_COMPILE_REQUIRED; the first error is kept. */
static VkResult merge_results(VkResult sum, VkResult next)
{
    return sum < 0 || (sum != VK_SUCCESS && next >= 0) ? sum : next;
}

/* Of plain infos. */
static VkResult create_graphics(VkDevice device, VkPipelineCache pipelineCache,
                                uint32_t createInfoCount,
                                const VkGraphicsPipelineCreateInfo *pCreateInfos,
                                const VkAllocationCallbacks *pAllocator, VkPipeline *pPipelines)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    bool all_native = true;
    for (uint32_t i = 0; dev->active && i < createInfoCount && all_native; i++)
        all_native = is_native(dev, &pCreateInfos[i]);
    VkResult result = VK_SUCCESS;
    if (all_native) {
        result = dev->vk.CreateGraphicsPipelines(device, pipelineCache, createInfoCount,
                                                 pCreateInfos, pAllocator, pPipelines);
        for (uint32_t i = 0; dev->xfb && i < createInfoCount; i++) {
            const struct pgs_create_call call = {dev, pipelineCache, &pCreateInfos[i], pAllocator};
            const struct pgs_native_pipelines natives = {.handle = pPipelines[i]};
            result = merge_results(result, note_native(&call, &natives, &pPipelines[i]));
        }
        return result;
    }

    for (uint32_t i = 0; i < createInfoCount; i++)
        pPipelines[i] = VK_NULL_HANDLE;
    for (uint32_t i = 0; i < createInfoCount; i++) {
        const VkGraphicsPipelineCreateInfo info = resolve_base(&pCreateInfos[i], i, pPipelines);
        const VkResult one = create_one(
            &(struct pgs_create_call){dev, pipelineCache, &info, pAllocator}, &pPipelines[i]);
        if (one != VK_SUCCESS)
            pPipelines[i] = VK_NULL_HANDLE;
        result = merge_results(result, one);
        if (one != VK_SUCCESS && (info.flags & VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT))
            break;
    }
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_CreateGraphicsPipelines(
    VkDevice device, VkPipelineCache pipelineCache, uint32_t createInfoCount,
    const VkGraphicsPipelineCreateInfo *pCreateInfos, const VkAllocationCallbacks *pAllocator,
    VkPipeline *pPipelines)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    bool plain = true;
    for (uint32_t i = 0; dev->active && i < createInfoCount && plain; i++)
        plain = pgs_is_plain_info(&pCreateInfos[i]);
    if (plain)
        return create_graphics(device, pipelineCache, createInfoCount, pCreateInfos, pAllocator,
                               pPipelines);

    for (uint32_t i = 0; i < createInfoCount; i++)
        pPipelines[i] = VK_NULL_HANDLE;
    struct pgs_plain_info *forms = pgs_calloc(createInfoCount, sizeof(*forms));
    VkGraphicsPipelineCreateInfo *infos = pgs_calloc(createInfoCount, sizeof(*infos));
    VkResult result = forms && infos ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < createInfoCount && result == VK_SUCCESS; i++) {
        result = pgs_plain_info_init(&forms[i], device, &pCreateInfos[i]);
        infos[i] = forms[i].info;
    }
    if (result == VK_SUCCESS)
        result =
            create_graphics(device, pipelineCache, createInfoCount, infos, pAllocator, pPipelines);
    for (uint32_t i = 0; forms && i < createInfoCount; i++)
        pgs_plain_info_finish(&forms[i], device);
    pgs_free(forms);
    pgs_free(infos);
    return result;
}

/* One element of vkCreateComputePipelines, with a stage that the driver accepts. */
struct compute {
    struct pgs_stages stages;
    VkShaderModule module; /* the layer's, or VK_NULL_HANDLE */
};

static VkResult init_compute(struct pgs_device *dev, VkDevice device, struct compute *compute,
                             VkComputePipelineCreateInfo *info)
{
    VkResult result = pgs_stages_init(&compute->stages, device, &info->stage, 1);
    if (result == VK_SUCCESS) {
        info->stage = *compute->stages.stages;
        result = patch_stage(dev, &info->stage, 0, &compute->module);
    }
    return result;
}

static bool is_plain_compute(const struct pgs_device *dev, const VkComputePipelineCreateInfo *info)
{
    return info->stage.module && !pgs_stage_has_placeholder(dev, &info->stage);
}

VKAPI_ATTR VkResult VKAPI_CALL
pgs_CreateComputePipelines(VkDevice device, VkPipelineCache pipelineCache, uint32_t createInfoCount,
                           const VkComputePipelineCreateInfo *pCreateInfos,
                           const VkAllocationCallbacks *pAllocator, VkPipeline *pPipelines)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    bool change = false;
    for (uint32_t i = 0; dev->active && i < createInfoCount; i++)
        change |= !is_plain_compute(dev, &pCreateInfos[i]);
    if (!change)
        return dev->vk.CreateComputePipelines(device, pipelineCache, createInfoCount, pCreateInfos,
                                              pAllocator, pPipelines);

    for (uint32_t i = 0; i < createInfoCount; i++)
        pPipelines[i] = VK_NULL_HANDLE;
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    VkComputePipelineCreateInfo *infos = pgs_calloc(createInfoCount, sizeof(*infos));
    struct compute *computes = pgs_calloc(createInfoCount, sizeof(*computes));
    if (!infos || !computes)
        goto done;
    memcpy(infos, pCreateInfos, createInfoCount * sizeof(*infos));
    result = VK_SUCCESS;
    for (uint32_t i = 0; i < createInfoCount && result == VK_SUCCESS; i++)
        result = init_compute(dev, device, &computes[i], &infos[i]);
    if (result == VK_SUCCESS)
        result = dev->vk.CreateComputePipelines(device, pipelineCache, createInfoCount, infos,
                                                pAllocator, pPipelines);
done:
    for (uint32_t i = 0; computes && i < createInfoCount; i++) {
        dev->vk.DestroyShaderModule(device, computes[i].module, NULL);
        pgs_stages_finish(&computes[i].stages, device);
    }
    pgs_free(computes);
    pgs_free(infos);
    return result;
}

VKAPI_ATTR void VKAPI_CALL pgs_DestroyPipeline(VkDevice device, VkPipeline pipeline,
                                               const VkAllocationCallbacks *pAllocator)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (dev->active && pipeline)
        pgs_emulated_pipeline_forget(dev, pipeline);
    dev->vk.DestroyPipeline(device, pipeline, pAllocator);
}

/* Only notes whether there is a cache that the layer may not use in several threads at once. */
VKAPI_ATTR VkResult VKAPI_CALL pgs_CreatePipelineCache(VkDevice device,
                                                       const VkPipelineCacheCreateInfo *pCreateInfo,
                                                       const VkAllocationCallbacks *pAllocator,
                                                       VkPipelineCache *pPipelineCache)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (dev->active && (pCreateInfo->flags & VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT))
        atomic_store(&dev->pipelines->has_unsynchronized_caches, true);
    return dev->vk.CreatePipelineCache(device, pCreateInfo, pAllocator, pPipelineCache);
}
