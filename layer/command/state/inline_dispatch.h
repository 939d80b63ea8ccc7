/* SPDX-License-Identifier: MIT
 *
 * The dispatch table that replays a pass with secondaries.
 */
#ifndef PGS_COMMAND_STATE_INLINE_DISPATCH_H
#define PGS_COMMAND_STATE_INLINE_DISPATCH_H

#include "vulkan/device.h"

/* Overrides the commands of inline_vk in struct pgs_command_device. */
void pgs_inline_dispatch_init(struct pgs_device_dispatch *inline_vk,
                              const struct pgs_device_dispatch *vk);

#endif
