/* SPDX-License-Identifier: MIT
 *
 * The commands of a pass when it is recorded for one layer.
 */
#ifndef PGS_COMMAND_FB_LAYERS_FB_LAYER_REPLAY_H
#define PGS_COMMAND_FB_LAYERS_FB_LAYER_REPLAY_H

#include "vulkan/device.h"

/* Overrides the commands that differ when one layer is recorded; the others are vk's. */
void pgs_fb_layer_dispatch_init(struct pgs_device_dispatch *layer_vk,
                                const struct pgs_device_dispatch *vk);

#endif
