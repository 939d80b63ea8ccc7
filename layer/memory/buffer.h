/* SPDX-License-Identifier: MIT
 *
 * Buffers of the application.
 */
#ifndef PGS_MEMORY_BUFFER_H
#define PGS_MEMORY_BUFFER_H

#include "vulkan/device.h"

struct pgs_buffer_info {
    VkDeviceSize size_B;
    VkDeviceAddress address;  /* 0: not known (no memory bound yet, or no address usage) */
    VkBufferUsageFlags usage; /* as the application asked */
};

/* False if the buffer is not known. Thread-safe. */
bool pgs_buffer_lookup(struct pgs_device *dev, VkBuffer handle, struct pgs_buffer_info *info);

/* Size of the largest buffer ever created that transform feedback can capture to. No counter
 * exceeds it. Thread-safe. */
VkDeviceSize pgs_buffer_largest_xfb_B(struct pgs_device *dev);

/* Sets dev->buffers. Out of host memory leaves it NULL. */
VkResult pgs_buffer_table_create(struct pgs_device *dev);

void pgs_buffer_table_destroy(struct pgs_device *dev);

#endif
