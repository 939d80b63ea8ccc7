/* SPDX-License-Identifier: MIT
 *
 * Buffers next to memory that nobody may access (VK_EXT_external_memory_host): a driver that runs
 * on the CPU faults where it reads or writes beyond their end.
 */
#ifndef PGS_TESTS_GPU_GUARD_MEMORY_H
#define PGS_TESTS_GPU_GUARD_MEMORY_H

#include "common/vkt.h"

enum guard_side { GUARD_END, GUARD_BEGIN }; /* where the buffer meets such memory */

/* What lavapipe demands. SwiftShader wants 256 of some buffers, and does not need it. */
enum { GUARD_ALIGN_B = 64 };

/* The device has VK_EXT_external_memory_host enabled. Filled with `fill`; lives until vkt_finish.
 * size_B: a multiple of GUARD_ALIGN_B. */
struct vkt_buffer guard_buffer(struct vkt *t, VkDeviceSize size_B, VkBufferUsageFlags usage,
                               uint8_t fill, enum guard_side side);

#endif
