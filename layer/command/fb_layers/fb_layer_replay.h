/* SPDX-License-Identifier: MIT
 *
 * The commands of a pass as they are recorded for one layer of it.
 */
#ifndef PGS_COMMAND_FB_LAYERS_FB_LAYER_REPLAY_H
#define PGS_COMMAND_FB_LAYERS_FB_LAYER_REPLAY_H

#include "vulkan/device.h"

/* Overrides the commands that are something else for one layer of a pass; the others are vk's. */
void pgs_fb_layer_dispatch_init(struct pgs_device_dispatch *layer_vk,
                                const struct pgs_device_dispatch *vk);

#endif
