/* SPDX-License-Identifier: MIT
 *
 * What the application believes about synchronisation, carried over to the compute work of the
 * layer: masks widened on copies of the application's structs.
 */
#ifndef PGS_COMMAND_PASS_SYNC_H
#define PGS_COMMAND_PASS_SYNC_H

#include "base/arena.h"
#include "command/state/pass_state.h"
#include "vulkan/device.h"

/* As one barrier. */
void pgs_dependency_record(const struct pgs_dependency *dependency, const struct pgs_device *dev,
                           VkCommandBuffer cb);

/* The arrays of a barrier or wait of Vulkan 1.0. */
struct pgs_barriers {
    VkPipelineStageFlags source, target;
    uint32_t memory_count, buffer_count, image_count;
    const VkMemoryBarrier *memory;
    const VkBufferMemoryBarrier *buffer;
    const VkImageMemoryBarrier *image;
};

/* Widens stages and accesses; the arrays are copied where they change. in_pass: only graphics
 * stages are legal there. Out of host memory leaves *barriers as it was. */
VkResult pgs_barriers_widen(const struct pgs_device *dev, struct pgs_barriers *barriers,
                            bool in_pass, struct pgs_arena *arena);

/* The same for the structs of synchronization2. The result lives in the arena; NULL when out of
 * host memory. */
const VkDependencyInfo *pgs_dependencies_widen(const struct pgs_device *dev,
                                               const VkDependencyInfo *infos, uint32_t count,
                                               bool in_pass, struct pgs_arena *arena);

/* Could something of these stages be done by compute work of ours? */
bool pgs_stages_move(VkPipelineStageFlags2 stages);

/* Could a draw after such a barrier read in its stages before the rasterizer what an earlier one
 * wrote there? */
bool pgs_stages_link_draws(VkPipelineStageFlags2 source, VkPipelineStageFlags2 target);

#endif
