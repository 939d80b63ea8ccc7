/* SPDX-License-Identifier: MIT
 *
 * What happens between vkBeginCommandBuffer and vkEndCommandBuffer. The room consists of hooks;
 * entry/ only makes and unmakes it with the device.
 */
#ifndef PGS_COMMAND_COMMAND_H
#define PGS_COMMAND_COMMAND_H

#include "vulkan/device.h"

/* Sets dev->commands; to be called for active devices when the dispatch table is loaded. Out of
 * host memory leaves it NULL. */
VkResult pgs_command_room_create(struct pgs_device *dev);

/* Frees what is left of pools that the application did not destroy. dev->commands may be NULL.
 * Before the pipeline and memory rooms go. */
void pgs_command_room_destroy(struct pgs_device *dev);

#endif
