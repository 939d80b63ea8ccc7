/* SPDX-License-Identifier: MIT
 *
 * Push descriptors on drivers that have none: each push gets a set of its own, with what was pushed
 * before and is still valid, from pools that live as long as the commands. To all else it is a set
 * that the application has bound.
 */
#ifndef PGS_PIPELINE_KEPT_PUSHES_H
#define PGS_PIPELINE_KEPT_PUSHES_H

#include "base/array.h"
#include "pipeline/pushed_set.h"

/* Draws, dispatches and rays. */
enum { PGS_KEPT_POINTS = 3 };

/* Of a command buffer. Zero-initialised: nothing is pushed. */
struct pgs_kept_pushes {
    PGS_ARRAY(VkDescriptorPool) pools; /* owned */
    size_t full;                       /* pools from the first one on that have no room */
    struct {
        VkPipelineLayout layout; /* of the last push; VK_NULL_HANDLE: there was none */
        struct pgs_pushed_set set;
    } points[PGS_KEPT_POINTS];
};

/* Makes *set, to be bound for the bind point at pushed->index. It may be changed no more. Errors:
 * out of host or device memory. */
VkResult pgs_kept_pushes_add(struct pgs_kept_pushes *kept, struct pgs_device *dev,
                             VkPipelineBindPoint point, VkPipelineLayout layout,
                             const struct pgs_pushed_set *pushed, VkDescriptorSet *set);

/* The GPU must be done with the sets. The pools stay. */
void pgs_kept_pushes_reset(struct pgs_kept_pushes *kept, struct pgs_device *dev);
void pgs_kept_pushes_finish(struct pgs_kept_pushes *kept, struct pgs_device *dev);

#endif
