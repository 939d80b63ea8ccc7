/* SPDX-License-Identifier: MIT */
#include "pipeline/robustness.h"

#include "vulkan/chain.h"

/* -- the device -- */

/* Features that are enabled come before the properties (VkPipelineRobustnessBufferBehavior). */
static VkPipelineRobustnessBufferBehaviorEXT
buffers_of_device(const struct pgs_device *dev, VkPipelineRobustnessBufferBehaviorEXT property)
{
    if (dev->robust_buffer_access2)
        return VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2_EXT;
    if (dev->robust_buffer_access)
        return VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_EXT;
    return property ? property : VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT;
}

static VkPipelineRobustnessImageBehaviorEXT
images_of_device(const struct pgs_device *dev, VkPipelineRobustnessImageBehaviorEXT property)
{
    if (dev->robust_image_access2)
        return VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS_2_EXT;
    if (dev->robust_image_access)
        return VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS_EXT;
    return property ? property : VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_DISABLED_EXT;
}

/* Drivers that do not know the structure leave it as it is. */
static VkPhysicalDevicePipelineRobustnessPropertiesEXT properties_of(const struct pgs_device *dev)
{
    const struct pgs_physical_device *physical = dev->physical;
    VkPhysicalDevicePipelineRobustnessPropertiesEXT robustness = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &robustness};
    if (physical->instance->vk.GetPhysicalDeviceProperties2)
        physical->instance->vk.GetPhysicalDeviceProperties2(physical->handle, &properties);
    robustness.pNext = NULL;
    return robustness;
}

void pgs_robustness_of_device(const struct pgs_device *dev, struct pgs_device_robustness *defaults)
{
    const VkPhysicalDevicePipelineRobustnessPropertiesEXT robustness = properties_of(dev);
    defaults->shaders = (struct pgs_robustness){
        .storage_buffers = buffers_of_device(dev, robustness.defaultRobustnessStorageBuffers),
        .uniform_buffers = buffers_of_device(dev, robustness.defaultRobustnessUniformBuffers),
        .images = images_of_device(dev, robustness.defaultRobustnessImages),
    };
    defaults->vertex_inputs = buffers_of_device(dev, robustness.defaultRobustnessVertexInputs);
}

/* -- shaders -- */

/* What overrides the device's behaviour for a stage; NULL: nothing. */
static const VkPipelineRobustnessCreateInfoEXT *
said_of_stage(const VkGraphicsPipelineCreateInfo *info, VkShaderStageFlagBits stage)
{
    const VkStructureType type = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT;
    const VkPipelineRobustnessCreateInfoEXT *said = pgs_chain_find(info->pNext, type), *own = NULL;
    for (uint32_t i = 0; i < info->stageCount; i++)
        if (info->pStages[i].stage == stage)
            own = pgs_chain_find(info->pStages[i].pNext, type);
    return own ? own : said; /* overrides the pipeline's */
}

bool pgs_robustness_of_stage(const VkGraphicsPipelineCreateInfo *info, VkShaderStageFlagBits stage,
                             struct pgs_robustness *robustness)
{
    const VkPipelineRobustnessCreateInfoEXT *said = said_of_stage(info, stage);
    *robustness = (struct pgs_robustness){.images = 0};
    if (said)
        *robustness =
            (struct pgs_robustness){said->storageBuffers, said->uniformBuffers, said->images};
    return said;
}

bool pgs_robustness_counts_attributes(const struct pgs_device_robustness *defaults,
                                      const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineRobustnessCreateInfoEXT *said = said_of_stage(info, VK_SHADER_STAGE_VERTEX_BIT);
    VkPipelineRobustnessBufferBehaviorEXT inputs =
        said ? said->vertexInputs : VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT_EXT;
    if (inputs == VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT_EXT)
        inputs = defaults->vertex_inputs;
    return inputs == VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2_EXT;
}

/* The enums are ordered by strictness, except for their zero, which is the device's behaviour. */
static bool is_stricter(uint32_t a, uint32_t b, uint32_t of_device)
{
    return (a ? a : of_device) > (b ? b : of_device);
}

struct pgs_robustness pgs_robustness_join(const struct pgs_robustness *defaults,
                                          const struct pgs_robustness *a,
                                          const struct pgs_robustness *b)
{
    struct pgs_robustness both = *a;
    if (is_stricter(b->storage_buffers, a->storage_buffers, defaults->storage_buffers))
        both.storage_buffers = b->storage_buffers;
    if (is_stricter(b->uniform_buffers, a->uniform_buffers, defaults->uniform_buffers))
        both.uniform_buffers = b->uniform_buffers;
    if (is_stricter(b->images, a->images, defaults->images))
        both.images = b->images;
    return both;
}

VkPipelineRobustnessCreateInfoEXT pgs_robustness_info(const struct pgs_robustness *robustness,
                                                      const void *next)
{
    return (VkPipelineRobustnessCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT,
        .pNext = next,
        .storageBuffers = robustness->storage_buffers,
        .uniformBuffers = robustness->uniform_buffers,
        .vertexInputs = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT_EXT,
        .images = robustness->images,
    };
}
