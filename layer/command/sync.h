/* SPDX-License-Identifier: MIT
 *
 * What the application believes about synchronisation, carried over to the compute work of the
 * layer: masks widened on copies of the application's structs.
 */
#ifndef PGS_COMMAND_SYNC_H
#define PGS_COMMAND_SYNC_H

#include "base/arena.h"
#include "vulkan/device.h"

/* The dependencies of a render pass from outside that its stages before the rasterizer wait for, in
 * one barrier. The compute work is done before the pass, where they do not reach. */
struct pgs_pass_sync {
    VkPipelineStageFlags2 source_stages; /* 0: nothing to wait for */
    VkAccessFlags2 source_access, access;
};

/* The barrier from sync's stages to compute shaders. */
void pgs_pass_sync_record(const struct pgs_pass_sync *sync, const struct pgs_device *dev,
                          VkCommandBuffer cb);

/* The arrays of a barrier or wait of Vulkan 1.0. */
struct pgs_barriers {
    VkPipelineStageFlags source, target;
    uint32_t memory_count, buffer_count, image_count;
    const VkMemoryBarrier *memory;
    const VkBufferMemoryBarrier *buffer;
    const VkImageMemoryBarrier *image;
};

/* Widens stages and accesses; the arrays are copied where they change. Out of host memory leaves
 * *barriers as it was.
 */
VkResult pgs_barriers_widen(struct pgs_barriers *barriers, struct pgs_arena *arena);

/* The same for the structs of synchronization2. in_pass: only graphics stages are legal there. The
 * result lives in the arena; NULL when out of host memory. */
const VkDependencyInfo *pgs_dependencies_widen(const VkDependencyInfo *infos, uint32_t count,
                                               bool in_pass, struct pgs_arena *arena);

/* Could a draw after such a barrier read in its stages before the rasterizer what an earlier one
 * wrote there? */
bool pgs_stages_link_draws(VkPipelineStageFlags2 source, VkPipelineStageFlags2 target);

/* Masks of one moved or not moved command. */
VkPipelineStageFlags2 pgs_stages_outside(VkPipelineStageFlags2 stages);
VkPipelineStageFlags2 pgs_stages_inside(VkPipelineStageFlags2 stages);

#endif
