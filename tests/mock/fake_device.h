/* SPDX-License-Identifier: MIT
 *
 * A device with a command room, of tests that call the room without a loader. To be included by one
 * file of a program.
 */
#ifndef FAKE_DEVICE_H
#define FAKE_DEVICE_H

#include "command/command.h"
#include "fake_pools.h"
#include "memory/memory.h"
#include "vulkan/registry.h"

static struct fake_object device_object = {&fake_dispatch_key};
static struct pgs_physical_device physical;
static struct pgs_device dev;

/* `dev` is filled in but for its handle. 0, as cmocka wants it, or -1. */
static inline int open_device(void)
{
    dev.handle = (VkDevice)&device_object;
    dev.physical = &physical;
    return pgs_registry_add_device(&dev) == VK_SUCCESS &&
                   pgs_buffer_table_create(&dev) == VK_SUCCESS &&
                   pgs_command_room_create(&dev) == VK_SUCCESS
               ? 0
               : -1;
}

static inline void close_device(void)
{
    pgs_command_room_destroy(&dev);
    pgs_buffer_table_destroy(&dev);
    pgs_registry_remove_device(&dev);
}

#endif
