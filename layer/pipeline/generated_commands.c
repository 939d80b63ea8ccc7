/* SPDX-License-Identifier: MIT
 *
 * VK_EXT_device_generated_commands: what the GPU draws from. It draws with pipelines of the
 * driver. The properties say that geometry shaders and tessellation are not supported, and no sets
 * of shader objects. If the layer emulates something else, creation of pipelines for sets fails
 * (whole.c).
 */
#include "base/alloc.h"
#include "base/log.h"
#include "pipeline/find.h"
#include "pipeline/layout.h"
#include "vulkan/chain.h"
#include "vulkan/hooks.h"

#ifdef VK_EXT_device_generated_commands

/* -- layouts -- */

/* Points to itself. */
struct driver_layout {
    VkIndirectCommandsLayoutCreateInfoEXT info;
    VkIndirectCommandsLayoutTokenEXT *tokens;
    VkIndirectCommandsPushConstantTokenEXT *pushes; /* [tokenCount] */
    VkPushConstantRange *ranges;                    /* of a pipeline layout in the chain */
    void *chain;
};

static bool pushes_constants(VkIndirectCommandsTokenTypeEXT type)
{
    return type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT ||
           type == VK_INDIRECT_COMMANDS_TOKEN_TYPE_SEQUENCE_INDEX_EXT;
}

/* Those of its stages that the driver has, as in the layouts of pipelines. Returns the count. */
static uint32_t copy_ranges(const struct pgs_device *dev, uint32_t count,
                            const VkPushConstantRange *from, VkPushConstantRange *to)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        to[kept] = from[i];
        to[kept].stageFlags = pgs_push_constant_stages(dev, from[i].stageFlags);
        kept += to[kept].stageFlags != 0;
    }
    return kept;
}

static VkResult take_tokens(struct driver_layout *to, const struct pgs_device *dev)
{
    const VkIndirectCommandsLayoutCreateInfoEXT *info = &to->info;
    const uint32_t count = info->tokenCount;
    to->tokens = pgs_calloc(count, sizeof(*to->tokens));
    to->pushes = pgs_calloc(count, sizeof(*to->pushes));
    if (count && (!to->tokens || !to->pushes))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        to->tokens[i] = info->pTokens[i];
        if (!pushes_constants(to->tokens[i].type))
            continue;
        to->pushes[i] = *to->tokens[i].data.pPushConstant;
        VkShaderStageFlags *stages = &to->pushes[i].updateRange.stageFlags;
        *stages = pgs_push_constant_stages(dev, *stages);
        to->tokens[i].data.pPushConstant = &to->pushes[i];
    }
    to->info.pTokens = to->tokens;
    return VK_SUCCESS;
}

/* With the feature dynamicGeneratedPipelineLayout. */
static VkResult take_chain(struct driver_layout *to, const struct pgs_device *dev)
{
    const VkStructureType type = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    if (!pgs_chain_find(to->info.pNext, type))
        return VK_SUCCESS;
    const VkResult result =
        pgs_chain_copy_prefix(to->info.pNext, &type, 1, &to->info.pNext, &to->chain);
    if (result != VK_SUCCESS)
        return result;
    VkPipelineLayoutCreateInfo *layout = pgs_chain_find(to->info.pNext, type);
    to->ranges = pgs_calloc(layout->pushConstantRangeCount, sizeof(*to->ranges));
    if (layout->pushConstantRangeCount && !to->ranges)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    layout->pushConstantRangeCount =
        copy_ranges(dev, layout->pushConstantRangeCount, layout->pPushConstantRanges, to->ranges);
    layout->pPushConstantRanges = to->ranges;
    return VK_SUCCESS;
}

/* Commands are never preprocessed ahead: that takes the state of a command buffer in the driver,
 * while the layer may still have it in the queue of a pass. */
VKAPI_ATTR VkResult VKAPI_CALL pgs_CreateIndirectCommandsLayoutEXT(
    VkDevice device, const VkIndirectCommandsLayoutCreateInfoEXT *pCreateInfo,
    const VkAllocationCallbacks *pAllocator, VkIndirectCommandsLayoutEXT *pIndirectCommandsLayout)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (!dev->active)
        return dev->vk.CreateIndirectCommandsLayoutEXT(device, pCreateInfo, pAllocator,
                                                       pIndirectCommandsLayout);
    struct driver_layout to = {.info = *pCreateInfo};
    to.info.flags &= ~(VkIndirectCommandsLayoutUsageFlagsEXT)
                         VK_INDIRECT_COMMANDS_LAYOUT_USAGE_EXPLICIT_PREPROCESS_BIT_EXT;
    VkResult result = take_tokens(&to, dev);
    if (result == VK_SUCCESS)
        result = take_chain(&to, dev);
    if (result == VK_SUCCESS)
        result = dev->vk.CreateIndirectCommandsLayoutEXT(device, &to.info, pAllocator,
                                                         pIndirectCommandsLayout);
    pgs_free(to.tokens);
    pgs_free(to.pushes);
    pgs_free(to.ranges);
    pgs_free(to.chain);
    return result;
}

/* -- execution sets -- */

#define WRITES 32u

static bool draws_pipeline(const struct pgs_device *dev, VkPipeline pipeline)
{
    const struct pgs_emulated_pipeline *found = pgs_emulated_pipeline_find(dev, pipeline);
    if (!found || found->native_raster)
        return true;
    pgs_log(PGS_LOG_ERROR, "an indirect execution set cannot have a pipeline that the layer "
                           "emulates, such as one with a geometry shader or tessellation");
    return false;
}

/* Places that cannot have what the application wants draw with the first pipeline. */
static void fill(struct pgs_device *dev, VkIndirectExecutionSetEXT set,
                 const VkIndirectExecutionSetPipelineInfoEXT *info)
{
    VkWriteIndirectExecutionSetPipelineEXT writes[WRITES];
    for (uint32_t first = 0; first < info->maxPipelineCount; first += WRITES) {
        const uint32_t left = info->maxPipelineCount - first, count = left < WRITES ? left : WRITES;
        for (uint32_t i = 0; i < count; i++)
            writes[i] = (VkWriteIndirectExecutionSetPipelineEXT){
                .sType = VK_STRUCTURE_TYPE_WRITE_INDIRECT_EXECUTION_SET_PIPELINE_EXT,
                .index = first + i,
                .pipeline = info->initialPipeline};
        dev->vk.UpdateIndirectExecutionSetPipelineEXT(dev->handle, set, count, writes);
    }
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_CreateIndirectExecutionSetEXT(
    VkDevice device, const VkIndirectExecutionSetCreateInfoEXT *pCreateInfo,
    const VkAllocationCallbacks *pAllocator, VkIndirectExecutionSetEXT *pIndirectExecutionSet)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    const bool pipelines =
        dev->active && pCreateInfo->type == VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT;
    *pIndirectExecutionSet = VK_NULL_HANDLE;
    if (dev->active && !pipelines) {
        pgs_log(PGS_LOG_ERROR, "an indirect execution set cannot have shader objects: their "
                               "handles may stand for objects that the driver does not have");
        return VK_ERROR_UNKNOWN;
    }
    if (pipelines && !draws_pipeline(dev, pCreateInfo->info.pPipelineInfo->initialPipeline))
        return VK_ERROR_UNKNOWN;
    const VkResult result = dev->vk.CreateIndirectExecutionSetEXT(device, pCreateInfo, pAllocator,
                                                                  pIndirectExecutionSet);
    if (pipelines && result == VK_SUCCESS)
        fill(dev, *pIndirectExecutionSet, pCreateInfo->info.pPipelineInfo);
    return result;
}

VKAPI_ATTR void VKAPI_CALL pgs_UpdateIndirectExecutionSetPipelineEXT(
    VkDevice device, VkIndirectExecutionSetEXT indirectExecutionSet,
    uint32_t executionSetWriteCount,
    const VkWriteIndirectExecutionSetPipelineEXT *pExecutionSetWrites)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    for (uint32_t i = 0; i < executionSetWriteCount; i++)
        if (!dev->active || draws_pipeline(dev, pExecutionSetWrites[i].pipeline))
            dev->vk.UpdateIndirectExecutionSetPipelineEXT(device, indirectExecutionSet, 1,
                                                          &pExecutionSetWrites[i]);
}
#endif
