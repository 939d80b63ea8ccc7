/* SPDX-License-Identifier: MIT
 *
 * Pipeline layouts for tests of the draw module: every stage group sees the application's sets,
 * through the layout FAKE_LAYOUT.
 */
#ifndef PGS_TEST_FAKE_LAYOUT_H
#define PGS_TEST_FAKE_LAYOUT_H

#include "fake_variants.h"

#include <string.h>

#define FAKE_LAYOUT 50

struct pgs_layout {
    uint32_t set_count;
};

uint32_t pgs_layout_set_count(const struct pgs_layout *layout)
{
    return layout->set_count;
}

enum pgs_stage_group pgs_layout_group(const struct pgs_layout *layout, enum pgs_stage_group wanted)
{
    (void)layout, (void)wanted;
    return PGS_GROUP_ALL;
}

VkPipelineLayout pgs_layout_of_group(const struct pgs_layout *layout, enum pgs_stage_group group)
{
    (void)layout, (void)group;
    return (VkPipelineLayout)(uintptr_t)FAKE_LAYOUT;
}

VkPipelineLayout pgs_layout_bound_of_group(const struct pgs_layout *layout,
                                           enum pgs_stage_group group)
{
    (void)layout, (void)group;
    return (VkPipelineLayout)(uintptr_t)(FAKE_LAYOUT + 1);
}

bool pgs_layout_takes(const struct pgs_device *dev, const struct pgs_layout *layout, uint32_t index,
                      VkPipelineLayout bound_for)
{
    (void)dev, (void)layout, (void)index, (void)bound_for;
    return true;
}

VkResult pgs_layout_find_set(struct pgs_device *dev, struct pgs_layout *layout,
                             enum pgs_stage_group group, uint32_t index, VkDescriptorSet set,
                             VkDescriptorSet *found)
{
    (void)dev, (void)layout, (void)group, (void)index;
    *found = set;
    return VK_SUCCESS;
}

VkResult pgs_layout_find_pushed(const struct pgs_layout *layout, enum pgs_stage_group group,
                                const struct pgs_pushed_set *set, struct pgs_arena *arena,
                                const struct pgs_pushed_set **found)
{
    (void)layout, (void)group;
    *found = pgs_pushed_set_keep(arena, set);
    return *found ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

uint32_t pgs_layout_take_offsets(const struct pgs_layout *layout, enum pgs_stage_group group,
                                 uint32_t index, const uint32_t *offsets, uint32_t count,
                                 uint32_t *taken)
{
    (void)layout, (void)group, (void)index;
    if (count)
        memcpy(taken, offsets, count * sizeof(*taken));
    return count;
}

#endif
