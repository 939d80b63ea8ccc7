/* SPDX-License-Identifier: MIT
 *
 * From the application's handle to what stands behind it.
 */
#ifndef PGS_PIPELINE_FIND_H
#define PGS_PIPELINE_FIND_H

#include "pipeline/pipeline.h"

/* What stands behind a pipeline: where feedback is emulated all graphics pipelines have something
 * (see native_raster), else those that are emulated. NULL for the others. The pointer lives until
 * vkDestroyPipeline of the handle. Thread-safe. */
const struct pgs_emulated_pipeline *pgs_emulated_pipeline_find(const struct pgs_device *dev,
                                                               VkPipeline handle);

/* The pipeline that draws wide lines in place of one whose width is dynamic, which draws thin ones;
 * VK_NULL_HANDLE: the handle has none. It lives as long. Thread-safe. */
VkPipeline pgs_wide_pipeline_find(const struct pgs_device *dev, VkPipeline handle);

/* Likewise the one that draws patches while primitive restart is enabled, in place of one with that
 * as dynamic state, where the driver cannot restart patches. Thread-safe. */
VkPipeline pgs_restarting_pipeline_find(const struct pgs_device *dev, VkPipeline handle);

#endif
