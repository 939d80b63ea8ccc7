/* SPDX-License-Identifier: MIT
 *
 * Descriptor sets that the shaders of a draw need. Internal to draw/.
 */
#ifndef PGS_DRAW_DESCRIPTORS_H
#define PGS_DRAW_DESCRIPTORS_H

#include "base/arena.h"
#include "draw/draw.h"
#include "pipeline/bind_sets.h"
#include "pipeline/descriptor_buffers.h"

struct pgs_draw_sets {
    VkPipelineLayout layout;
    uint32_t count;
    VkDescriptorSet *sets;     /* [count], VK_NULL_HANDLE where nothing is bound */
    uint32_t *dynamic_counts;  /* [count] */
    uint32_t *dynamic_offsets; /* of all sets in order */
    uint32_t dynamic_offset_count;
    const struct pgs_pushed_set *pushed;          /* NULL: no set is pushed */
    const struct pgs_descriptor_buffers *buffers; /* NULL: no set is in one */
};

/* Finds the sets that the shaders of a stage group of the pipeline see, given what the application
 * bound. Lives in the arena. Errors: out of host or device memory. */
VkResult pgs_draw_sets_find(struct pgs_arena *arena, struct pgs_device *dev,
                            const struct pgs_emulated_pipeline *pipeline,
                            const struct pgs_graphics_state *state, enum pgs_stage_group group,
                            const struct pgs_draw_sets **found);

/* Both may be NULL. */
bool pgs_draw_sets_match(const struct pgs_draw_sets *a, const struct pgs_draw_sets *b);

/* All but the descriptor buffers. */
void pgs_draw_sets_bind(const struct pgs_draw_sets *sets, VkPipelineBindPoint point,
                        const struct pgs_device_dispatch *vk, VkCommandBuffer cb);

#endif
