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

/* Frees also pools that the application did not destroy. dev->commands may be NULL. Call it before
 * pipeline/ and memory/ are destroyed. */
void pgs_command_device_destroy(struct pgs_device *dev);

#endif
