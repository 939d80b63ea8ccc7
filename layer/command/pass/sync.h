/* SPDX-License-Identifier: MIT
 *
 * Extends the application's synchronisation to the layer's compute work, by widening masks in
 * copies of the application's structs.
 */
#ifndef PGS_COMMAND_PASS_SYNC_H
#define PGS_COMMAND_PASS_SYNC_H

#include "base/arena.h"
#include "command/state/pass_state.h"
#include "vulkan/device.h"

/* Records it as one barrier. */
void pgs_dependency_record(const struct pgs_dependency *dependency, const struct pgs_device *dev,
                           VkCommandBuffer cb);

/* The arrays of a Vulkan 1.0 barrier or wait. */
struct pgs_barriers {
    VkPipelineStageFlags source, target;
    uint32_t memory_count, buffer_count, image_count;
    const VkMemoryBarrier *memory;
    const VkBufferMemoryBarrier *buffer;
    const VkImageMemoryBarrier *image;
};

/* Widens stages and accesses; arrays are copied if they change. in_pass: only graphics stages are
 * legal. Out of host memory leaves *barriers as it was. */
VkResult pgs_barriers_widen(const struct pgs_device *dev, struct pgs_barriers *barriers,
                            bool in_pass, struct pgs_arena *arena);

/* As pgs_barriers_widen, for synchronization2. The arena owns the result; NULL: out of host memory.
 */
const VkDependencyInfo *pgs_dependencies_widen(const struct pgs_device *dev,
                                               const VkDependencyInfo *infos, uint32_t count,
                                               bool in_pass, struct pgs_arena *arena);

/* True if the layer's compute work may do part of these stages. */
bool pgs_stages_move(VkPipelineStageFlags2 stages);

/* True if a draw after such a barrier could read, in stages before the rasterizer, what an earlier
 * draw wrote in them. */
bool pgs_stages_link_draws(VkPipelineStageFlags2 source, VkPipelineStageFlags2 target);

#endif
