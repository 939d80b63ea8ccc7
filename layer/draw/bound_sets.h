/* SPDX-License-Identifier: MIT
 *
 * Descriptor sets as the application bound them, and how to bind them again. A public header of
 * draw/.
 */
#ifndef PGS_DRAW_BOUND_SETS_H
#define PGS_DRAW_BOUND_SETS_H

#include "base/arena.h"
#include "draw/draw.h"
#include "pipeline/pushed_set.h"

/* A set as the application bound it with vkCmdBindDescriptorSets, or pushed it. */
struct pgs_bound_set {
    VkPipelineLayout layout; /* VK_NULL_HANDLE: not bound */
    VkDescriptorSet set;     /* PGS_PUSHED_SET: pushed; see also descriptor_buffers.h */
    uint32_t order; /* a later bind may clobber earlier ones, so sets are rebound in this order */
    uint32_t offset_count;
    const uint32_t *offsets; /* whoever made this says how long they live */
};

struct pgs_bound_sets {
    uint32_t count;                      /* one more than the highest that is bound */
    const struct pgs_pushed_set *pushed; /* NULL: none */
    struct pgs_bound_set sets[];
};

/* Copies the graphics sets of the application, and their offsets. Lives in the arena. NULL: out of
 * memory. */
const struct pgs_bound_sets *pgs_bound_sets_copy(struct pgs_arena *arena,
                                                 const struct pgs_graphics_state *state);

/* Binds sets [count] of the application again, after binds with another layout, which may have
 * clobbered any of them. `pushed`: the contents of the one that was pushed, if any was. */
void pgs_bound_sets_restore(const struct pgs_bound_set *sets, uint32_t count,
                            const struct pgs_pushed_set *pushed, VkPipelineBindPoint point,
                            const struct pgs_device_dispatch *vk, VkCommandBuffer cb);

#endif
