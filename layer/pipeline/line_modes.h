/* SPDX-License-Identifier: MIT
 *
 * Lines of a stated form, and stippled ones, on drivers that do not hear of
 * VK_EXT_line_rasterization (dev->line_modes). Those that the driver draws so without it stay the
 * driver's. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_LINE_MODES_H
#define PGS_PIPELINE_LINE_MODES_H

#include "pipeline/pipeline.h"

/* The create info has a structure, or a dynamic state, of which the driver must not hear. */
bool pgs_line_modes_stated(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info);

/* True if the driver would draw lines of the pipeline otherwise: it is stippled, or its lines are
 * rectangles or Bresenham's where those of the driver are not. What it draws is not looked at. */
bool pgs_line_modes_need_layer(const struct pgs_device *dev,
                               const VkGraphicsPipelineCreateInfo *info);

/* True if thin lines of the driver are Bresenham's, where its pipelines are told so; or, where it
 * hears nothing of it, cover the pixels that the specification allows for them. */
bool pgs_thin_lines_are_bresenham(const struct pgs_device *dev,
                                  const VkGraphicsPipelineCreateInfo *info);

#endif
