/* SPDX-License-Identifier: MIT
 *
 * Descriptor sets that the shaders of a draw bind. Internal to draw/.
 */
#ifndef PGS_DRAW_DESCRIPTORS_H
#define PGS_DRAW_DESCRIPTORS_H

#include "base/arena.h"
#include "draw/draw.h"
#include "pipeline/bind_sets.h"

struct pgs_draw_sets {
    VkPipelineLayout layout;
    uint32_t count;
    VkDescriptorSet *sets;     /* [count], VK_NULL_HANDLE where nothing is bound */
    uint32_t *dynamic_counts;  /* [count] */
    uint32_t *dynamic_offsets; /* of all sets in order */
    uint32_t dynamic_offset_count;
};

/* A set as the application bound it. */
struct pgs_set_bind {
    VkPipelineLayout layout;
    VkDescriptorSet set;
    uint32_t index;
    uint32_t offset_count;
    const uint32_t *offsets;
};

struct pgs_set_binds {
    uint32_t count;
    struct pgs_set_bind binds[];
};

/* What the application's binds come to for the shaders of a stage group of the pipeline. Lives in
 * the arena. Errors: out of host or device memory. */
VkResult pgs_draw_sets_find(struct pgs_arena *arena, struct pgs_device *dev,
                            const struct pgs_emulated_pipeline *pipeline,
                            const struct pgs_graphics_state *state, enum pgs_stage_group group,
                            const struct pgs_draw_sets **found);

/* All sets as the application bound them, in that order. Lives in the arena. NULL: out of memory.
 */
const struct pgs_set_binds *pgs_set_binds_of(struct pgs_arena *arena,
                                             const struct pgs_graphics_state *state);

/* After a bind for another layout, which may have disturbed any of them. */
void pgs_set_binds_restore(const struct pgs_set_binds *binds, VkPipelineBindPoint point,
                           const struct pgs_device_dispatch *vk, VkCommandBuffer cb);

/* Both may be NULL. */
bool pgs_draw_sets_match(const struct pgs_draw_sets *a, const struct pgs_draw_sets *b);

void pgs_draw_sets_bind(const struct pgs_draw_sets *sets, VkPipelineBindPoint point,
                        const struct pgs_device_dispatch *vk, VkCommandBuffer cb);

#endif
