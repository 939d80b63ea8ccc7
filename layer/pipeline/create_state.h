/* SPDX-License-Identifier: MIT
 *
 * The state in a pipeline's create info that draws must know. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_CREATE_STATE_H
#define PGS_PIPELINE_CREATE_STATE_H

#include "pipeline/pipeline.h"

bool pgs_has_mesh_stages(const VkGraphicsPipelineCreateInfo *info);

/* Topology, restart and the like, and what of it is dynamic. Errors: state that cannot be emulated.
 */
VkResult pgs_record_state(struct pgs_emulated_pipeline *pipeline,
                          const VkGraphicsPipelineCreateInfo *info);

/* The attributes of the locations in a mask. Errors: more of them, or a format, than can be
 * fetched. */
VkResult pgs_record_vertex_input(struct pgs_emulated_pipeline *pipeline,
                                 const VkGraphicsPipelineCreateInfo *info, uint32_t locations);

/* After pgs_record_state: vertices of a primitive as the rasterizer sees it, without its
 * neighbours, where nothing is tessellated. */
uint32_t pgs_raster_corners(const struct pgs_emulated_pipeline *pipeline);

#endif
