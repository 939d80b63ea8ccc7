/* SPDX-License-Identifier: MIT */
#include "pipeline/bind_sets.h"

#include "pipeline/descriptor_set.h"
#include "pipeline/device.h"
#include "pipeline/layout.h"

#include <stdatomic.h>
#include <string.h>

VkPipelineLayout pgs_layout_handle(const struct pgs_layout *layout)
{
    return layout->handle;
}

uint32_t pgs_layout_set_count(const struct pgs_layout *layout)
{
    return layout->set_count;
}

enum pgs_stage_group pgs_layout_group(const struct pgs_layout *layout, enum pgs_stage_group wanted)
{
    return layout->one_group ? PGS_GROUP_ALL : wanted;
}

VkPipelineLayout pgs_layout_of_group(const struct pgs_layout *layout, enum pgs_stage_group group)
{
    return atomic_load_explicit(&layout->of_group[group], memory_order_acquire);
}

VkPipelineLayout pgs_layout_bound_of_group(const struct pgs_layout *layout,
                                           enum pgs_stage_group group)
{
    return atomic_load_explicit(&layout->bound[group], memory_order_acquire);
}

bool pgs_layout_takes(const struct pgs_device *dev, const struct pgs_layout *layout, uint32_t index,
                      VkPipelineLayout bound_for)
{
    if (bound_for == layout->handle)
        return true;
    const struct pgs_layout *other = pgs_map_find(&dev->pipelines->layouts, (uint64_t)bound_for);
    const struct pgs_set_layout *set =
        other && index < other->set_count ? other->sets[index] : NULL;
    return set && layout->sets[index] && pgs_set_layouts_match(set, layout->sets[index]);
}

VkResult pgs_layout_find_set(struct pgs_device *dev, struct pgs_layout *layout,
                             enum pgs_stage_group group, uint32_t index, VkDescriptorSet set,
                             VkDescriptorSet *found)
{
    *found = VK_NULL_HANDLE;
    if (!set)
        return VK_SUCCESS;
    switch (pgs_layout_source(layout, group, index)) {
    case PGS_SET_NONE:
        return VK_SUCCESS;
    case PGS_SET_APPLICATION:
        *found = set;
        return VK_SUCCESS;
    case PGS_SET_MIRROR:
        break;
    }
    struct pgs_descriptor_set *tracked = pgs_descriptor_set_find(dev, set);
    return tracked ? pgs_mirror_get(dev, tracked, group, found) : VK_SUCCESS;
}

/* Keeps the descriptors of bindings that the group sees. Both lists are ordered by binding. */
static void keep_seen(struct pgs_pushed_set *pushed, const struct pgs_set_layout *set,
                      enum pgs_stage_group group)
{
    size_t kept = 0;
    uint32_t b = 0;
    for (size_t i = 0; i < pushed->descriptors.count; i++) {
        const struct pgs_pushed_descriptor *descriptor = &pushed->descriptors.items[i];
        while (b < set->binding_count && set->bindings[b].binding < descriptor->binding)
            b++;
        if (b < set->binding_count && set->bindings[b].binding == descriptor->binding &&
            pgs_group_sees(group, &set->bindings[b]))
            pushed->descriptors.items[kept++] = *descriptor;
    }
    pushed->descriptors.count = kept;
}

VkResult pgs_layout_find_pushed(const struct pgs_layout *layout, enum pgs_stage_group group,
                                const struct pgs_pushed_set *set, struct pgs_arena *arena,
                                const struct pgs_pushed_set **found)
{
    const enum pgs_set_source source = pgs_layout_source(layout, group, set->index);
    *found = NULL;
    if (source == PGS_SET_NONE)
        return VK_SUCCESS;
    struct pgs_pushed_set *kept = pgs_pushed_set_keep(arena, set);
    if (!kept)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (source == PGS_SET_MIRROR)
        keep_seen(kept, layout->sets[set->index], group);
    *found = kept;
    return VK_SUCCESS;
}

uint32_t pgs_layout_take_offsets(const struct pgs_layout *layout, enum pgs_stage_group group,
                                 uint32_t index, const uint32_t *offsets, uint32_t count,
                                 uint32_t *taken)
{
    const struct pgs_set_layout *set = layout->sets[index];
    const bool all = pgs_layout_source(layout, group, index) == PGS_SET_APPLICATION;
    uint32_t taken_count = 0, next = 0;
    if (all && count)
        memcpy(taken, offsets, count * sizeof(*taken));
    if (all)
        return count;
    for (uint32_t i = 0; i < set->binding_count; i++) {
        const struct pgs_set_binding *binding = &set->bindings[i];
        if (!pgs_binding_is_dynamic(binding))
            continue;
        for (uint32_t e = 0; e < binding->count && next < count; e++, next++)
            if (pgs_group_sees(group, binding))
                taken[taken_count++] = offsets[next];
    }
    return taken_count;
}
