/* SPDX-License-Identifier: MIT
 *
 * What the shaders of a draw have to bind where the layer runs them, for what the application
 * bound.
 */
#ifndef PGS_PIPELINE_BIND_SETS_H
#define PGS_PIPELINE_BIND_SETS_H

#include "pipeline/stage_group.h"
#include "vulkan/device.h"

/* The application's pipeline layout. Reference-counted, since pipelines and recorded draws outlive
 * its vkDestroyPipelineLayout. */
struct pgs_layout;

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
