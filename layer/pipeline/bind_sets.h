/* SPDX-License-Identifier: MIT
 *
 * Descriptor sets and pipeline layouts that the shaders of a draw need where the layer runs them.
 */
#ifndef PGS_PIPELINE_BIND_SETS_H
#define PGS_PIPELINE_BIND_SETS_H

#include "pipeline/pushed_set.h"
#include "pipeline/stage_group.h"
#include "vulkan/device.h"

/* The application's pipeline layout. Reference-counted, since pipelines and recorded draws outlive
 * its vkDestroyPipelineLayout. */
struct pgs_layout;

/* The application's own handle, which is the driver's. Lives as long as `layout`. */
VkPipelineLayout pgs_layout_handle(const struct pgs_layout *layout);

/* At most PGS_MAX_SETS. */
uint32_t pgs_layout_set_count(const struct pgs_layout *layout);

/* The group in which compute shaders of the group `wanted` run: PGS_GROUP_ALL if one stage of the
 * driver may see all that the layout has for them. */
enum pgs_stage_group pgs_layout_group(const struct pgs_layout *layout, enum pgs_stage_group wanted);

/* The driver's layout for pipelines of the group, made with the first of them. The layout owns it.
 */
VkPipelineLayout pgs_layout_of_group(const struct pgs_layout *layout, enum pgs_stage_group group);

/* The same with the layer's own set behind the application's: made before a variant that binds it.
 */
VkPipelineLayout pgs_layout_bound_of_group(const struct pgs_layout *layout,
                                           enum pgs_stage_group group);

/* True if a set that the application bound at `index` for `bound_for` is compatible with `layout`.
 * Otherwise the pipeline's shaders cannot use it. The application may not destroy `bound_for` while
 * it records. Thread-safe. */
bool pgs_layout_takes(const struct pgs_device *dev, const struct pgs_layout *layout, uint32_t index,
                      VkPipelineLayout bound_for);

/* What to bind at `index` of the group's layout for the application's compatible `set`;
 * VK_NULL_HANDLE: nothing. It has the set's current contents, and later ones of bindings that may
 * change while bound. Errors: out of host or device memory. Thread-safe. */
VkResult pgs_layout_find_set(struct pgs_device *dev, struct pgs_layout *layout,
                             enum pgs_stage_group group, uint32_t index, VkDescriptorSet set,
                             VkDescriptorSet *found);

/* What to push at set->index of the group's layout for what the application pushed there; NULL:
 * nothing. Lives in the arena. Errors: out of host memory. */
VkResult pgs_layout_find_pushed(const struct pgs_layout *layout, enum pgs_stage_group group,
                                const struct pgs_pushed_set *set, struct pgs_arena *arena,
                                const struct pgs_pushed_set **found);

/* Selects the dynamic offsets that the group's set takes from those of the application's set at
 * `index`. Writes at most `count` to `taken` and returns the number. */
uint32_t pgs_layout_take_offsets(const struct pgs_layout *layout, enum pgs_stage_group group,
                                 uint32_t index, const uint32_t *offsets, uint32_t count,
                                 uint32_t *taken);

#endif
