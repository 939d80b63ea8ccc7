/* SPDX-License-Identifier: MIT */
#include "vulkan/stages.h"

#define MOVED_STAGES                                                                               \
    (VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT |                \
     VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT | VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT |        \
     VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT | \
     VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT |                                      \
     VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT | VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT |    \
     VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT | VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT)

#define MOVED_READS                                                                                \
    (VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_2_INDEX_READ_BIT |                          \
     VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT)

#define MOVED_WRITES                                                                               \
    (VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT |                                                \
     VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT)

VkPipelineStageFlags2 pgs_widen_stages(VkPipelineStageFlags2 stages, bool native_geometry)
{
    if (stages & MOVED_STAGES)
        stages |= VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    if (!native_geometry)
        stages &= ~VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT;
    return stages;
}

VkPipelineStageFlags2 pgs_keep_graphics_stages(VkPipelineStageFlags2 stages, bool native_geometry)
{
    if (native_geometry || !(stages & VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT))
        return stages;
    return (stages & ~VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT) |
           VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT;
}

VkAccessFlags2 pgs_widen_access(VkAccessFlags2 access, VkPipelineStageFlags2 widened_stages)
{
    /* Elsewhere, for instance under ACCELERATION_STRUCTURE_BUILD alone, the reads are those of
     * others. */
    if (!(widened_stages &
          (VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)))
        return access;
    if (access & MOVED_READS)
        access |= VK_ACCESS_2_SHADER_READ_BIT;
    if (access & MOVED_WRITES)
        access |= VK_ACCESS_2_SHADER_WRITE_BIT;
    return access;
}
