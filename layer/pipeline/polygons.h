/* SPDX-License-Identifier: MIT
 *
 * Polygons that are drawn as lines or points (VkPolygonMode), on drivers without fillModeNonSolid,
 * and lines that are wider than a pixel, on drivers without wideLines.
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

/* True if the driver may have to draw triangles of the pipeline as lines or points, unless the
 * layer does. */
bool pgs_polygons_may_be_unfilled(const VkGraphicsPipelineCreateInfo *info);

/* True if all lines of the pipeline, whatever their width, are the layer's (line_modes.h). */
bool pgs_lines_are_ours(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info);

/* True for those, and if lines of the pipeline may be wider than those of the driver's device: the
 * width is dynamic, or another one than 1. Without input assembly nothing is known of the topology,
 * and of a geometry shader's or a tessellator's output only the shaders know. */
bool pgs_lines_may_be_wide(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info);

/* How a pipeline for wide lines draws primitives with that number of vertices; *rectangles as in
 * struct pgs_emulated_pipeline. FILLED: it has no lines. */
enum pgs_spv_polygons pgs_wide_of(const struct pgs_device *dev,
                                  const VkGraphicsPipelineCreateInfo *info,
                                  uint32_t vertices_per_primitive, bool *rectangles);

/* The rasterization state of such a pipeline, whose triangles are neither culled nor biased. Points
 * *state to `copy`. */
void pgs_polygons_widen(VkPipelineRasterizationStateCreateInfo *copy,
                        const VkPipelineRasterizationStateCreateInfo **state);

/* The driver's rasterization state, on a driver whose device fills all polygons, or has no wide
 * lines. Points *state to `copy` if it must differ. */
void pgs_polygons_fill(const struct pgs_device *dev, VkPipelineRasterizationStateCreateInfo *copy,
                       const VkPipelineRasterizationStateCreateInfo **state);

/* Records what pipelines with polygons need, but for their viewports. Call it after
 * pgs_record_state. */
void pgs_record_polygons(const struct pgs_device *dev, struct pgs_emulated_pipeline *pipeline,
                         const VkGraphicsPipelineCreateInfo *info);

#endif
