/* SPDX-License-Identifier: MIT
 *
 * The whole kernels of shaders/kernels, compiled when they are first used.
 */
#ifndef PGS_PIPELINE_KERNEL_H
#define PGS_PIPELINE_KERNEL_H

#include "vulkan/device.h"

/* Their layout: no sets, struct pgs_root as push constants. */
enum pgs_kernel {
    PGS_KERNEL_RESTART_TILES,
    PGS_KERNEL_RESTART_SCAN,
    PGS_KERNEL_RESTART_EMIT,
    PGS_KERNEL_COUNT_TILES,
    PGS_KERNEL_SCAN_TILES,
    PGS_KERNEL_EXPAND,
    PGS_KERNEL_SETUP,
    PGS_KERNEL_TESS_COUNT,
    PGS_KERNEL_TESS_ALLOT,
    PGS_KERNEL_TESSELLATE,
    PGS_KERNEL_CAPTURE_TILES,
    PGS_KERNEL_CAPTURE_SCAN,
    PGS_KERNEL_FEEDBACK,
    PGS_KERNEL_CAPTURE_GEOMETRY,
    PGS_KERNEL_QUERY_COPY,
    PGS_KERNEL_QUERY_DRAIN,
    PGS_KERNEL_QUERY_GRIDS,
    PGS_KERNEL_POOL_CLOSE,
    PGS_KERNEL_INDIRECT,
    PGS_KERNEL_INTERVAL_END,
    PGS_KERNEL_COUNT
};
/* The pipeline and layout stay the room's. Thread-safe. */
VkResult pgs_kernel_get(struct pgs_device *dev, enum pgs_kernel kernel, VkPipeline *pipeline,
                        VkPipelineLayout *layout);

#endif
