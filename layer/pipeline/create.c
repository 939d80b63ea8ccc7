/* SPDX-License-Identifier: MIT
 *
 * vkCreateGraphicsPipelines, vkCreateComputePipelines, vkDestroyPipeline. A batch without emulated
 * pipelines is passed on as it is. Otherwise its elements are created one by one.
 */
#include "pipeline/create_info.h"
#include "pipeline/device.h"
#include "pipeline/library.h"
#include "pipeline/module_identifier.h"
#include "pipeline/patched.h"
#include "pipeline/topologies.h"
#include "pipeline/whole.h"

#include "base/alloc.h"
#include "vulkan/hooks.h"

#include <string.h>

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

/* Notes what draws other topologies of a whole pipeline that was just created, if any. On failure
 * it is destroyed. */
static VkResult note_topologies(const struct pgs_create_call *call, VkPipeline *pipeline)
{
    struct pgs_device *dev = call->dev;
    const VkResult result = pgs_topologies_note(call, NULL, *pipeline);
    if (result == VK_SUCCESS)
        return VK_SUCCESS;
    pgs_whole_forget(dev, *pipeline, call->allocator);
    dev->vk.DestroyPipeline(dev->handle, *pipeline, call->allocator);
    *pipeline = VK_NULL_HANDLE;
    return result;
}

/* Of an element that has to be looked at. Only the driver may find shaders by identifiers. */
static VkResult create_one(const struct pgs_create_call *call, VkPipeline *pipeline)
{
    if (pgs_info_is_identified(call->info))
        return VK_PIPELINE_COMPILE_REQUIRED;
    if (pgs_library_concerns(call->info))
        return pgs_library_create(call, pipeline);
    const VkResult result = pgs_whole_create(call, pipeline);
    return result == VK_SUCCESS ? note_topologies(call, pipeline) : result;
}

/* Of a pipeline that the driver has made, or not. */
static VkResult note_native(const struct pgs_create_call *call, VkPipeline *pipeline)
{
    const struct pgs_native_pipelines natives = {.handle = *pipeline};
    const VkResult result = pgs_whole_note_native(call, &natives, pipeline);
    return result == VK_SUCCESS ? note_topologies(call, pipeline) : result;
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
        all_native = !pgs_library_concerns(&pCreateInfos[i]) &&
                     pgs_whole_is_native(dev, &pCreateInfos[i]) &&
                     !pgs_info_has_own_identifier(&pCreateInfos[i]);
    VkResult result = VK_SUCCESS;
    if (all_native) {
        result = dev->vk.CreateGraphicsPipelines(device, pipelineCache, createInfoCount,
                                                 pCreateInfos, pAllocator, pPipelines);
        for (uint32_t i = 0; dev->active && i < createInfoCount; i++) {
            const struct pgs_create_call call = {
                .dev = dev,
                .cache = pipelineCache,
                .info = &pCreateInfos[i],
                .allocator = pAllocator,
            };
            result = merge_results(result, note_native(&call, &pPipelines[i]));
        }
        return result;
    }

    for (uint32_t i = 0; i < createInfoCount; i++)
        pPipelines[i] = VK_NULL_HANDLE;
    for (uint32_t i = 0; i < createInfoCount; i++) {
        const VkGraphicsPipelineCreateInfo info = resolve_base(&pCreateInfos[i], i, pPipelines);
        const struct pgs_create_call call = {
            .dev = dev, .cache = pipelineCache, .info = &info, .allocator = pAllocator};
        const VkResult one = create_one(&call, &pPipelines[i]);
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
        result = pgs_patch_stage(dev, &info->stage, 0, false, &compute->module);
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
    if (dev->active && pipeline) {
        pgs_note_destroyed(&dev->destroyed.pipelines);
        pgs_topologies_forget(dev, pipeline);
        pgs_whole_forget(dev, pipeline, pAllocator);
        pgs_library_forget(dev, pipeline);
    }
    dev->vk.DestroyPipeline(device, pipeline, pAllocator);
}
