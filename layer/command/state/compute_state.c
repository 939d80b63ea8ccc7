/* SPDX-License-Identifier: MIT */
#include "command/state/compute_state.h"

#include "pipeline/layout.h"

#include <string.h>

void pgs_compute_state_finish(struct pgs_compute_state *state)
{
    pgs_binds_finish(&state->binds);
    pgs_binds_finish(&state->binds_before);
    pgs_pushed_set_finish(&state->pushed);
    pgs_pushed_set_finish(&state->pushed_before);
    pgs_array_finish(&state->pushes.ranges);
    pgs_array_finish(&state->pushes_before.ranges);
    pgs_array_finish(&state->graphics_sets_before);
}

void pgs_binds_finish(struct pgs_compute_binds *binds)
{
    pgs_dynamic_offsets_finish(binds->offsets, PGS_MAX_SETS);
}

void pgs_binds_forget(struct pgs_compute_binds *binds)
{
    for (uint32_t i = 0; i < binds->set_count; i++)
        binds->sets[i].layout = VK_NULL_HANDLE;
    binds->pipeline = VK_NULL_HANDLE;
    binds->shader = VK_NULL_HANDLE;
    binds->set_count = 0;
    binds->order = 0;
}

static void forget_again(struct pgs_compute_state *state)
{
    for (uint32_t i = 0; i < PGS_PUSHES_AGAIN; i++) {
        state->again[i].layout = VK_NULL_HANDLE;
        state->again[i].size_B = 0;
    }
}

/* Adds a push that is not in the list. The first place is for the latest push of the usual kind. */
static void note_again(struct pgs_compute_state *state, struct pgs_push_again again)
{
    if (again.size_B == PGS_USUAL_PUSH_B && again.stages == again.driver_stages) {
        const struct pgs_push_again before = state->again[0];
        state->again[0] = again;
        again = before;
    }
    if (!again.size_B)
        return;
    state->again[1 + state->next_again] = again;
    state->next_again = (state->next_again + 1) % (PGS_PUSHES_AGAIN - 1);
}

void pgs_compute_state_reset(struct pgs_compute_state *state)
{
    pgs_compute_state_end_pass(state);
    pgs_binds_forget(&state->binds);
    state->pushes.ranges.count = 0;
    state->buffers.count = 0;
    forget_again(state);
}

/* Those that vkCmdBindDescriptorBuffersEXT makes invalid. */
static VkResult keep_graphics_sets(struct pgs_compute_state *state,
                                   const struct pgs_graphics_state *graphics)
{
    state->graphics_sets_before.count = 0;
    for (uint32_t i = 0; i < PGS_MAX_SETS && state->buffers.count; i++) {
        struct pgs_bound_set bound = {.layout = VK_NULL_HANDLE};
        if (graphics->sets[i] == PGS_BUFFER_SET) {
            bound.layout = graphics->set_layouts[i];
            bound.set = graphics->sets[i];
            bound.order = graphics->set_orders[i];
            bound.offset_count = PGS_BUFFER_SET_WORDS;
            bound.offsets = state->graphics_words_before[i];
            memcpy(state->graphics_words_before[i], graphics->dynamic_offsets[i].items,
                   sizeof(state->graphics_words_before[i]));
        }
        if (!pgs_array_push(&state->graphics_sets_before, bound)) {
            state->graphics_sets_before.count = 0;
            return VK_ERROR_OUT_OF_HOST_MEMORY;
        }
    }
    return VK_SUCCESS;
}

VkResult pgs_compute_state_begin_pass(struct pgs_compute_state *state,
                                      const struct pgs_graphics_state *graphics)
{
    state->in_pass = true;
    state->binds_differ = state->pushed_differs = state->pushes_differ = false;
    forget_again(state);
    state->buffers_before.count = 0;
    if (state->buffers.count)
        state->buffers_before = state->buffers;
    return keep_graphics_sets(state, graphics);
}

void pgs_compute_state_end_pass(struct pgs_compute_state *state)
{
    state->in_pass = false;
    state->binds_differ = state->pushed_differs = state->pushes_differ = false;
}

/* Copies the state at its first change within a pass; most passes change nothing. */
static VkResult before_bind(struct pgs_compute_state *state)
{
    const struct pgs_compute_binds *from = &state->binds;
    struct pgs_compute_binds *to = &state->binds_before;
    if (!state->in_pass || state->binds_differ)
        return VK_SUCCESS;
    to->pipeline = from->pipeline;
    to->shader = from->shader;
    to->set_count = from->set_count;
    to->order = from->order;
    for (uint32_t i = 0; i < from->set_count; i++) {
        const struct pgs_bound_set *set = &from->sets[i];
        to->sets[i] = *set;
        if (!set->layout)
            continue;
        if (!pgs_dynamic_offsets_set(&to->offsets[i], set->offset_count, set->offsets))
            return VK_ERROR_OUT_OF_HOST_MEMORY;
        to->sets[i].offsets = to->offsets[i].items;
    }
    state->binds_differ = true;
    return VK_SUCCESS;
}

/* True if the new push overwrites the old one entirely. */
static bool covers(const struct pgs_pushed_range *range, const struct pgs_pushed_range *old)
{
    return !(old->stages & ~range->stages) && old->offset_B >= range->offset_B &&
           old->offset_B + old->size_B <= range->offset_B + range->size_B;
}

static VkResult before_push(struct pgs_compute_state *state)
{
    if (!state->in_pass || state->pushes_differ)
        return VK_SUCCESS;
    struct pgs_pushes *to = &state->pushes_before;
    const size_t count = state->pushes.ranges.count;
    to->ranges.count = 0;
    if (count && !pgs_array_reserve(&to->ranges, count))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (count)
        memcpy(to->ranges.items, state->pushes.ranges.items, count * sizeof(*to->ranges.items));
    to->ranges.count = count;
    memcpy(to->words, state->pushes.words, sizeof(to->words));
    memcpy(state->graphics_push_before, state->graphics_push, sizeof(state->graphics_push_before));
    state->pushes_differ = true;
    return VK_SUCCESS;
}

VkResult pgs_compute_state_forget(struct pgs_compute_state *state)
{
    VkResult result = before_bind(state);
    if (result == VK_SUCCESS)
        result = before_push(state);
    pgs_binds_forget(&state->binds);
    state->pushes.ranges.count = 0;
    state->buffers.count = 0;
    forget_again(state);
    return result;
}

VkResult pgs_compute_state_bind_pipeline(struct pgs_compute_state *state, VkPipeline pipeline)
{
    const VkResult result = before_bind(state);
    state->binds.pipeline = pipeline;
    state->binds.shader = VK_NULL_HANDLE;
    return result;
}

VkResult pgs_compute_state_bind_shader(struct pgs_compute_state *state, pgs_shader_handle shader)
{
    const VkResult result = before_bind(state);
    state->binds.pipeline = VK_NULL_HANDLE;
    state->binds.shader = shader;
    return result;
}

VkResult pgs_binds_note(struct pgs_compute_binds *binds, VkPipelineLayout layout, uint32_t index,
                        VkDescriptorSet set, uint32_t offset_count, const uint32_t *offsets)
{
    struct pgs_bound_set *bound = &binds->sets[index];
    for (; binds->set_count <= index; binds->set_count++)
        binds->sets[binds->set_count].layout = VK_NULL_HANDLE;
    bound->layout = VK_NULL_HANDLE;
    if (!pgs_dynamic_offsets_set(&binds->offsets[index], offset_count, offsets))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    bound->layout = layout;
    bound->set = set;
    bound->order = binds->order++;
    bound->offset_count = offset_count;
    bound->offsets = binds->offsets[index].items;
    return VK_SUCCESS;
}

VkResult pgs_compute_state_bind_set(struct pgs_compute_state *state, VkPipelineLayout layout,
                                    uint32_t index, VkDescriptorSet set, uint32_t offset_count,
                                    const uint32_t *offsets)
{
    const VkResult result = before_bind(state);
    if (result != VK_SUCCESS)
        return result;
    return pgs_binds_note(&state->binds, layout, index, set, offset_count, offsets);
}

VkResult pgs_compute_state_bind_buffers(struct pgs_compute_state *state,
                                        const struct pgs_descriptor_buffers *buffers)
{
    const VkResult result = before_bind(state);
    state->buffers = *buffers;
    for (uint32_t i = 0; i < state->binds.set_count; i++)
        if (state->binds.sets[i].set == PGS_BUFFER_SET)
            state->binds.sets[i].layout = VK_NULL_HANDLE;
    return result;
}

VkResult pgs_binds_push(struct pgs_compute_binds *binds, struct pgs_pushed_set *pushed,
                        const struct pgs_device *dev, VkPipelineLayout layout,
                        const struct pgs_pushed_set *writes)
{
    struct pgs_bound_set *last = &binds->sets[pushed->index];
    const bool valid =
        pushed->index < binds->set_count && last->layout && last->set == PGS_PUSHED_SET;
    if (!valid || pushed->index != writes->index ||
        !pgs_layouts_share_set(dev, last->layout, layout, writes->index)) {
        if (valid)
            last->layout = VK_NULL_HANDLE;
        pushed->descriptors.count = 0;
        pushed->index = writes->index;
    }
    const VkResult result = pgs_binds_note(binds, layout, writes->index, PGS_PUSHED_SET, 0, NULL);
    return result == VK_SUCCESS ? pgs_pushed_set_write(pushed, writes) : result;
}

VkResult pgs_compute_state_push_set(struct pgs_compute_state *state, const struct pgs_device *dev,
                                    VkPipelineLayout layout, const struct pgs_pushed_set *writes)
{
    VkResult result = before_bind(state);
    if (result != VK_SUCCESS)
        return result;
    if (state->in_pass && !state->pushed_differs) {
        result = pgs_pushed_set_copy(&state->pushed_before, &state->pushed);
        if (result != VK_SUCCESS)
            return result;
        state->pushed_differs = true;
    }
    return pgs_binds_push(&state->binds, &state->pushed, dev, layout, writes);
}

/* True if both are alike and overlap or adjoin, so that one push can redo both. */
static bool joins(const struct pgs_pushed_range *a, const struct pgs_pushed_range *b)
{
    return a->layout == b->layout && a->stages == b->stages && a->graphics == b->graphics &&
           a->offset_B <= b->offset_B + b->size_B && b->offset_B <= a->offset_B + a->size_B;
}

static VkResult note_range(struct pgs_pushes *pushes, const struct pgs_pushed_range *range)
{
    struct pgs_pushed_range joined = *range;
    size_t kept = 0;
    for (size_t i = 0; i < pushes->ranges.count; i++) {
        const struct pgs_pushed_range old = pushes->ranges.items[i];
        if (covers(range, &old))
            continue;
        if (!joins(&joined, &old)) {
            pushes->ranges.items[kept++] = old;
            continue;
        }
        const uint32_t end_a = joined.offset_B + joined.size_B, end_b = old.offset_B + old.size_B;
        joined.offset_B = joined.offset_B < old.offset_B ? joined.offset_B : old.offset_B;
        joined.size_B = (end_a > end_b ? end_a : end_b) - joined.offset_B;
    }
    pushes->ranges.count = kept;
    return pgs_array_push(&pushes->ranges, joined) ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

static bool is_apart(const struct pgs_pushed_range *a, const struct pgs_pushed_range *b)
{
    return a->offset_B >= b->offset_B + b->size_B || b->offset_B >= a->offset_B + a->size_B;
}

/* True if only the values differ: an equal range already holds these bytes, and no other range
 * does. Other noted pushes stay valid, so several can alternate. */
static bool is_noted(const struct pgs_pushes *pushes, const struct pgs_pushed_range *range)
{
    bool found = false;
    for (size_t i = 0; i < pushes->ranges.count; i++) {
        const struct pgs_pushed_range *old = &pushes->ranges.items[i];
        if (is_apart(range, old))
            continue;
        if (old->offset_B > range->offset_B ||
            old->offset_B + old->size_B < range->offset_B + range->size_B || !joins(old, range))
            return false;
        found = true;
    }
    return found;
}

VkResult pgs_compute_state_push(struct pgs_compute_state *state,
                                const struct pgs_pushed_range *range, VkShaderStageFlags stages,
                                const void *bytes)
{
    if (range->offset_B > PGS_MAX_PUSH_B || range->size_B > PGS_MAX_PUSH_B - range->offset_B)
        return VK_SUCCESS;
    VkResult result = before_push(state);
    if (result == VK_SUCCESS && range->stages && !is_noted(&state->pushes, range)) {
        forget_again(state);
        result = note_range(&state->pushes, range);
    }
    if (result != VK_SUCCESS)
        return result;
    char *to = (char *)(range->graphics ? state->graphics_push : state->pushes.words);
    memcpy(to + range->offset_B, bytes, range->size_B);
    if (range->stages)
        note_again(state, (struct pgs_push_again){
                              .layout = range->layout,
                              .stages = stages,
                              .driver_stages = range->stages,
                              .offset_B = range->offset_B,
                              .size_B = range->size_B,
                              .bytes = to + range->offset_B,
                          });
    return VK_SUCCESS;
}

void pgs_compute_state_restore(const struct pgs_compute_state *state,
                               const struct pgs_device_dispatch *vk, VkCommandBuffer cb)
{
    const struct pgs_compute_binds *binds =
        state->binds_differ ? &state->binds_before : &state->binds;
    const struct pgs_pushed_set *pushed =
        state->pushed_differs ? &state->pushed_before : &state->pushed;
    const struct pgs_pushes *pushes = state->pushes_differ ? &state->pushes_before : &state->pushes;
    const uint32_t *graphics =
        state->pushes_differ ? state->graphics_push_before : state->graphics_push;
    if (state->in_pass && state->buffers_before.count) { /* only draws bind others */
        pgs_descriptor_buffers_bind(&state->buffers_before, vk, cb);
        pgs_bound_sets_restore(state->graphics_sets_before.items,
                               (uint32_t)state->graphics_sets_before.count, NULL,
                               VK_PIPELINE_BIND_POINT_GRAPHICS, vk, cb);
    }
    if (binds->pipeline)
        vk->CmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_COMPUTE, binds->pipeline);
#ifdef VK_EXT_shader_object
    const VkShaderStageFlagBits compute = VK_SHADER_STAGE_COMPUTE_BIT;
    if (binds->shader)
        vk->CmdBindShadersEXT(cb, 1, &compute, &binds->shader);
#endif
    pgs_bound_sets_restore(binds->sets, binds->set_count, pushed, VK_PIPELINE_BIND_POINT_COMPUTE,
                           vk, cb);
    for (size_t i = 0; i < pushes->ranges.count; i++) {
        const struct pgs_pushed_range *range = &pushes->ranges.items[i];
        vk->CmdPushConstants(cb, range->layout, range->stages, range->offset_B, range->size_B,
                             (const char *)(range->graphics ? graphics : pushes->words) +
                                 range->offset_B);
    }
}
