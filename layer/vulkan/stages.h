/* SPDX-License-Identifier: MIT
 *
 * Rewrites stage and access masks of the application for work that moved from the stages before the
 * rasterizer to compute shaders. The 32-bit masks of Vulkan 1.0 have the same bits, so callers cast
 * them.
 */
#ifndef PGS_VULKAN_STAGES_H
#define PGS_VULKAN_STAGES_H

#include <stdbool.h>
#include <vulkan/vulkan.h>

/* Stages that the driver runs itself, as enabled features. */
struct pgs_native_stages {
    bool geometry, tessellation;
};

/* For barriers, events and dependencies outside render passes. Does what pgs_keep_graphics_stages
 * does and adds COMPUTE_SHADER if work of a stage may have moved. Never empties a mask. */
VkPipelineStageFlags2 pgs_widen_stages(VkPipelineStageFlags2 stages,
                                       struct pgs_native_stages native);

/* Replaces stages that the driver does not run by the one before, so that order with other stages
 * holds; a single stage stays single. Transform feedback becomes GEOMETRY_SHADER. If geometry
 * shaders are emulated, both become TESSELLATION_EVALUATION_SHADER. If tessellation is, too, all
 * become VERTEX_SHADER. */
VkPipelineStageFlags2 pgs_native_stage(VkPipelineStageFlags2 stages,
                                       struct pgs_native_stages native);

/* For subpass dependencies and barriers inside a render pass, which allow only graphics stages.
 * Like pgs_native_stage, and adds VERTEX_SHADER to stages that fetch vertices and indices if inline
 * draws fetch them there. */
VkPipelineStageFlags2 pgs_keep_graphics_stages(VkPipelineStageFlags2 stages,
                                               struct pgs_native_stages native);

/* Access mask for a widened stage mask: compute shaders access what vertex input, index fetch,
 * indirect draws, conditional rendering and transform feedback would. Removes accesses of transform
 * feedback. */
VkAccessFlags2 pgs_widen_access(VkAccessFlags2 access, VkPipelineStageFlags2 widened_stages);

/* Access mask for pgs_keep_graphics_stages(`stages`): accesses of transform feedback become those
 * of the replacing stages, and shaders read what is fetched. More stages never give fewer accesses,
 * so a barrier stays within the self-dependency of its subpass. */
VkAccessFlags2 pgs_keep_graphics_access(VkAccessFlags2 access, VkPipelineStageFlags2 stages);

/* True if these stages may come with accesses of transform feedback. */
bool pgs_accesses_may_go(VkPipelineStageFlags2 stages);

#endif
