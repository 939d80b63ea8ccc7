/* SPDX-License-Identifier: MIT
 *
 * What vertex shaders may read that the driver lacks: the number of the draw in a call that is
 * split, and attributes by divisors. The layer then emulates the pipeline, whose vertices it
 * fetches itself. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_VERTEX_NEEDS_H
#define PGS_PIPELINE_VERTEX_NEEDS_H

#include "pipeline/pipeline.h"

/* True if the pipeline, or the part of one, has something of which the above is true. Also notes
 * that the device could have emulated pipelines. */
bool pgs_info_needs_own_vertices(const struct pgs_device *dev,
                                 const VkGraphicsPipelineCreateInfo *info);

/* True if the create info has divisors, though they may all be 1, and the driver knows none. */
bool pgs_info_has_divisors(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info);

/* Vertex input of the driver without such divisors. Points *state to `copy` if it must differ. */
void pgs_divisors_drop(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                       VkPipelineVertexInputStateCreateInfo *copy,
                       const VkPipelineVertexInputStateCreateInfo **state);

/* True if the pipeline, or the part of one, may read the number of an instance, which indirect
 * draws of the driver do not begin where the application says (instanced.h). Thread-safe. */
bool pgs_info_reads_instances(const struct pgs_device *dev,
                              const VkGraphicsPipelineCreateInfo *info);

#endif
