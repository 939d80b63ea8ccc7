/* SPDX-License-Identifier: MIT
 *
 * Per-device state of pipelines.
 */
#ifndef PGS_PIPELINE_PIPELINE_DEVICE_H
#define PGS_PIPELINE_PIPELINE_DEVICE_H

#include "vulkan/device.h"

/* Fills dev->pipelines. Errors: out of host memory. */
VkResult pgs_pipeline_device_create(struct pgs_device *dev);

/* Also destroys what the application did not destroy. dev->pipelines may be NULL. */
void pgs_pipeline_device_destroy(struct pgs_device *dev);

/* Whether set layouts are widened; else shaders see their descriptors through mirrors. */
bool pgs_pipeline_widens_set_layouts(const struct pgs_device *dev);

#endif
