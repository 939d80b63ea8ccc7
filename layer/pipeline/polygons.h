/* SPDX-License-Identifier: MIT
 *
 * Polygons that are drawn as lines or points (VkPolygonMode), on drivers without fillModeNonSolid.
 * The layer then emulates the pipeline: the driver draws lists of lines or points, whose vertex
 * shader looks at the whole polygon. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_POLYGONS_H
#define PGS_PIPELINE_POLYGONS_H

#include "pipeline/pipeline.h"

/* How the layer must draw the triangles that the pipeline may have. Of a part without input
 * assembly nothing is known, so it may. */
enum pgs_spv_polygons pgs_polygons_of(const struct pgs_device *dev,
                                      const VkGraphicsPipelineCreateInfo *info);

/* True if the driver's device has the polygon mode, or none matters to it. */
bool pgs_polygons_are_native(const struct pgs_device *dev,
                             const VkGraphicsPipelineCreateInfo *info);

/* The driver's rasterization state, on a driver whose device fills all polygons. Points *state to
 * `copy` if it must differ. */
void pgs_polygons_fill(const struct pgs_device *dev, VkPipelineRasterizationStateCreateInfo *copy,
                       const VkPipelineRasterizationStateCreateInfo **state);

/* Records what pipelines with polygons need, but for their viewports. Call it after
 * pgs_record_state. */
void pgs_record_polygons(const struct pgs_device *dev, struct pgs_emulated_pipeline *pipeline,
                         const VkGraphicsPipelineCreateInfo *info);

#endif
