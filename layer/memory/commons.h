/* SPDX-License-Identifier: MIT
 *
 * Scratch that command buffers have in common because they cannot run at the same time: the
 * primaries of a queue family of which the device has one queue. Each that writes to it has a
 * barrier in front, which orders it behind all that was submitted before. Thread-safe.
 */
#ifndef PGS_MEMORY_COMMONS_H
#define PGS_MEMORY_COMMONS_H

#include "memory/heap.h"

struct pgs_commons;

/* Sets dev->commons, one for each family of `info` with one queue. Takes no device memory yet. Out
 * of host memory leaves it NULL. Destroy it after all linears, before the heap. */
VkResult pgs_commons_create(struct pgs_device *dev, const VkDeviceCreateInfo *info);
void pgs_commons_destroy(struct pgs_device *dev);

/* NULL: command buffers of the family could run at the same time, on several queues. */
struct pgs_commons *pgs_commons_of(const struct pgs_device *dev, uint32_t family);

/* Takes a part of at least size_B (not 0) beside those in `held`, which the taker has already: the
 * largest that is not far larger than anybody needs, or a new one, as pgs_heap_take. Errors: out of
 * host or device memory. */
VkResult pgs_commons_take(struct pgs_commons *commons, VkDeviceSize size_B, enum pgs_need need,
                          const struct pgs_chunk *held, size_t held_count, struct pgs_chunk *chunk);

/* The GPU must be done with what the taker used it for. The last one returns it to the heap. */
void pgs_commons_give(struct pgs_commons *commons, const struct pgs_chunk *chunk);

/* Bytes of all parts; of one `commons`, or of all of the device. */
uint64_t pgs_commons_held_B(const struct pgs_commons *commons);
uint64_t pgs_commons_all_B(const struct pgs_device *dev);

#endif
