/* SPDX-License-Identifier: MIT
 *
 * A device with a command room, a pool and a command buffer, of tests that call the room without a
 * loader. To be included, after cmocka.h, by one file of a program.
 */
#ifndef FAKE_RECORDING_H
#define FAKE_RECORDING_H

#include "command/command.h"
#include "fake_pools.h"
#include "memory/memory.h"
#include "vulkan/hooks.h"
#include "vulkan/registry.h"

static struct fake_object device_object = {&fake_dispatch_key};
static struct pgs_physical_device physical;
static struct pgs_device dev;
static VkCommandPool pool;
static VkCommandBuffer cmd;

static inline VkCommandBuffer new_buffer(VkCommandBufferLevel level)
{
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .level = level,
        .commandBufferCount = 1,
    };
    VkCommandBuffer cb;
    assert_int_equal(pgs_AllocateCommandBuffers(dev.handle, &info, &cb), VK_SUCCESS);
    return cb;
}

/* `dev` is filled in but for its handle. 0, as cmocka wants it, or -1. */
static inline int open_commands(void)
{
    const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    dev.handle = (VkDevice)&device_object;
    dev.physical = &physical;
    if (pgs_registry_add_device(&dev) != VK_SUCCESS ||
        pgs_buffer_table_create(&dev) != VK_SUCCESS ||
        pgs_command_room_create(&dev) != VK_SUCCESS ||
        pgs_CreateCommandPool(dev.handle, &info, NULL, &pool) != VK_SUCCESS)
        return -1;
    cmd = new_buffer(VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    return 0;
}

static inline void close_commands(void)
{
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &cmd);
    pgs_DestroyCommandPool(dev.handle, pool, NULL);
    pgs_command_room_destroy(&dev);
    pgs_buffer_table_destroy(&dev);
    pgs_registry_remove_device(&dev);
}

#endif
