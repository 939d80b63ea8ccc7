/* SPDX-License-Identifier: MIT
 *
 * Points that are larger than a pixel, on drivers without largePoints. The layer then emulates the
 * pipeline: the driver draws two triangles for each. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_POINTS_H
#define PGS_PIPELINE_POINTS_H

#include "pipeline/pipeline.h"

/* True if points of the pipeline, or of what a part of one hands on, may be larger than those of
 * the driver's device: the last shader in front of the rasterizer sizes them. Without input
 * assembly nothing is known of the topology. Thread-safe. */
bool pgs_points_may_be_large(const struct pgs_device *dev,
                             const VkGraphicsPipelineCreateInfo *info);

/* How a pipeline draws points whose last shader before the rasterizer is `gs`; FILLED: it has none
 * that may be large. */
enum pgs_spv_polygons pgs_large_of(const struct pgs_device *dev,
                                   const VkGraphicsPipelineCreateInfo *info,
                                   const struct pgs_spv_geometry_info *gs);

#endif
