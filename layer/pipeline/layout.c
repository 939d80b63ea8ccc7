/* SPDX-License-Identifier: MIT
 *
 * Descriptor set layouts and pipeline layouts. What the shaders in front of the rasterizer
 * see, the compute shaders made from them must see too; of stages that are ours alone the driver
 * must see nothing.
 */
#include "pipeline/room.h"

#include "base/alloc.h"
#include "poly_gs/abi.h"
#include "vulkan/hooks.h"

#include <stdatomic.h>
#include <string.h>

#define TESSELLATION                                                                               \
    (VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT)

/* The driver knows the stages that are not ours. */
static VkShaderStageFlags driver_stages(const struct pgs_device *dev, VkShaderStageFlags stages)
{
    if (dev->physical->emulates_geometry)
        stages &= ~(VkShaderStageFlags)VK_SHADER_STAGE_GEOMETRY_BIT;
    if (dev->physical->emulates_tessellation)
        stages &= ~(VkShaderStageFlags)TESSELLATION;
    return stages;
}

static bool stages_need_change(VkShaderStageFlags stages)
{
    return stages != VK_SHADER_STAGE_ALL &&
           (stages & (VK_SHADER_STAGE_VERTEX_BIT | TESSELLATION | VK_SHADER_STAGE_GEOMETRY_BIT));
}

static VkShaderStageFlags descriptor_stages(const struct pgs_device *dev, VkShaderStageFlags stages)
{
    /* The evaluation shader may become a vertex shader, and so may a geometry shader of ours. No
     * limit for a stage is nearer for that: compute shaders see all that vertex shaders do, and
     * more. */
    const VkShaderStageFlags movable =
        VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT |
        (dev->physical->emulates_geometry ? VK_SHADER_STAGE_GEOMETRY_BIT : 0);
    const VkShaderStageFlags moved = stages & movable ? VK_SHADER_STAGE_VERTEX_BIT : 0;
    return stages_need_change(stages)
               ? driver_stages(dev, stages) | VK_SHADER_STAGE_COMPUTE_BIT | moved
               : stages;
}

/* Copies the bindings with wider stages. *bindings stays NULL where nothing changes. */
static VkResult widen_bindings(const struct pgs_device *dev,
                               const VkDescriptorSetLayoutCreateInfo *info,
                               VkDescriptorSetLayoutBinding **bindings)
{
    *bindings = NULL;
    bool change = false;
    for (uint32_t i = 0; i < info->bindingCount; i++)
        change |= stages_need_change(info->pBindings[i].stageFlags);
    if (!change)
        return VK_SUCCESS;
    VkDescriptorSetLayoutBinding *copy = pgs_calloc(info->bindingCount, sizeof(*copy));
    if (!copy)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < info->bindingCount; i++) {
        copy[i] = info->pBindings[i];
        copy[i].stageFlags = descriptor_stages(dev, copy[i].stageFlags);
    }
    *bindings = copy;
    return VK_SUCCESS;
}

static uintptr_t count_dynamic(const VkDescriptorSetLayoutCreateInfo *info)
{
    uintptr_t count = 0;
    for (uint32_t i = 0; i < info->bindingCount; i++) {
        const VkDescriptorSetLayoutBinding *binding = &info->pBindings[i];
        if (binding->descriptorType == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
            binding->descriptorType == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC)
            count += binding->descriptorCount;
    }
    return count;
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_CreateDescriptorSetLayout(
    VkDevice device, const VkDescriptorSetLayoutCreateInfo *pCreateInfo,
    const VkAllocationCallbacks *pAllocator, VkDescriptorSetLayout *pSetLayout)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (!dev->active)
        return dev->vk.CreateDescriptorSetLayout(device, pCreateInfo, pAllocator, pSetLayout);
    VkDescriptorSetLayoutBinding *bindings;
    VkResult result = widen_bindings(dev, pCreateInfo, &bindings);
    if (result != VK_SUCCESS)
        return result;
    VkDescriptorSetLayoutCreateInfo info = *pCreateInfo;
    if (bindings)
        info.pBindings = bindings;
    result = dev->vk.CreateDescriptorSetLayout(device, &info, pAllocator, pSetLayout);
    pgs_free(bindings);
    const uintptr_t dynamic = count_dynamic(pCreateInfo);
    if (result != VK_SUCCESS || dynamic == 0 ||
        pgs_map_insert(&dev->pipelines->dynamic_sets, (uint64_t)*pSetLayout, (void *)dynamic))
        return result;
    dev->vk.DestroyDescriptorSetLayout(device, *pSetLayout, pAllocator);
    *pSetLayout = VK_NULL_HANDLE;
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL pgs_DestroyDescriptorSetLayout(VkDevice device,
                                                          VkDescriptorSetLayout descriptorSetLayout,
                                                          const VkAllocationCallbacks *pAllocator)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (dev->active && descriptorSetLayout)
        pgs_map_remove(&dev->pipelines->dynamic_sets, (uint64_t)descriptorSetLayout);
    dev->vk.DestroyDescriptorSetLayout(device, descriptorSetLayout, pAllocator);
}

VKAPI_ATTR void VKAPI_CALL pgs_GetDescriptorSetLayoutSupport(
    VkDevice device, const VkDescriptorSetLayoutCreateInfo *pCreateInfo,
    VkDescriptorSetLayoutSupport *pSupport)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    VkDescriptorSetLayoutBinding *bindings = NULL;
    /* Without memory for the copy the answer is that of the narrower layout; the command cannot
     * fail. */
    if (!dev->active || widen_bindings(dev, pCreateInfo, &bindings) != VK_SUCCESS) {
        dev->vk.GetDescriptorSetLayoutSupport(device, pCreateInfo, pSupport);
        return;
    }
    VkDescriptorSetLayoutCreateInfo info = *pCreateInfo;
    if (bindings)
        info.pBindings = bindings;
    dev->vk.GetDescriptorSetLayoutSupport(device, &info, pSupport);
    pgs_free(bindings);
}

VkShaderStageFlags pgs_push_constant_stages(const struct pgs_device *dev, VkShaderStageFlags stages)
{
    return stages == VK_SHADER_STAGE_ALL ? stages : driver_stages(dev, stages);
}

/* The application's layout without a trace of stages that are ours. */
static VkResult create_raster_layout(struct pgs_device *dev, const VkPipelineLayoutCreateInfo *info,
                                     const VkAllocationCallbacks *allocator,
                                     VkPipelineLayout *layout)
{
    VkPushConstantRange *ranges = NULL;
    VkPipelineLayoutCreateInfo raster = *info;
    if (info->pushConstantRangeCount) {
        ranges = pgs_calloc(info->pushConstantRangeCount, sizeof(*ranges));
        if (!ranges)
            return VK_ERROR_OUT_OF_HOST_MEMORY;
        raster.pPushConstantRanges = ranges;
        raster.pushConstantRangeCount = 0;
        for (uint32_t i = 0; i < info->pushConstantRangeCount; i++) {
            VkPushConstantRange range = info->pPushConstantRanges[i];
            range.stageFlags = pgs_push_constant_stages(dev, range.stageFlags);
            if (range.stageFlags)
                ranges[raster.pushConstantRangeCount++] = range;
        }
    }
    const VkResult result = dev->vk.CreatePipelineLayout(dev->handle, &raster, allocator, layout);
    pgs_free(ranges);
    return result;
}

/* Made at once and not when a pipeline asks for it: the set layouts may be gone by then. It may
 * outlive the application's layout, so the application's allocator has no part in it. */
static VkResult compute_layout_create(struct pgs_device *dev,
                                      const VkPipelineLayoutCreateInfo *info,
                                      struct pgs_layout **out)
{
    struct pgs_layout *layout = pgs_calloc(1, sizeof(*layout));
    if (!layout)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    layout->set_count = info->setLayoutCount;
    atomic_init(&layout->refs, 1);
    for (uint32_t i = 0; i < info->setLayoutCount && i < 32; i++)
        layout->dynamic_counts[i] = (uint16_t)(uintptr_t)pgs_map_find(
            &dev->pipelines->dynamic_sets, (uint64_t)info->pSetLayouts[i]);
    const VkPushConstantRange range = {
        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
        .offset = 0,
        .size = sizeof(struct pgs_root),
    };
    const VkPipelineLayoutCreateInfo compute = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .flags = info->flags,
        .setLayoutCount = info->setLayoutCount,
        .pSetLayouts = info->pSetLayouts,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    const VkResult result =
        dev->vk.CreatePipelineLayout(dev->handle, &compute, NULL, &layout->compute);
    if (result != VK_SUCCESS) {
        pgs_free(layout);
        return result;
    }
    *out = layout;
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL
pgs_CreatePipelineLayout(VkDevice device, const VkPipelineLayoutCreateInfo *pCreateInfo,
                         const VkAllocationCallbacks *pAllocator, VkPipelineLayout *pPipelineLayout)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (!dev->active)
        return dev->vk.CreatePipelineLayout(device, pCreateInfo, pAllocator, pPipelineLayout);

    struct pgs_layout *layout = NULL;
    VkResult result = compute_layout_create(dev, pCreateInfo, &layout);
    if (result != VK_SUCCESS)
        return result;
    result = create_raster_layout(dev, pCreateInfo, pAllocator, pPipelineLayout);
    if (result != VK_SUCCESS)
        goto fail_layout;
    if (!pgs_map_insert(&dev->pipelines->layouts, (uint64_t)*pPipelineLayout, layout)) {
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
        goto fail_raster;
    }
    return VK_SUCCESS;
fail_raster:
    dev->vk.DestroyPipelineLayout(device, *pPipelineLayout, pAllocator);
    *pPipelineLayout = VK_NULL_HANDLE;
fail_layout:
    pgs_layout_release(dev, layout);
    return result;
}

VKAPI_ATTR void VKAPI_CALL pgs_DestroyPipelineLayout(VkDevice device,
                                                     VkPipelineLayout pipelineLayout,
                                                     const VkAllocationCallbacks *pAllocator)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (dev->active && pipelineLayout)
        pgs_layout_release(dev, pgs_map_remove(&dev->pipelines->layouts, (uint64_t)pipelineLayout));
    dev->vk.DestroyPipelineLayout(device, pipelineLayout, pAllocator);
}

struct pgs_layout *pgs_layout_acquire(const struct pgs_device *dev, VkPipelineLayout handle)
{
    struct pgs_layout *layout = pgs_map_find(&dev->pipelines->layouts, (uint64_t)handle);
    if (layout)
        atomic_fetch_add(&layout->refs, 1);
    return layout;
}

void pgs_layout_release(const struct pgs_device *dev, struct pgs_layout *layout)
{
    if (!layout || atomic_fetch_sub(&layout->refs, 1) != 1)
        return;
    dev->vk.DestroyPipelineLayout(dev->handle, layout->compute, NULL);
    pgs_free(layout);
}

uint32_t pgs_layout_dynamic_count(const struct pgs_device *dev, VkPipelineLayout layout,
                                  uint32_t set)
{
    const struct pgs_layout *known = pgs_map_find(&dev->pipelines->layouts, (uint64_t)layout);
    return known && set < 32 ? known->dynamic_counts[set] : 0;
}
