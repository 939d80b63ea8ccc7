/* SPDX-License-Identifier: MIT
 *
 * A Vulkan layer that writes every module that a program hands to the driver into the folder
 * PGS_CLIENT_MODULES, each once, named after what is in it: seeds for tests/fuzz/modules.c.
 */
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* All devices of a process are those of one driver here. */
static PFN_vkGetInstanceProcAddr next_instance;
static PFN_vkGetDeviceProcAddr next_device;
static PFN_vkCreateShaderModule create_module;
static PFN_vkCreateGraphicsPipelines create_graphics;
static PFN_vkCreateComputePipelines create_compute;

static void keep(const VkShaderModuleCreateInfo *info)
{
    char path[4096];
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    const char *folder = getenv("PGS_CLIENT_MODULES");
    for (size_t i = 0; i < info->codeSize / 4; i++)
        hash = (hash ^ info->pCode[i]) * UINT64_C(0x100000001b3);
    if (!folder)
        return;
    snprintf(path, sizeof(path), "%s/%016llx.spv", folder, (unsigned long long)hash);
    FILE *file = fopen(path, "wbx");
    if (!file)
        return; /* it is there */
    fwrite(info->pCode, 1, info->codeSize, file);
    fclose(file);
}

/* Modules that are created with a pipeline. */
static void keep_stage(const VkPipelineShaderStageCreateInfo *stage)
{
    for (const VkBaseInStructure *in = stage->pNext; in; in = in->pNext)
        if (in->sType == VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO)
            keep((const VkShaderModuleCreateInfo *)in);
}

static VKAPI_ATTR VkResult VKAPI_CALL CreateShaderModule(VkDevice device,
                                                         const VkShaderModuleCreateInfo *info,
                                                         const VkAllocationCallbacks *allocator,
                                                         VkShaderModule *module)
{
    keep(info);
    return create_module(device, info, allocator, module);
}

static VKAPI_ATTR VkResult VKAPI_CALL
CreateGraphicsPipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                        const VkGraphicsPipelineCreateInfo *infos,
                        const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < infos[i].stageCount; k++)
            keep_stage(&infos[i].pStages[k]);
    return create_graphics(device, cache, count, infos, allocator, pipelines);
}

static VKAPI_ATTR VkResult VKAPI_CALL
CreateComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                       const VkComputePipelineCreateInfo *infos,
                       const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    for (uint32_t i = 0; i < count; i++)
        keep_stage(&infos[i].stage);
    return create_compute(device, cache, count, infos, allocator, pipelines);
}

static VKAPI_ATTR VkResult VKAPI_CALL CreateInstance(const VkInstanceCreateInfo *info,
                                                     const VkAllocationCallbacks *allocator,
                                                     VkInstance *instance)
{
    VkLayerInstanceCreateInfo *link = (VkLayerInstanceCreateInfo *)info->pNext;
    while (link && (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
                    link->function != VK_LAYER_LINK_INFO))
        link = (VkLayerInstanceCreateInfo *)link->pNext;
    if (!link)
        return VK_ERROR_INITIALIZATION_FAILED;
    next_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    return ((PFN_vkCreateInstance)next_instance(NULL, "vkCreateInstance"))(info, allocator,
                                                                           instance);
}

static VKAPI_ATTR VkResult VKAPI_CALL CreateDevice(VkPhysicalDevice physical,
                                                   const VkDeviceCreateInfo *info,
                                                   const VkAllocationCallbacks *allocator,
                                                   VkDevice *device)
{
    VkLayerDeviceCreateInfo *link = (VkLayerDeviceCreateInfo *)info->pNext;
    while (link && (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
                    link->function != VK_LAYER_LINK_INFO))
        link = (VkLayerDeviceCreateInfo *)link->pNext;
    if (!link)
        return VK_ERROR_INITIALIZATION_FAILED;
    const PFN_vkGetInstanceProcAddr get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    next_device = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const VkResult result =
        ((PFN_vkCreateDevice)get(NULL, "vkCreateDevice"))(physical, info, allocator, device);
    if (result != VK_SUCCESS)
        return result;
    create_module = (PFN_vkCreateShaderModule)next_device(*device, "vkCreateShaderModule");
    create_graphics =
        (PFN_vkCreateGraphicsPipelines)next_device(*device, "vkCreateGraphicsPipelines");
    create_compute = (PFN_vkCreateComputePipelines)next_device(*device, "vkCreateComputePipelines");
    return result;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device(VkDevice device, const char *name);
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance(VkInstance instance, const char *name);

static PFN_vkVoidFunction own(const char *name)
{
    static const struct {
        const char *name;
        PFN_vkVoidFunction function;
    } all[] = {
        {"vkCreateInstance", (PFN_vkVoidFunction)CreateInstance},
        {"vkCreateDevice", (PFN_vkVoidFunction)CreateDevice},
        {"vkCreateShaderModule", (PFN_vkVoidFunction)CreateShaderModule},
        {"vkCreateGraphicsPipelines", (PFN_vkVoidFunction)CreateGraphicsPipelines},
        {"vkCreateComputePipelines", (PFN_vkVoidFunction)CreateComputePipelines},
        {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)get_device},
        {"vkGetInstanceProcAddr", (PFN_vkVoidFunction)get_instance},
    };
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        if (strcmp(name, all[i].name) == 0)
            return all[i].function;
    return NULL;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device(VkDevice device, const char *name)
{
    const PFN_vkVoidFunction found = own(name);
    return found ? found : next_device(device, name);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance(VkInstance instance, const char *name)
{
    const PFN_vkVoidFunction found = own(name);
    return found || !instance ? found : next_instance(instance, name);
}

EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *interface)
{
    interface->pfnGetInstanceProcAddr = get_instance;
    interface->pfnGetDeviceProcAddr = get_device;
    interface->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
