/* SPDX-License-Identifier: MIT
 *
 * What of the application's lies where on device memory. Internal to memory/.
 */
#ifndef PGS_MEMORY_BOUND_H
#define PGS_MEMORY_BOUND_H

#include "base/map.h"
#include "memory/memory.h"

#include <stdatomic.h>

/* A buffer or an image. What the binding tells is there once `memory` is. */
struct pgs_bound {
    VkDeviceSize size_B;
    VkBufferUsageFlags usage; /* as the application asked; see pgs_image_note */
    bool anywhere;            /* sparse or in pieces: what it lies on may change until it is used */
    VkDeviceSize offset_B;
    _Atomic uint64_t memory; /* VkDeviceMemory; 0: not bound yet */
};

/* Bytes of memory that a range of one of them lies on. */
struct pgs_bytes {
    bool anywhere;   /* could be any */
    uint64_t memory; /* 0: none */
    VkDeviceSize begin_B, end_B;
};

struct pgs_buffer_table {
    struct pgs_map map;    /* VkBuffer -> struct buffer, which begins with a struct pgs_bound */
    struct pgs_map images; /* VkImage -> struct pgs_bound; where transform feedback is ours */
    VkDeviceSize max_buffer_size_B;
    _Atomic VkDeviceSize largest_feedback_B;
};

void pgs_bound_to(struct pgs_bound *bound, VkDeviceMemory memory, VkDeviceSize offset_B);

/* Ends with it. */
struct pgs_bytes pgs_bytes_of(const struct pgs_bound *bound, VkDeviceSize offset_B,
                              VkDeviceSize size_B);

/* Could they share one? */
bool pgs_bytes_meet(const struct pgs_bytes *a, const struct pgs_bytes *b);

#endif
