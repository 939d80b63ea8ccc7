/* SPDX-License-Identifier: MIT */
#include "memory/usage.h"

VkBufferUsageFlags pgs_buffer_usage(VkBufferUsageFlags usage, bool widened, bool xfb)
{
    VkBufferUsageFlags driver = usage;
    if (usage & PGS_XFB_USAGE) {
        driver &= ~(VkBufferUsageFlags)PGS_XFB_USAGE;
        driver |= VK_BUFFER_USAGE_STORAGE_BUFFER_BIT; /* the driver requires at least one */
    }
    /* Copies of query results keep some words of the target, so they read it first. */
    if (widened && xfb && (usage & VK_BUFFER_USAGE_TRANSFER_DST_BIT))
        driver |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    if (widened && (usage & PGS_DRAW_USAGE))
        driver |= VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    return driver;
}
