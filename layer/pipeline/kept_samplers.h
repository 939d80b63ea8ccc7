/* SPDX-License-Identifier: MIT
 *
 * Samplers that set layouts have. The application may destroy a sampler once it has destroyed the
 * layouts and sets that use it, but the layer uses these layouts for as long as it has pipelines
 * and libraries of theirs: threads compile with them, and make others like them. So the driver's
 * samplers live as long as the last layout. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_KEPT_SAMPLERS_H
#define PGS_PIPELINE_KEPT_SAMPLERS_H

#include "vulkan/device.h"

struct pgs_kept_samplers;

/* Keeps the immutable samplers of a layout. False: out of memory, none is kept. Thread-safe. */
bool pgs_kept_samplers_add(struct pgs_device *dev, const VkSampler *samplers, size_t count);

/* Of a layout that the driver does not have any more: destroys those of its samplers that the
 * application has destroyed and that no other layout has. Thread-safe. */
void pgs_kept_samplers_drop(struct pgs_device *dev, const VkSampler *samplers, size_t count);

/* When no layout is left. */
void pgs_kept_samplers_finish(struct pgs_kept_samplers *samplers);

#endif
