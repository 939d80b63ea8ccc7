/* SPDX-License-Identifier: MIT
 *
 * A device with a command module, of tests that call it without a loader. To be included,
 * after cmocka.h, by one file of a program.
 */
#ifndef FAKE_DEVICE_H
#define FAKE_DEVICE_H

#include "command/command.h"
#include "fake_pools.h"
#include "memory/memory.h"
#include "vulkan/device.h"
#include "vulkan/hooks.h"

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
                   pgs_command_device_create(&dev) == VK_SUCCESS
               ? 0
               : -1;
}

static inline void close_device(void)
{
    pgs_command_device_destroy(&dev);
    pgs_buffer_table_destroy(&dev);
    pgs_registry_remove_device(&dev);
}

/* Of threads, too. NULL: it failed. */
static inline VkCommandPool new_pool(void)
{
    const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    VkCommandPool pool = VK_NULL_HANDLE;
    return pgs_CreateCommandPool(dev.handle, &info, NULL, &pool) == VK_SUCCESS ? pool
                                                                               : VK_NULL_HANDLE;
}

static inline VkCommandBuffer new_buffer_of(VkCommandPool pool, VkCommandBufferLevel level)
{
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .level = level,
        .commandBufferCount = 1,
    };
    VkCommandBuffer cb = NULL;
    return pgs_AllocateCommandBuffers(dev.handle, &info, &cb) == VK_SUCCESS ? cb : NULL;
}

static inline void begin(VkCommandBuffer cb, VkCommandBufferUsageFlags flags)
{
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = flags,
    };
    assert_int_equal(pgs_BeginCommandBuffer(cb, &info), VK_SUCCESS);
}

/* The fake's memory is freed by its FreeCommandBuffers only. */
static inline void drop(VkCommandPool pool, VkCommandBuffer cb)
{
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &cb);
    pgs_DestroyCommandPool(dev.handle, pool, NULL);
}

#endif
