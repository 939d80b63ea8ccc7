/* SPDX-License-Identifier: MIT
 *
 * How many objects of a device were destroyed. What was found of a handle stays true while no
 * object of its type is destroyed; then another one may get the handle. The application orders its
 * destruction, and what it then creates, before it names the new object, so no other order is
 * needed.
 */
#ifndef PGS_VULKAN_DESTROYED_H
#define PGS_VULKAN_DESTROYED_H

#include <stdatomic.h>
#include <stdint.h>

struct pgs_destroyed {
    _Atomic uint32_t pipelines, buffers, render_passes;
};

/* Call it before the driver destroys the object. */
static inline void pgs_note_destroyed(_Atomic uint32_t *count)
{
    atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
}

/* Call it before looking for a handle. */
static inline uint32_t pgs_count_destroyed(const _Atomic uint32_t *count)
{
    return atomic_load_explicit(count, memory_order_relaxed);
}

#endif
