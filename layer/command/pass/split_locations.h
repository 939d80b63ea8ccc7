/* SPDX-License-Identifier: MIT
 *
 * VK_EXT_sample_locations: a driver may need the locations with which depth was drawn where a
 * render pass changes the layout of its attachment. Parts of an instance run subpasses in which
 * nothing is drawn, so they begin with other locations than the whole.
 */
#ifndef PGS_COMMAND_PASS_SPLIT_LOCATIONS_H
#define PGS_COMMAND_PASS_SPLIT_LOCATIONS_H

#include "base/arena.h"
#include "command/pass/split_render_pass.h"

/* The structure for a part that draws in subpasses `first` to `last`: where the depth attachment of
 * an earlier or later one keeps its contents, it says the locations of those. `resumed`: the
 * attachments begin with what the part before has left. `whole` is the application's, and must
 * outlive the result, which is in the arena, without a chain. NULL: out of memory. */
VkRenderPassSampleLocationsBeginInfoEXT *
pgs_split_locations(struct pgs_arena *arena, const VkRenderPassSampleLocationsBeginInfoEXT *whole,
                    const struct pgs_split_pass *pass, bool resumed, uint32_t first, uint32_t last);

/* True if an instance that was begun with `whole` can be ended in the subpass: the later ones,
 * which are then empty, have the locations of what is in their attachments. */
bool pgs_split_locations_stay(const VkRenderPassSampleLocationsBeginInfoEXT *whole,
                              const struct pgs_split_pass *pass, uint32_t subpass);

#endif
