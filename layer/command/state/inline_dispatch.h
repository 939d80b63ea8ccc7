/* SPDX-License-Identifier: MIT
 *
 * The commands with which a pass that executes secondaries is replayed.
 */
#ifndef PGS_COMMAND_STATE_INLINE_DISPATCH_H
#define PGS_COMMAND_STATE_INLINE_DISPATCH_H

#include "vulkan/device.h"

/* Overrides the commands of room->inline_vk. */
void pgs_inline_dispatch_init(struct pgs_device_dispatch *inline_vk,
                              const struct pgs_device_dispatch *vk);

#endif
