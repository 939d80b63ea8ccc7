/* SPDX-License-Identifier: MIT
 *
 * Who lets a pipeline choose the layer or the viewport that it draws to: gl_Layer and
 * gl_ViewportIndex of its shaders. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_TARGETS_H
#define PGS_PIPELINE_TARGETS_H

#include "vulkan/device.h"

/* True if the driver's own geometry shaders must not write gl_Layer, since passes are recorded by
 * layer for emulated ones, or cannot write gl_ViewportIndex. */
bool pgs_chooses_targets(const struct pgs_device *dev);

/* Sets *emulated if the geometry shader writes what pgs_chooses_targets says, or a vertex or
 * evaluation shader, whatever stage follows, has an output that the driver takes from neither
 * (shaderOutputLayer, shaderOutputViewportIndex). *spare becomes false if the driver could not draw
 * it even in passes that are not recorded by layer. Errors: those of pgs_shader_get and of
 * reflection; those of geometry shaders that refuse them are none, as the pipeline may still be the
 * driver's. */
VkResult pgs_targets_check(struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                           bool *emulated, bool *spare);

#endif
