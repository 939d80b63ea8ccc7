/* SPDX-License-Identifier: MIT
 *
 * How much memory the layer takes of a device.
 */
#ifndef PGS_MEMORY_LIMIT_H
#define PGS_MEMORY_LIMIT_H

#include "vulkan/device.h"

/* Most bytes of all blocks together where the layer can do with less; UINT64_MAX: no limit. By the
 * setting, or where the GPU shares its memory a sixteenth of the heap, 256 MiB at most. */
uint64_t pgs_memory_limit_B(const struct pgs_physical_device *physical);

/* Size of the largest device-local heap, or of the largest one if none is device-local. */
uint64_t pgs_largest_heap_B(const struct pgs_physical_device *physical);

/* What the driver says that the process may still take of the heap; UINT64_MAX: it does not say. */
uint64_t pgs_memory_budget_B(const struct pgs_physical_device *physical, uint32_t heap);

#endif
