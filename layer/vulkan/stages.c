/* SPDX-License-Identifier: MIT */
#include "vulkan/stages.h"

#define MOVED_STAGES                                                                               \
    (VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT |                \
     VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT | VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT |        \
     VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT | \
     VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT |                                      \
     VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT | VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT |    \
     VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT | VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT |    \
     VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT)

#define TESSELLATION_STAGES                                                                        \
    (VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT |                                         \
     VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT)

/* Stages whose fetches an inline draw does in its vertex shader. */
#define FETCH_STAGES                                                                               \
    (VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT |                  \
     VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT)
#define FETCH_READS (VK_ACCESS_2_INDEX_READ_BIT | VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT)

#define ALL_GRAPHICS (VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT | VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)

#define GONE_WRITES                                                                                \
    (VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT |                                                \
     VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT)
#define GONE_READ VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT

#define MOVED_READS                                                                                \
    (VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_2_INDEX_READ_BIT |                          \
     VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_2_CONDITIONAL_RENDERING_READ_BIT_EXT |      \
     GONE_READ)

VkPipelineStageFlags2 pgs_widen_stages(VkPipelineStageFlags2 stages,
                                       struct pgs_native_stages native)
{
    if (stages & MOVED_STAGES)
        stages |= VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    return pgs_keep_graphics_stages(stages, native);
}

VkPipelineStageFlags2 pgs_native_stage(VkPipelineStageFlags2 stages,
                                       struct pgs_native_stages native)
{
    if (stages & VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT)
        stages = (stages & ~VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT) |
                 VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT;
    if (!native.geometry && (stages & VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT))
        stages = (stages & ~VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT) |
                 VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT;
    if (!native.tessellation && (stages & TESSELLATION_STAGES))
        stages = (stages & ~TESSELLATION_STAGES) | VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT;
    return stages;
}

/* Replaces each bit by itself, so that a subset of a mask stays a subset. */
VkPipelineStageFlags2 pgs_keep_graphics_stages(VkPipelineStageFlags2 stages,
                                               struct pgs_native_stages native)
{
    const bool fetches = stages & FETCH_STAGES;
    return pgs_native_stage(stages, native) | (fetches ? VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT : 0);
}

VkAccessFlags2 pgs_widen_access(VkAccessFlags2 access, VkPipelineStageFlags2 widened_stages)
{
    const VkAccessFlags2 kept = access & ~(GONE_WRITES | GONE_READ);
    /* Other stages, such as ACCELERATION_STRUCTURE_BUILD alone, have reads of their own. */
    if (!(widened_stages &
          (VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)))
        return kept;
    return kept | (access & MOVED_READS ? VK_ACCESS_2_SHADER_READ_BIT : 0) |
           (access & GONE_WRITES ? VK_ACCESS_2_SHADER_WRITE_BIT : 0);
}

bool pgs_accesses_may_go(VkPipelineStageFlags2 stages)
{
    return stages & (VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT |
                     VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | FETCH_STAGES | ALL_GRAPHICS);
}

VkAccessFlags2 pgs_keep_graphics_access(VkAccessFlags2 access, VkPipelineStageFlags2 stages)
{
    const bool vertex = stages & (VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT | ALL_GRAPHICS);
    const bool indirect = stages & (VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | ALL_GRAPHICS);
    VkAccessFlags2 kept = access & ~(GONE_WRITES | GONE_READ);
    if ((access & GONE_WRITES) && vertex)
        kept |= VK_ACCESS_2_SHADER_WRITE_BIT;
    if ((access & GONE_READ) && vertex)
        kept |= VK_ACCESS_2_SHADER_READ_BIT;
    if ((access & GONE_READ) && indirect)
        kept |= VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT;
    if ((access & FETCH_READS) && (stages & (FETCH_STAGES | ALL_GRAPHICS)))
        kept |= VK_ACCESS_2_SHADER_READ_BIT;
    return kept;
}
