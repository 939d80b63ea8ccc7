/* SPDX-License-Identifier: MIT
 *
 * What command buffers draw from: a linear allocator over blocks that it takes from the device's
 * heap and gives back at reset. Not thread-safe; the heap behind it is.
 */
#ifndef PGS_MEMORY_LINEAR_H
#define PGS_MEMORY_LINEAR_H

#include "memory/heap.h"

struct pgs_linear;

VkResult pgs_linear_create(struct pgs_device *dev, enum pgs_memory_kind kind,
                           struct pgs_linear **linear);
void pgs_linear_destroy(struct pgs_linear *linear); /* NULL is fine */

/* The range lives until the next rewind or reset. align_B: a power of two. Errors: out of host or
 * device memory, with a line in the log. */
VkResult pgs_linear_alloc(struct pgs_linear *linear, VkDeviceSize size_B, VkDeviceSize align_B,
                          struct pgs_range *range);

/* Without a line in the log where there is no memory. */
VkResult pgs_linear_try(struct pgs_linear *linear, VkDeviceSize size_B, VkDeviceSize align_B,
                        struct pgs_range *range);

/* All its blocks' parts, used or not. */
VkDeviceSize pgs_linear_held_B(const struct pgs_linear *linear);

void pgs_linear_rewind(struct pgs_linear *linear); /* reuse the blocks from the start, keep them */
void pgs_linear_reset(struct pgs_linear *linear);  /* give the blocks back to the heap */

#endif
