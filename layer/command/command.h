/* SPDX-License-Identifier: MIT
 *
 * Tracks and records what happens between vkBeginCommandBuffer and vkEndCommandBuffer. Most
 * functions are hooks; entry/ only creates and destroys the per-device state.
 */
#ifndef PGS_COMMAND_COMMAND_H
#define PGS_COMMAND_COMMAND_H

#include "vulkan/device.h"

/* Sets dev->commands. Call it for active devices once the dispatch table is loaded. Out of host
 * memory leaves it NULL. */
VkResult pgs_command_device_create(struct pgs_device *dev);

/* Lets the queues of these families (a mask), of which the device may have several each, take
 * turns; see queue_order.h. Call it after create. Errors: those of vkCreateDevice. */
VkResult pgs_command_device_order(struct pgs_device *dev, const VkDeviceCreateInfo *info,
                                  uint64_t families);

/* Frees also pools that the application did not destroy. dev->commands may be NULL. Call it before
 * pipeline/ and memory/ are destroyed. */
void pgs_command_device_destroy(struct pgs_device *dev);

#endif
