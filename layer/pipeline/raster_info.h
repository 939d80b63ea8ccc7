/* SPDX-License-Identifier: MIT
 *
 * Create infos of the driver's graphics pipelines, made from the application's.
 */
#ifndef PGS_PIPELINE_RASTER_INFO_H
#define PGS_PIPELINE_RASTER_INFO_H

#include "pipeline/pipeline.h"

bool pgs_is_tessellation_state(VkDynamicState state);
bool pgs_has_dynamic_state(const VkGraphicsPipelineCreateInfo *info, VkDynamicState state);

/* Dynamic states that the driver shall know. Points *info to the copy. */
#define PGS_MAX_DYNAMIC_STATES 128
struct pgs_dynamic_states {
    VkDynamicState states[PGS_MAX_DYNAMIC_STATES];
    VkPipelineDynamicStateCreateInfo info;
};
/* Leaves out the stream that is rasterized, with ours_input what belongs to input assembly, with
 * ours_tessellation what belongs to that. */
VkResult pgs_dynamic_states_init(struct pgs_dynamic_states *dynamic, bool ours_input,
                                 bool ours_tessellation,
                                 const VkPipelineDynamicStateCreateInfo **info);

/* The vertex stream that a pipeline rasterizes; 0 where it is dynamic. */
uint32_t pgs_rasterization_stream(const VkGraphicsPipelineCreateInfo *info);

/* Rasterization state without the choice of a stream, which drivers without transform feedback do
 * not know. Points *state to the copy where there is need; finish is due even after an error. */
struct pgs_rasterization {
    VkPipelineRasterizationStateCreateInfo state;
    void *block;
};
VkResult pgs_rasterization_init(struct pgs_rasterization *rasterization,
                                const VkPipelineRasterizationStateCreateInfo **state);
void pgs_rasterization_finish(struct pgs_rasterization *rasterization);

/* The raster pipeline's create info, made from the application's. Everything that it points to and
 * that is not the application's lies inside. */
struct pgs_raster_info {
    VkPipelineShaderStageCreateInfo stages[2];
    VkVertexInputBindingDescription bindings[2];
    VkVertexInputAttributeDescription attributes[2];
    VkPipelineVertexInputStateCreateInfo vertex_input;
    VkPipelineInputAssemblyStateCreateInfo input_assembly;
    struct pgs_dynamic_states dynamic;
    struct pgs_rasterization rasterization;
    VkGraphicsPipelineCreateInfo info;
};
/* `fragment` may be VK_NULL_HANDLE: the stage keeps its module. */
VkResult pgs_raster_info_init(struct pgs_raster_info *raster,
                              const VkGraphicsPipelineCreateInfo *info,
                              const struct pgs_emulated_pipeline *pipeline, VkShaderModule vertex,
                              VkShaderModule fragment);
/* After that: primitives of so many corners come one by one, instead of in strips, and all
 * instances get the same vertex inputs. */
void pgs_raster_info_draw_lists(struct pgs_raster_info *raster, uint32_t corners);
void pgs_raster_info_finish(struct pgs_raster_info *raster); /* due even after an error */

#endif
