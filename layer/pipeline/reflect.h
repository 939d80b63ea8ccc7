/* SPDX-License-Identifier: MIT
 *
 * The facts of a pipeline: what its create info and its shaders say. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_REFLECT_H
#define PGS_PIPELINE_REFLECT_H

#include "pipeline/source.h"

/* NULL: no such stage. */
const VkPipelineShaderStageCreateInfo *pgs_find_stage(const VkGraphicsPipelineCreateInfo *info,
                                                      VkShaderStageFlagBits stage);

/* Opens all stages but the fragment shader. Errors: a stage that the layer cannot run. */
VkResult pgs_reflect_open(struct pgs_pipeline_source *source);

/* Makes a geometry shader where the application gave none, with tessellation after
 * pgs_reflect_tessellation. */
VkResult pgs_reflect_pass_through(struct pgs_pipeline_source *source, bool primitive_id);

/* What the geometry shader, which must keep to the reported limits, and the vertex shader say of
 * themselves. They are open. */
VkResult pgs_reflect_geometry(struct pgs_pipeline_source *source);

/* Vertex input and the layout. The vertex shader is reflected. */
VkResult pgs_reflect_inputs(struct pgs_pipeline_source *source);

#endif
