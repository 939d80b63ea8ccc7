/* SPDX-License-Identifier: MIT
 *
 * The facts of a pipeline, from its create info and shaders. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_REFLECT_H
#define PGS_PIPELINE_REFLECT_H

#include "pipeline/source.h"

/* NULL: there is no such stage. */
const VkPipelineShaderStageCreateInfo *pgs_find_stage(const VkGraphicsPipelineCreateInfo *info,
                                                      VkShaderStageFlagBits stage);

/* The views of the subpass or rendering; 0: no multiview. Thread-safe. */
uint32_t pgs_info_view_mask(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info);

/* Opens all stages but the fragment shader. Errors: a stage that the layer cannot run. */
VkResult pgs_reflect_open(struct pgs_pipeline_source *source);

/* Makes the pass-through geometry shader; with tessellation call it after pgs_reflect_tessellation.
 */
VkResult pgs_reflect_pass_through(struct pgs_pipeline_source *source, bool primitive_id);

/* Reflects geometry and vertex shader, which must be open. The geometry shader must respect the
 * reported limits. */
VkResult pgs_reflect_geometry(struct pgs_pipeline_source *source);

/* Records vertex input and layout. The vertex shader must have been reflected. */
VkResult pgs_reflect_inputs(struct pgs_pipeline_source *source);

/* Finds out for which views the shaders run. All of them must have been reflected. */
void pgs_reflect_views(struct pgs_pipeline_source *source);

#endif
