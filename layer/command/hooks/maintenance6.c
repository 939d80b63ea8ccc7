/* SPDX-License-Identifier: MIT
 *
 * Commands of VK_KHR_maintenance6, which become those that they stand for: once for each bind point
 * that their stages belong to (Vulkan 1.4, vkCmdBindDescriptorSets2).
 */
#include "command/state/buffer.h"
#include "vulkan/hooks.h"

#ifdef VK_KHR_maintenance6

#define BIND_POINTS 2

/* Writes the bind points to points[BIND_POINTS], and returns how many there are. */
static uint32_t bind_points(VkShaderStageFlags stages, VkPipelineBindPoint *points)
{
    uint32_t count = 0;
    if (stages & VK_SHADER_STAGE_ALL_GRAPHICS)
        points[count++] = VK_PIPELINE_BIND_POINT_GRAPHICS;
    if (stages & VK_SHADER_STAGE_COMPUTE_BIT)
        points[count++] = VK_PIPELINE_BIND_POINT_COMPUTE;
    return count;
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdBindDescriptorSets2KHR(
    VkCommandBuffer commandBuffer, const VkBindDescriptorSetsInfoKHR *pBindDescriptorSetsInfo)
{
    const VkBindDescriptorSetsInfoKHR *info = pBindDescriptorSetsInfo;
    VkPipelineBindPoint points[BIND_POINTS];
    const uint32_t count = bind_points(info->stageFlags, points);
    for (uint32_t i = 0; i < count; i++)
        pgs_CmdBindDescriptorSets(commandBuffer, points[i], info->layout, info->firstSet,
                                  info->descriptorSetCount, info->pDescriptorSets,
                                  info->dynamicOffsetCount, info->pDynamicOffsets);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdPushConstants2KHR(
    VkCommandBuffer commandBuffer, const VkPushConstantsInfoKHR *pPushConstantsInfo)
{
    const VkPushConstantsInfoKHR *info = pPushConstantsInfo;
    pgs_CmdPushConstants(commandBuffer, info->layout, info->stageFlags, info->offset, info->size,
                         info->pValues);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdPushDescriptorSet2KHR(
    VkCommandBuffer commandBuffer, const VkPushDescriptorSetInfoKHR *pPushDescriptorSetInfo)
{
    const VkPushDescriptorSetInfoKHR *info = pPushDescriptorSetInfo;
    VkPipelineBindPoint points[BIND_POINTS];
    const uint32_t count = bind_points(info->stageFlags, points);
    for (uint32_t i = 0; i < count; i++)
        pgs_CmdPushDescriptorSetKHR(commandBuffer, points[i], info->layout, info->set,
                                    info->descriptorWriteCount, info->pDescriptorWrites);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdPushDescriptorSetWithTemplate2KHR(
    VkCommandBuffer commandBuffer,
    const VkPushDescriptorSetWithTemplateInfoKHR *pPushDescriptorSetWithTemplateInfo)
{
    const VkPushDescriptorSetWithTemplateInfoKHR *info = pPushDescriptorSetWithTemplateInfo;
    pgs_CmdPushDescriptorSetWithTemplateKHR(commandBuffer, info->descriptorUpdateTemplate,
                                            info->layout, info->set, info->pData);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdSetDescriptorBufferOffsets2EXT(
    VkCommandBuffer commandBuffer,
    const VkSetDescriptorBufferOffsetsInfoEXT *pSetDescriptorBufferOffsetsInfo)
{
    const VkSetDescriptorBufferOffsetsInfoEXT *info = pSetDescriptorBufferOffsetsInfo;
    VkPipelineBindPoint points[BIND_POINTS];
    const uint32_t count = bind_points(info->stageFlags, points);
    for (uint32_t i = 0; i < count; i++)
        pgs_CmdSetDescriptorBufferOffsetsEXT(commandBuffer, points[i], info->layout, info->firstSet,
                                             info->setCount, info->pBufferIndices, info->pOffsets);
}

VKAPI_ATTR void VKAPI_CALL pgs_CmdBindDescriptorBufferEmbeddedSamplers2EXT(
    VkCommandBuffer commandBuffer,
    const VkBindDescriptorBufferEmbeddedSamplersInfoEXT *pBindDescriptorBufferEmbeddedSamplersInfo)
{
    const VkBindDescriptorBufferEmbeddedSamplersInfoEXT *info =
        pBindDescriptorBufferEmbeddedSamplersInfo;
    VkPipelineBindPoint points[BIND_POINTS];
    const uint32_t count = bind_points(info->stageFlags, points);
    for (uint32_t i = 0; i < count; i++)
        pgs_CmdBindDescriptorBufferEmbeddedSamplersEXT(commandBuffer, points[i], info->layout,
                                                       info->set);
}
#endif
