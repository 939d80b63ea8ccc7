/* SPDX-License-Identifier: MIT */
#include "draw/bound_sets.h"

#include "pipeline/descriptor_buffers.h"

const struct pgs_bound_sets *pgs_bound_sets_copy(struct pgs_arena *arena,
                                                 const struct pgs_graphics_state *state)
{
    uint32_t count = PGS_MAX_SETS;
    while (count && !state->sets[count - 1])
        count--;
    struct pgs_bound_sets *made = pgs_arena_alloc(
        arena, sizeof(*made) + count * sizeof(made->sets[0]), _Alignof(struct pgs_bound_sets));
    if (!made)
        return NULL;
    made->count = count;
    made->pushed = NULL;
    for (uint32_t i = 0; i < count; i++) {
        struct pgs_bound_set *bound = &made->sets[i];
        bound->layout = state->sets[i] ? state->set_layouts[i] : VK_NULL_HANDLE;
        bound->set = state->sets[i];
        bound->order = state->set_orders[i];
        bound->offset_count = state->dynamic_count[i];
        bound->offsets = NULL;
        if (bound->offset_count)
            bound->offsets =
                pgs_arena_copy(arena, state->dynamic_offsets[i].items, bound->offset_count,
                               sizeof(bound->offsets[0]), _Alignof(uint32_t));
        if (bound->offset_count && !bound->offsets)
            return NULL;
        if (bound->set != PGS_PUSHED_SET)
            continue;
        made->pushed = pgs_pushed_set_keep(arena, state->pushed);
        if (!made->pushed)
            return NULL;
    }
    return made;
}

/* Sets of one vkCmdBindDescriptorSets may have the same order; they are bound by index. There are
 * few sets, so a linear search for the next will do. */
void pgs_bound_sets_restore(const struct pgs_bound_set *sets, uint32_t count,
                            const struct pgs_pushed_set *pushed, VkPipelineBindPoint point,
                            const struct pgs_device_dispatch *vk, VkCommandBuffer cb)
{
    bool done[PGS_MAX_SETS] = {false};
    for (;;) {
        uint32_t next = PGS_MAX_SETS;
        for (uint32_t i = 0; i < count; i++)
            if (sets[i].layout && !done[i] &&
                (next == PGS_MAX_SETS || sets[i].order < sets[next].order))
                next = i;
        if (next == PGS_MAX_SETS)
            return;
        if (sets[next].set == PGS_PUSHED_SET)
            pgs_pushed_set_record(pushed, point, sets[next].layout, vk, cb);
        else
            pgs_tracked_set_bind(sets[next].set, point, sets[next].layout, next,
                                 sets[next].offset_count, sets[next].offsets, vk, cb);
        done[next] = true;
    }
}
