/* SPDX-License-Identifier: MIT
 *
 * Pipelines that draw indirectly in place of the driver's own, where the driver knows no first
 * instance of indirect draws (drawIndirectFirstInstance). They are emulated, and so read it
 * themselves. Creation only looks at their shaders; the first indirect draw makes them.
 */
#ifndef PGS_PIPELINE_INSTANCED_H
#define PGS_PIPELINE_INSTANCED_H

#include "pipeline/emulated.h"

/* Keeps what such a pipeline is made from, if the driver draws `pipeline`, which was just created,
 * and it reads the numbers of instances. A pipeline that cannot be emulated has none (a warning).
 * Errors: out of memory. Thread-safe. */
VkResult pgs_instanced_note(const struct pgs_create_call *call, VkPipeline pipeline);

/* The one for a pipeline, made by the first call; *instanced: VK_NULL_HANDLE: the pipeline has
 * none, or it cannot be made. It lives as long. Errors: out of memory, from then on always.
 * Thread-safe. */
VkResult pgs_instanced_get(const struct pgs_device *dev, VkPipeline pipeline,
                           VkPipeline *instanced);

/* Before the pipeline is destroyed. */
void pgs_instanced_forget(struct pgs_device *dev, VkPipeline pipeline);

/* Frees what is left of one when the device is destroyed, by pgs_map_finish; made pipelines are
 * among those of the device. */
void pgs_instanced_free(uint64_t key, void *value, void *context);

#endif
