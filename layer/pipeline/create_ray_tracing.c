/* SPDX-License-Identifier: MIT
 *
 * vkCreateRayTracingPipelinesKHR. Such pipelines are the driver's. Only their stages may need
 * another module: one of an application's modules may have a geometry shader, too.
 */
#include "pipeline/create_info.h"
#include "pipeline/device.h"
#include "pipeline/patched.h"

#include "base/alloc.h"
#include "vulkan/hooks.h"

#include <string.h>

/* The stages of one create info, as the driver accepts them. */
struct rays {
    struct pgs_stages plain;
    VkPipelineShaderStageCreateInfo *stages; /* NULL: those of `plain` */
    VkShaderModule *modules;                 /* the layer's, or VK_NULL_HANDLE */
};

static bool is_plain(const struct pgs_device *dev, const VkRayTracingPipelineCreateInfoKHR *info)
{
    for (uint32_t i = 0; i < info->stageCount; i++) {
        if (!info->pStages[i].module || pgs_stage_has_placeholder(dev, &info->pStages[i]))
            return false;
    }
    return true;
}

static void finish(struct pgs_device *dev, struct rays *rays)
{
    for (uint32_t i = 0; rays->modules && i < rays->plain.count; i++)
        dev->vk.DestroyShaderModule(dev->handle, rays->modules[i], NULL);
    pgs_free(rays->modules);
    pgs_free(rays->stages);
    pgs_stages_finish(&rays->plain, dev->handle);
}

/* Finish it also after an error. */
static VkResult init(struct pgs_device *dev, struct rays *rays,
                     VkRayTracingPipelineCreateInfoKHR *info)
{
    VkResult result = pgs_stages_init(&rays->plain, dev->handle, info->pStages, info->stageCount);
    if (result != VK_SUCCESS)
        return result;
    rays->stages = pgs_calloc(info->stageCount, sizeof(*rays->stages));
    rays->modules = pgs_calloc(info->stageCount, sizeof(*rays->modules));
    if (!rays->stages || !rays->modules)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (info->stageCount)
        memcpy(rays->stages, rays->plain.stages, info->stageCount * sizeof(*rays->stages));
    for (uint32_t i = 0; i < info->stageCount && result == VK_SUCCESS; i++)
        result = pgs_patch_stage(dev, &rays->stages[i], 0, false, &rays->modules[i]);
    info->pStages = rays->stages;
    return result;
}

/* Not deferred: what the driver reads dies with the call. */
static VkResult create(struct pgs_device *dev, VkPipelineCache cache, uint32_t count,
                       const VkRayTracingPipelineCreateInfoKHR *infos,
                       const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    for (uint32_t i = 0; i < count; i++)
        pipelines[i] = VK_NULL_HANDLE;
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    VkRayTracingPipelineCreateInfoKHR *copies = pgs_calloc(count, sizeof(*copies));
    struct rays *rays = pgs_calloc(count, sizeof(*rays));
    if (copies && rays) {
        result = VK_SUCCESS;
        memcpy(copies, infos, count * sizeof(*copies));
    }
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++)
        result = init(dev, &rays[i], &copies[i]);
    if (result == VK_SUCCESS)
        result = dev->vk.CreateRayTracingPipelinesKHR(dev->handle, VK_NULL_HANDLE, cache, count,
                                                      copies, allocator, pipelines);
    for (uint32_t i = 0; rays && i < count; i++)
        finish(dev, &rays[i]);
    pgs_free(copies);
    pgs_free(rays);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_CreateRayTracingPipelinesKHR(
    VkDevice device, VkDeferredOperationKHR deferredOperation, VkPipelineCache pipelineCache,
    uint32_t createInfoCount, const VkRayTracingPipelineCreateInfoKHR *pCreateInfos,
    const VkAllocationCallbacks *pAllocator, VkPipeline *pPipelines)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    bool change = false;
    for (uint32_t i = 0; dev->active && i < createInfoCount; i++)
        change |= !is_plain(dev, &pCreateInfos[i]);
    if (!change)
        return dev->vk.CreateRayTracingPipelinesKHR(device, deferredOperation, pipelineCache,
                                                    createInfoCount, pCreateInfos, pAllocator,
                                                    pPipelines);
    const VkResult result =
        create(dev, pipelineCache, createInfoCount, pCreateInfos, pAllocator, pPipelines);
    return result == VK_SUCCESS && deferredOperation ? VK_OPERATION_NOT_DEFERRED_KHR : result;
}
