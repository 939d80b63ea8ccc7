/* SPDX-License-Identifier: MIT
 *
 * The allocator of a command buffer: linear, over chunks of the device's heap, or parts of what
 * command buffers have in common, which it returns at reset. Not thread-safe; these are.
 */
#ifndef PGS_MEMORY_LINEAR_H
#define PGS_MEMORY_LINEAR_H

#include "memory/commons.h"

struct pgs_linear;

VkResult pgs_linear_create(struct pgs_device *dev, enum pgs_memory_kind kind,
                           struct pgs_linear **linear);
void pgs_linear_destroy(struct pgs_linear *linear); /* NULL is fine */

/* From now on it takes parts of the commons in place of chunks of its own. Call it before it has
 * any. NULL: it does not. */
void pgs_linear_share(struct pgs_linear *linear, struct pgs_commons *commons);
bool pgs_linear_is_shared(const struct pgs_linear *linear);

/* The range lives until the next rewind or reset. align_B: a power of two. Errors: out of host or
 * device memory; logs them. */
VkResult pgs_linear_alloc(struct pgs_linear *linear, VkDeviceSize size_B, VkDeviceSize align_B,
                          struct pgs_range *range);

/* Like pgs_linear_alloc, but takes nothing beyond limit and budget (PGS_NEED_SOME of heap.h), and
 * does not log errors. */
VkResult pgs_linear_try(struct pgs_linear *linear, VkDeviceSize size_B, VkDeviceSize align_B,
                        struct pgs_range *range);

/* Like pgs_linear_alloc, but does not log that there is none. */
VkResult pgs_linear_insist(struct pgs_linear *linear, VkDeviceSize size_B, VkDeviceSize align_B,
                           struct pgs_range *range);

/* A place in a linear: the end of what is taken, rounded up. */
struct pgs_linear_mark {
    size_t chunk;
    VkDeviceSize used_B; /* of that chunk */
};
struct pgs_linear_mark pgs_linear_mark(const struct pgs_linear *linear, VkDeviceSize align_B);

/* All that was taken since the mark, with the mark's alignment or a greater one, as one range.
 * False: it lies in several chunks, or nothing was taken. */
bool pgs_linear_since(const struct pgs_linear *linear, const struct pgs_linear_mark *mark,
                      struct pgs_range *range);

/* Sees to it that so much of the commons can be taken in one piece, if limit and budget allow it:
 * several that are taken one by one then have one part. Without commons nothing happens. */
void pgs_linear_prepare(struct pgs_linear *linear, VkDeviceSize size_B);

/* Makes the range longer, in place. False, and nothing changes: something was taken behind it, or
 * the chunk ends. */
bool pgs_linear_grow(struct pgs_linear *linear, struct pgs_range *range, VkDeviceSize size_B);

/* Bytes of all its chunks, used or not; of these what is still to be used, maybe in pieces. */
VkDeviceSize pgs_linear_held_B(const struct pgs_linear *linear);
VkDeviceSize pgs_linear_left_B(const struct pgs_linear *linear);
/* Of the former those that are its own; and these with all of its commons. */
VkDeviceSize pgs_linear_own_B(const struct pgs_linear *linear);
VkDeviceSize pgs_linear_within_reach_B(const struct pgs_linear *linear);

void pgs_linear_rewind(struct pgs_linear *linear); /* reuses the chunks from the start */
void pgs_linear_reset(struct pgs_linear *linear);  /* returns the chunks to the heap */
/* As pgs_linear_reset, but keeps what it would take again if as much is taken as since the last
 * one. Call pgs_linear_give_unused when it is known that no more is taken. */
void pgs_linear_restart(struct pgs_linear *linear);
void pgs_linear_give_unused(struct pgs_linear *linear); /* all, if nothing was taken since */

#endif
