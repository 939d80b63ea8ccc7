/* SPDX-License-Identifier: MIT
 *
 * State in a pipeline's create info that draws need. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_CREATE_STATE_H
#define PGS_PIPELINE_CREATE_STATE_H

#include "pipeline/pipeline.h"

bool pgs_has_mesh_stages(const VkGraphicsPipelineCreateInfo *info);

/* Records topology, restart etc. and which of them are dynamic. Errors: state that cannot be
 * emulated. */
VkResult pgs_record_state(struct pgs_emulated_pipeline *pipeline,
                          const VkGraphicsPipelineCreateInfo *info);

/* Records what pipelines with by_viewport or polygons need. Call it after pgs_record_state. */
void pgs_record_viewports(struct pgs_emulated_pipeline *pipeline,
                          const VkGraphicsPipelineCreateInfo *info);

/* Records the attributes of the locations in a mask. Call it after pgs_record_state: of dynamic
 * vertex input only the locations are known. Errors: too many of them, or an unsupported format. */
VkResult pgs_record_vertex_input(struct pgs_emulated_pipeline *pipeline,
                                 const VkGraphicsPipelineCreateInfo *info, uint32_t locations);

/* Vertices per rasterized primitive, without adjacent ones and without tessellation. Call it after
 * pgs_record_state. */
uint32_t pgs_raster_primitive_vertices(const struct pgs_emulated_pipeline *pipeline);

#endif
