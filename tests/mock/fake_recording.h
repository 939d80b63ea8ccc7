/* SPDX-License-Identifier: MIT
 *
 * A pool and a command buffer of such a device. To be included, after cmocka.h, by one file of a
 * program.
 */
#ifndef FAKE_RECORDING_H
#define FAKE_RECORDING_H

#include "fake_device.h"
#include "vulkan/hooks.h"

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

/* As open_device. */
static inline int open_commands(void)
{
    const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    if (open_device() != 0 || pgs_CreateCommandPool(dev.handle, &info, NULL, &pool) != VK_SUCCESS)
        return -1;
    cmd = new_buffer(VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    return 0;
}

static inline void close_commands(void)
{
    pgs_FreeCommandBuffers(dev.handle, pool, 1, &cmd);
    pgs_DestroyCommandPool(dev.handle, pool, NULL);
    close_device();
}

#endif
