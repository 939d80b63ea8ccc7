/* SPDX-License-Identifier: MIT
 *
 * Memory of such a device, and queries of its own. To be included by one file of a program, after
 * fake_objects.h.
 */
#ifndef FAKE_MEMORY_H
#define FAKE_MEMORY_H

#include "draw/query_pool.h"
#include "fake_device.h"
#include "fake_objects.h"

/* Before `dev` is filled in. 0 or -1. */
static inline int prepare_memory(void)
{
    next_handle = 0x1000;
    device_memory = aligned_alloc(256, 1 << 20);
    if (!device_memory)
        return -1;
    memset(device_memory, 0xa5, 1 << 20);
    physical = (struct pgs_physical_device){
        .emulates = true,
        .emulates_xfb = true,
        .memory = {.memoryTypeCount = 1,
                   .memoryTypes = {{.propertyFlags = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                                     VK_MEMORY_PROPERTY_HOST_COHERENT_BIT}}},
    };
    return 0;
}

/* Of a device that is open; and to be closed when nothing uses them. */
static inline int open_memory(void)
{
    return pgs_heap_create(&dev) == VK_SUCCESS && pgs_query_device_create(&dev) == VK_SUCCESS ? 0
                                                                                              : -1;
}

/* 0: nothing is left. */
static inline int close_memory(void)
{
    pgs_query_device_destroy(&dev);
    pgs_heap_destroy(&dev);
    free(device_memory);
    return live_buffers || live_memories || live_fences;
}

#endif
