/* SPDX-License-Identifier: MIT
 *
 * Stage and access masks of the application, rewritten for work that moved from the stages before
 * the rasterizer to compute shaders. The bits of the 32-bit masks of Vulkan 1.0 are the same, so
 * those are passed and cast back.
 */
#ifndef PGS_VULKAN_STAGES_H
#define PGS_VULKAN_STAGES_H

#include <stdbool.h>
#include <vulkan/vulkan.h>

/* Which stages the driver runs itself; enabled features. */
struct pgs_native_stages {
    bool geometry, tessellation;
};

/* For barriers, events and dependencies outside render pass instances. A mask with a stage whose
 * work may have moved gains COMPUTE_SHADER; and what is said of pgs_keep_graphics_stages. Never
 * empties a mask that was not. */
VkPipelineStageFlags2 pgs_widen_stages(VkPipelineStageFlags2 stages,
                                       struct pgs_native_stages native);

/* Stages that the driver has nothing to do in become the one before, for the sake of the stages
 * before and after them; one stage stays one. Transform feedback becomes GEOMETRY_SHADER; both
 * become TESSELLATION_EVALUATION_SHADER where geometry shaders are not the driver's, and what is
 * left becomes VERTEX_SHADER where tessellation is not either. */
VkPipelineStageFlags2 pgs_native_stage(VkPipelineStageFlags2 stages,
                                       struct pgs_native_stages native);

/* For subpass dependencies and barriers inside a render pass, where only graphics stages are legal:
 * as pgs_native_stage, and with the stages that fetch vertices and indices VERTEX_SHADER, where
 * placed draws do that. */
VkPipelineStageFlags2 pgs_keep_graphics_stages(VkPipelineStageFlags2 stages,
                                               struct pgs_native_stages native);

/* The access mask that goes with a widened stage mask: what vertex input, index fetch, indirect,
 * conditional rendering and transform feedback would access is accessed by compute shaders. The
 * accesses of transform feedback go. */
VkAccessFlags2 pgs_widen_access(VkAccessFlags2 access, VkPipelineStageFlags2 widened_stages);

/* The access mask that goes with pgs_keep_graphics_stages of `stages`: accesses of transform
 * feedback become those of the stages that replace it, and what is fetched shaders read, too. More
 * stages never give fewer accesses, so that a barrier stays within the self-dependency of its
 * subpass. */
VkAccessFlags2 pgs_keep_graphics_access(VkAccessFlags2 access, VkPipelineStageFlags2 stages);

/* Could a mask with these stages come with accesses of transform feedback? */
bool pgs_accesses_may_go(VkPipelineStageFlags2 stages);

#endif
