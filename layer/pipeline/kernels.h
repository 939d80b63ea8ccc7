/* SPDX-License-Identifier: MIT
 *
 * The whole kernels of shaders/kernels, compiled when they are first used.
 */
#ifndef PGS_PIPELINE_KERNELS_H
#define PGS_PIPELINE_KERNELS_H

#include "pipeline/kernel.h"
#include "vulkan/device.h"

/* The pipeline, and the layout of all of them: no sets, struct pgs_root as push constants. Both
 * stay the room's. Thread-safe. */
VkResult pgs_kernel_get(struct pgs_device *dev, enum pgs_kernel kernel, VkPipeline *pipeline,
                        VkPipelineLayout *layout);

#endif
