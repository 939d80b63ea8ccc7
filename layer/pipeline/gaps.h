/* SPDX-License-Identifier: MIT
 *
 * Pipelines that are emulated for one feature which the driver lacks, though it has their stages.
 * Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_GAPS_H
#define PGS_PIPELINE_GAPS_H

#include "vulkan/device.h"

/* Features that the pipeline, or the part of one, uses of those that only the layer gives single
 * pipelines (dev->gaps): bits of enum pgs_feature; 0: the driver can draw it. Thread-safe. */
uint32_t pgs_info_gaps(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info);

/* True if only draws know whether the driver can draw the patches of the pipeline, or of the part
 * of one: primitive restart is dynamic, and the driver cannot restart them. Thread-safe. */
bool pgs_info_may_restart_patches(const struct pgs_device *dev,
                                  const VkGraphicsPipelineCreateInfo *info);

#endif
