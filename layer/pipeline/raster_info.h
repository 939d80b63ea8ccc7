/* SPDX-License-Identifier: MIT
 *
 * Create infos of the driver's graphics pipelines, made from the application's.
 */
#ifndef PGS_PIPELINE_RASTER_INFO_H
#define PGS_PIPELINE_RASTER_INFO_H

#include "pipeline/fetched_inputs.h"
#include "pipeline/pipeline.h"
#include "pipeline/record_inputs.h"
#include "pipeline/robustness.h"

bool pgs_is_tessellation_state(VkDynamicState state);
bool pgs_has_dynamic_state(const VkGraphicsPipelineCreateInfo *info, VkDynamicState state);
/* True if it has one of these stages. */
bool pgs_has_stage(const VkGraphicsPipelineCreateInfo *info, VkShaderStageFlags stages);

/* The line state of a create info; NULL: none. */
const VkPipelineRasterizationLineStateCreateInfoEXT *
pgs_line_state(const VkGraphicsPipelineCreateInfo *info);

/* Lines may be stippled. */
bool pgs_may_stipple(const VkGraphicsPipelineCreateInfo *info);

/* What the pipeline fixes of VkPipelineViewportDepthClipControlCreateInfoEXT: negativeOneToOne. */
bool pgs_depths_are_symmetric(const VkGraphicsPipelineCreateInfo *info);

/* Nothing is ever rasterized: the viewport state is ignored. */
bool pgs_discards_always(const VkGraphicsPipelineCreateInfo *info);

/* The dynamic states for the driver. Points *info to the copy. */
#define PGS_MAX_DYNAMIC_STATES 128
struct pgs_dynamic_states {
    VkDynamicState states[PGS_MAX_DYNAMIC_STATES];
    VkPipelineDynamicStateCreateInfo info;
};
/* Appends a state. whose: for the log, "a pipeline". Errors: VK_ERROR_UNKNOWN, logged, if there are
 * PGS_MAX_DYNAMIC_STATES. */
VkResult pgs_dynamic_states_add(struct pgs_dynamic_states *dynamic, VkDynamicState state,
                                const char *whose);
/* Leaves out the dynamic stream, with ours_input the input assembly states, with ours_tessellation
 * the tessellation states, and with ours_stipple the stipple pattern. */
VkResult pgs_dynamic_states_init(struct pgs_dynamic_states *dynamic, bool ours_input,
                                 bool ours_tessellation, bool ours_stipple,
                                 const VkPipelineDynamicStateCreateInfo **info);

/* The create info has a viewport state that is not ignored. */
bool pgs_has_viewport_state(const VkGraphicsPipelineCreateInfo *info);

/* Leaves one viewport and one scissor, for drivers without multiViewport. Points *state to `copy`
 * if there are more. */
void pgs_keep_one_viewport(VkPipelineViewportStateCreateInfo *copy,
                           const VkPipelineViewportStateCreateInfo **state);

/* The stream that a pipeline rasterizes; 0 if it is dynamic. */
uint32_t pgs_rasterization_stream(const VkGraphicsPipelineCreateInfo *info);

/* What becomes of VkPipelineRasterizationDepthClipStateCreateInfoEXT; see depth_clip.h. */
struct pgs_depth_clip {
    bool stated; /* the create info has the structure, of which the driver must not hear */
    bool clamps; /* with it: the driver's depthClampEnable */
    bool planes; /* with it: distances clip */
};

/* Rasterization state without the stream, which drivers without transform feedback do not know, and
 * with `clip` in place of its structure; with drops_lines without the line state. Points *state to
 * the copy if one is needed. Call finish also after an error. */
struct pgs_rasterization {
    VkPipelineRasterizationStateCreateInfo state;
    void *block;
};
VkResult pgs_rasterization_init(struct pgs_rasterization *rasterization,
                                const struct pgs_depth_clip *clip, bool drops_lines,
                                const VkPipelineRasterizationStateCreateInfo **state);
void pgs_rasterization_finish(struct pgs_rasterization *rasterization);

/* The raster pipeline's create info, made from the application's. It contains everything that it
 * points to, except what the application owns. */
struct pgs_raster_info {
    VkPipelineShaderStageCreateInfo stages[2];
    VkPipelineRobustnessCreateInfoEXT robustness; /* of the vertex shader */
    VkVertexInputBindingDescription bindings[3];
    VkVertexInputAttributeDescription attributes[1 + PGS_MAX_RECORD_INPUTS];
    VkPipelineVertexInputStateCreateInfo vertex_input;
    VkPipelineInputAssemblyStateCreateInfo input_assembly;
    struct pgs_dynamic_states dynamic;
    VkPipelineViewportStateCreateInfo viewport;
    struct pgs_rasterization rasterization;
    VkGraphicsPipelineCreateInfo info;
};
/* drops_lines: as above, and the stipple pattern is no dynamic state. `fragment` may be
 * VK_NULL_HANDLE: the stage keeps its module. */
VkResult pgs_raster_info_init(struct pgs_raster_info *raster,
                              const VkGraphicsPipelineCreateInfo *info,
                              const struct pgs_emulated_pipeline *pipeline,
                              const struct pgs_depth_clip *clip, bool drops_lines,
                              VkShaderModule vertex, VkShaderModule fragment);
/* Call it after init: draws lists of primitives instead of strips, and gives all instances the same
 * vertex inputs. */
void pgs_raster_info_draw_lists(struct pgs_raster_info *raster, uint32_t vertices_per_primitive);
/* The same, but draws one strip of triangles. */
void pgs_raster_info_draw_strip(struct pgs_raster_info *raster);
/* Call it after init: the vertex input and input assembly of the application, whose create info is
 * `info`, with what is dynamic in them. Errors: VK_ERROR_UNKNOWN, logged. */
VkResult pgs_raster_info_take_input(struct pgs_raster_info *raster,
                                    const VkGraphicsPipelineCreateInfo *info,
                                    const struct pgs_emulated_pipeline *pipeline);
/* The same, but only of the vertex input. */
VkResult pgs_raster_info_take_vertices(struct pgs_raster_info *raster,
                                       const VkGraphicsPipelineCreateInfo *info,
                                       const struct pgs_emulated_pipeline *pipeline);
/* Call it after pgs_raster_info_draw_lists, for pipelines that take their record: binding 0
 * is at the record itself. */
void pgs_raster_info_take_record(struct pgs_raster_info *raster,
                                 const struct pgs_emulated_pipeline *pipeline);
/* Likewise: instance n reads the n-th record (stored_records.h). */
void pgs_raster_info_stride_records(struct pgs_raster_info *raster, uint32_t record_stride_B);
/* Likewise, of which the vertex shader takes two addresses. */
void pgs_raster_info_split_vertices(struct pgs_raster_info *raster, uint32_t record_stride_B);
/* Likewise: what is stored of the stream is vertex attributes. */
void pgs_raster_info_fetch_vertices(struct pgs_raster_info *raster,
                                    const struct pgs_emulated_pipeline *pipeline, uint32_t stream);
/* Call it after init: what the vertex shader may do out of bounds, if it does the work of stages of
 * the application. */
void pgs_raster_info_take_robustness(struct pgs_raster_info *raster,
                                     const struct pgs_robustness *robustness);
void pgs_raster_info_finish(struct pgs_raster_info *raster); /* also after an error */

#endif
