/* SPDX-License-Identifier: MIT
 *
 * A device with memory, for tests of memory/ and draw/, which include it once, after cmocka.h. Of
 * its memory types only the second is mapped. A buffer's handle is also its address.
 */
#ifndef PGS_TEST_FAKE_HEAP_H
#define PGS_TEST_FAKE_HEAP_H

#include "fake_memory.h"
#include "memory/heap.h"
#include "vulkan/device.h"

static struct pgs_physical_device fake_physical = {.memory = FAKE_MEMORY_TYPES};
static struct pgs_device fake_device = {
    .physical = &fake_physical,
    .active = true,
    .vk = {FAKE_MEMORY_DISPATCH},
};

/* What cmocka wants of a set-up, 0 or not. */
static inline int open_heap(void)
{
    fakes_reset(32);
    fake_memories = (struct fake_memories){0};
    return pgs_heap_create(&fake_device);
}

/* Likewise of a tear-down: 0 if nothing is left. */
static inline int close_heap(void)
{
    pgs_heap_destroy(&fake_device);
    return fakes_alive() || pgs_alloc_live();
}

#endif
