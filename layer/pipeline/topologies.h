/* SPDX-License-Identifier: MIT
 *
 * Pipelines without geometry shader and tessellation whose topology is dynamic. One that the layer
 * emulates is made for primitives of as many vertices; of one that the driver draws, the layer
 * draws what the driver cannot: adjacency, polygons as lines, wide lines, large points. For the
 * other topologies another pipeline stands in, which the first draw makes.
 */
#ifndef PGS_PIPELINE_TOPOLOGIES_H
#define PGS_PIPELINE_TOPOLOGIES_H

#include "vulkan/device.h"

struct pgs_create_call;
struct pgs_linked_parts;
struct pgs_topologies;

/* Keeps what others are made from, if `pipeline`, which was just created, may need them. parts:
 * what it was linked from; NULL: the create info alone. Of the info the stages, the input assembly,
 * the rasterization state and the dynamic states count, and all without parts. Errors: out of
 * memory. Thread-safe. */
VkResult pgs_topologies_note(const struct pgs_create_call *call,
                             const struct pgs_linked_parts *parts, VkPipeline pipeline);

/* NULL: the pipeline draws all topologies that it may be drawn with. It lives as long as the
 * pipeline. Thread-safe. */
struct pgs_topologies *pgs_topologies_find(const struct pgs_device *dev, VkPipeline pipeline);

/* True if another pipeline draws the topology. all may be NULL. */
bool pgs_topologies_differ(const struct pgs_topologies *all, VkPrimitiveTopology topology);

/* The pipeline that draws such a topology, made by the first call. VK_NULL_HANDLE: it cannot be
 * made (a warning). It lives as long as the pipeline. Errors: out of memory. Thread-safe. */
VkResult pgs_topologies_get(struct pgs_device *dev, struct pgs_topologies *all,
                            VkPrimitiveTopology topology, VkPipeline *pipeline);

/* Before the pipeline is destroyed; of others, nothing. */
void pgs_topologies_forget(struct pgs_device *dev, VkPipeline pipeline);

/* Frees what is left when the device is destroyed, by pgs_map_finish. */
void pgs_topologies_free(uint64_t key, void *value, void *context);

#endif
