/* SPDX-License-Identifier: MIT */
#include "draw/descriptors.h"

static struct pgs_draw_sets *sets_new(struct pgs_arena *arena,
                                      const struct pgs_emulated_pipeline *pipeline,
                                      const struct pgs_graphics_state *state)
{
    const uint32_t count = pgs_layout_set_count(pipeline->layout);
    uint32_t offset_count = 0;
    for (uint32_t i = 0; i < count; i++)
        offset_count += state->dynamic_count[i];
    struct pgs_draw_sets *made =
        pgs_arena_alloc(arena, sizeof(*made), _Alignof(struct pgs_draw_sets));
    VkDescriptorSet *sets =
        pgs_arena_alloc(arena, count * sizeof(*sets), _Alignof(VkDescriptorSet));
    uint32_t *numbers =
        pgs_arena_alloc(arena, (count + offset_count) * sizeof(*numbers), _Alignof(uint32_t));
    if (!made || !sets || !numbers)
        return NULL;
    *made = (struct pgs_draw_sets){
        .count = count,
        .sets = sets,
        .dynamic_counts = numbers,
        .dynamic_offsets = numbers + count,
    };
    return made;
}

/* Finds one set, which is compatible with the pipeline's layout. */
static VkResult find_set(struct pgs_arena *arena, struct pgs_device *dev, struct pgs_layout *layout,
                         const struct pgs_graphics_state *state, enum pgs_stage_group group,
                         uint32_t i, struct pgs_draw_sets *made)
{
    if (state->sets[i] == PGS_PUSHED_SET)
        return pgs_layout_find_pushed(layout, group, state->pushed, arena, &made->pushed);
    const VkResult result =
        pgs_layout_find_set(dev, layout, group, i, state->sets[i], &made->sets[i]);
    if (result == VK_SUCCESS && made->sets[i])
        made->dynamic_counts[i] = pgs_layout_take_offsets(
            layout, group, i, state->dynamic_offsets[i].items, state->dynamic_count[i],
            made->dynamic_offsets + made->dynamic_offset_count);
    return result;
}

/* Pushed sets may need one as well. */
static VkResult keep_buffers(struct pgs_arena *arena, const struct pgs_graphics_state *state,
                             struct pgs_draw_sets *made)
{
    bool wanted = made->pushed;
    for (uint32_t i = 0; i < made->count; i++)
        wanted |= made->sets[i] == PGS_BUFFER_SET;
    if (!wanted || !state->descriptor_buffers || !state->descriptor_buffers->count)
        return VK_SUCCESS;
    made->buffers = pgs_descriptor_buffers_keep(arena, state->descriptor_buffers);
    return made->buffers ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VkResult pgs_draw_sets_find(struct pgs_arena *arena, struct pgs_device *dev,
                            const struct pgs_emulated_pipeline *pipeline,
                            const struct pgs_graphics_state *state, enum pgs_stage_group group,
                            const struct pgs_draw_sets **found)
{
    struct pgs_draw_sets *made = sets_new(arena, pipeline, state);
    if (!made)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    made->layout = pgs_layout_of_group(pipeline->layout, group);
    for (uint32_t i = 0; i < made->count; i++) {
        made->sets[i] = VK_NULL_HANDLE;
        made->dynamic_counts[i] = 0;
        if (!state->sets[i] || !pgs_layout_takes(dev, pipeline->layout, i, state->set_layouts[i]))
            continue;
        const VkResult result = find_set(arena, dev, pipeline->layout, state, group, i, made);
        if (result != VK_SUCCESS)
            return result;
        made->dynamic_offset_count += made->dynamic_counts[i];
    }
    *found = made;
    return keep_buffers(arena, state, made);
}

bool pgs_draw_sets_match(const struct pgs_draw_sets *a, const struct pgs_draw_sets *b)
{
    if (a == b)
        return true;
    if (!a || !b || a->layout != b->layout || a->dynamic_offset_count != b->dynamic_offset_count)
        return false;
    for (uint32_t i = 0; i < b->count; i++)
        if (a->sets[i] != b->sets[i])
            return false;
    for (uint32_t i = 0; i < b->dynamic_offset_count; i++)
        if (a->dynamic_offsets[i] != b->dynamic_offsets[i])
            return false;
    return pgs_descriptor_buffers_match(a->buffers, b->buffers) &&
           pgs_pushed_sets_match(a->pushed, b->pushed);
}

/* Skips sets that the application never bound: its shaders do not use them. */
void pgs_draw_sets_bind(const struct pgs_draw_sets *sets, VkPipelineBindPoint point,
                        const struct pgs_device_dispatch *vk, VkCommandBuffer cb)
{
    const uint32_t *offsets = sets->dynamic_offsets;
    for (uint32_t i = 0; i < sets->count; i++) {
        if (sets->sets[i])
            pgs_tracked_set_bind(sets->sets[i], point, sets->layout, i, sets->dynamic_counts[i],
                                 offsets, vk, cb);
        offsets += sets->dynamic_counts[i];
    }
    if (sets->pushed)
        pgs_pushed_set_record(sets->pushed, point, sets->layout, vk, cb);
}
