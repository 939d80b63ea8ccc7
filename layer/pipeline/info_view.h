/* SPDX-License-Identifier: MIT
 *
 * What counts of the application's create info. Pointers to what is ignored may be invalid, so it
 * is looked at, and copied, only through a view. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_INFO_VIEW_H
#define PGS_PIPELINE_INFO_VIEW_H

#include "pipeline/kept_render_pass.h"
#include "pipeline/raster_info.h"

#define PGS_PART_COUNT 4 /* bits of VkGraphicsPipelineLibraryFlagsEXT */
#define PGS_PARTS_BEHIND /* the rasterizer */                                                      \
    ((VkGraphicsPipelineLibraryFlagsEXT)(VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |    \
                                         VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT))
#define PGS_ALL_PARTS                                                                                     \
    ((VkGraphicsPipelineLibraryFlagsEXT)(VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |    \
                                         VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT | \
                                         PGS_PARTS_BEHIND))

/* The stages that count: libraries without shaders may have anything there. */
uint32_t pgs_info_stage_count(const VkGraphicsPipelineCreateInfo *info);

/* The parts that the create info gives itself: 0 if it only links libraries. */
VkGraphicsPipelineLibraryFlagsEXT pgs_info_parts(const VkGraphicsPipelineCreateInfo *info);

#define PGS_MAX_STAGES 8

/* Points to itself, so it must not move. */
struct pgs_info_view {
    VkGraphicsPipelineCreateInfo info; /* with the application's chain */
    VkPipelineShaderStageCreateInfo stages[PGS_MAX_STAGES];
    VkPipelineViewportStateCreateInfo viewport;
    VkPipelineMultisampleStateCreateInfo multisample;
    VkPipelineColorBlendStateCreateInfo blend;
    struct pgs_dynamic_states dynamic;
    void *blocks[8]; /* of chains with an array that is ignored */
};

/* The attachments of dynamic rendering. rendering may be NULL. */
struct pgs_subpass_uses pgs_rendering_uses(const VkPipelineRenderingCreateInfo *rendering);

/* A view of these parts of the info; `uses` counts if it has the fragment shader or the output.
 * What belongs to no part of them is NULL, and so is state that is ignored. The caller finishes the
 * view, also after an error. Errors: out of host memory; more dynamic states than
 * PGS_MAX_DYNAMIC_STATES, logged. */
VkResult pgs_info_view_init(struct pgs_info_view *view, const VkGraphicsPipelineCreateInfo *info,
                            VkGraphicsPipelineLibraryFlagsEXT parts, struct pgs_subpass_uses uses);
void pgs_info_view_finish(struct pgs_info_view *view);

#endif
