/* SPDX-License-Identifier: MIT
 *
 * A pool and a command buffer of such a device. To be included, after cmocka.h, by one file of a
 * program.
 */
#ifndef FAKE_RECORDING_H
#define FAKE_RECORDING_H

#include "base/alloc.h"
#include "fake_device.h"

static VkCommandPool pool;
static VkCommandBuffer cmd;

static inline VkCommandBuffer new_buffer(VkCommandBufferLevel level)
{
    const VkCommandBuffer cb = new_buffer_of(pool, level);
    assert_non_null(cb);
    return cb;
}

/* As open_device. */
static inline int open_commands(void)
{
    if (open_device() != 0)
        return -1;
    pool = new_pool();
    cmd = pool ? new_buffer_of(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY) : NULL;
    return cmd ? 0 : -1;
}

/* 0: no memory of the layer is left, which holds where the test has freed its own. */
static inline int close_commands(void)
{
    drop(pool, cmd);
    close_device();
    return pgs_alloc_live() != 0;
}

#endif
