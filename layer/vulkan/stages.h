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

/* For barriers, events and dependencies outside render pass instances. A mask with a stage whose
 * work may have moved gains COMPUTE_SHADER; without native_geometry the geometry bit goes. Never
 * empties a mask that was not. */
VkPipelineStageFlags2 pgs_widen_stages(VkPipelineStageFlags2 stages, bool native_geometry);

/* For subpass dependencies and barriers inside a render pass, where only graphics stages are legal:
 * without native_geometry the geometry bit becomes VERTEX_SHADER. */
VkPipelineStageFlags2 pgs_keep_graphics_stages(VkPipelineStageFlags2 stages, bool native_geometry);

/* The access mask that goes with a widened stage mask: what vertex input, index fetch, indirect and
 * transform feedback would access is accessed by compute shaders. */
VkAccessFlags2 pgs_widen_access(VkAccessFlags2 access, VkPipelineStageFlags2 widened_stages);

#endif
