/* SPDX-License-Identifier: MIT
 *
 * What the shaders of a draw have to bind where the layer runs them, for what the application
 * bound.
 */
#ifndef PGS_PIPELINE_BIND_SETS_H
#define PGS_PIPELINE_BIND_SETS_H

#include "vulkan/device.h"

#define PGS_MAX_SETS 32 /* of a pipeline layout: the reported maxBoundDescriptorSets at most */

/* Shaders that run as one stage of the driver's, and so see descriptors through the same pipeline
 * layout. */
enum pgs_stage_group {
    PGS_GROUP_VERTEX, /* each stage by itself, as compute */
    PGS_GROUP_CONTROL,
    PGS_GROUP_EVALUATION,
    PGS_GROUP_GEOMETRY,
    PGS_GROUP_VERTEX_GEOMETRY, /* two in one compute shader */
    PGS_GROUP_ALL,    /* all of them: one layout and one set of binds for every compute shader */
    PGS_GROUP_RASTER, /* the application's graphics stages, those before the rasterizer as vertex
                         shader */
    PGS_GROUP_COUNT
};

/* The application's pipeline layout. Reference-counted, since pipelines and recorded draws outlive
 * its vkDestroyPipelineLayout. */
struct pgs_layout;

/* NULL when the application's layout is not known. The reference is the caller's. Thread-safe. */
struct pgs_layout *pgs_layout_acquire(const struct pgs_device *dev, VkPipelineLayout handle);
void pgs_layout_release(struct pgs_device *dev, struct pgs_layout *layout);

/* The application's own handle, which is the driver's. Lives as long as `layout`. */
VkPipelineLayout pgs_layout_handle(const struct pgs_layout *layout);

/* PGS_MAX_SETS at most. */
uint32_t pgs_layout_set_count(const struct pgs_layout *layout);

/* The group as which compute shaders of the group `wanted` run: PGS_GROUP_ALL where one stage of
 * the driver may see all that the layout has for them. */
enum pgs_stage_group pgs_layout_group(const struct pgs_layout *layout, enum pgs_stage_group wanted);

/* The driver's layout for pipelines of the group, of which the application's pipeline has some. It
 * stays the layout's. */
VkPipelineLayout pgs_layout_of_group(const struct pgs_layout *layout, enum pgs_stage_group group);

/* Does a set fit at `index` that the application bound there for `bound_for`, which it may not
 * have destroyed while it records? One that does not is of no use to the pipeline's shaders.
 * Thread-safe. */
bool pgs_layout_takes(const struct pgs_device *dev, const struct pgs_layout *layout, uint32_t index,
                      VkPipelineLayout bound_for);

/* What to bind at `index` of the group's layout when the application bound `set` there, which fits;
 * VK_NULL_HANDLE: nothing. Contents are those of this moment, and later ones of bindings that may
 * change while they are bound. Errors: out of host or device memory. Thread-safe. */
VkResult pgs_layout_find_set(struct pgs_device *dev, struct pgs_layout *layout,
                             enum pgs_stage_group group, uint32_t index, VkDescriptorSet set,
                             VkDescriptorSet *found);

/* Of the dynamic offsets that the application gave for the set at `index` those that the group's
 * set takes: writes at most `count` to `taken` and returns how many. */
uint32_t pgs_layout_take_offsets(const struct pgs_layout *layout, enum pgs_stage_group group,
                                 uint32_t index, const uint32_t *offsets, uint32_t count,
                                 uint32_t *taken);

#endif
