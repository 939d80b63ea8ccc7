/* SPDX-License-Identifier: MIT
 *
 * Buffers of the application in external memory, which another driver, device or program uses, too.
 */
#ifndef PGS_MEMORY_EXTERNAL_H
#define PGS_MEMORY_EXTERNAL_H

#include "vulkan/device.h"

/* What vkGetPhysicalDeviceExternalBufferProperties answers, by the usage that buffers get from the
 * layer (pgs_buffer_usage), if the driver supports that usage as well as the application's; else by
 * the application's, except for usages of transform feedback, which then nothing supports.
 * Thread-safe. */
void pgs_external_properties(const struct pgs_physical_device *physical,
                             const VkPhysicalDeviceExternalBufferInfo *info,
                             VkExternalBufferProperties *properties);

/* True if a buffer that is created for these kinds of handles, none or more, may have the usage
 * that it gets from the layer. `usage` is the application's. Thread-safe. */
bool pgs_external_takes_usage(const struct pgs_physical_device *physical, VkBufferCreateFlags flags,
                              VkBufferUsageFlags usage, VkExternalMemoryHandleTypeFlags types);

#endif
