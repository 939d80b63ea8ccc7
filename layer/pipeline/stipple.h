/* SPDX-License-Identifier: MIT
 *
 * Stippled lines that the layer draws: the raster vertex shader says where in the pattern a line
 * is, and the fragment shader ends where that has no bit. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_STIPPLE_H
#define PGS_PIPELINE_STIPPLE_H

#include "pipeline/pipeline.h"

/* Records how lines of the pipeline are stippled. Call it when its polygons and geometry shader are
 * known. */
void pgs_record_stipple(const struct pgs_device *dev, struct pgs_emulated_pipeline *pipeline,
                        const VkGraphicsPipelineCreateInfo *info);

/* Turns the driver's stippling off, in a create info whose lines are copies of thin ones. Points
 * *state to `copy` if something changes; then *block owns a part of its chain, to be freed with
 * pgs_free, else it is NULL. */
VkResult pgs_stipple_turn_off(VkPipelineRasterizationStateCreateInfo *copy,
                              const VkPipelineRasterizationStateCreateInfo **state, void **block);

#endif
