/* SPDX-License-Identifier: MIT
 *
 * The whole kernels of shaders/kernels, compiled at first use.
 */
#ifndef PGS_PIPELINE_KERNELS_H
#define PGS_PIPELINE_KERNELS_H

#include "pipeline/kernel.h"
#include "vulkan/device.h"

/* The pipeline, and the layout that all kernels share: no sets, struct pgs_root as push constants.
 * The device owns both. Thread-safe. */
VkResult pgs_kernel_get(struct pgs_device *dev, enum pgs_kernel kernel, VkPipeline *pipeline,
                        VkPipelineLayout *layout);

#endif
