/* SPDX-License-Identifier: MIT
 *
 * Layered renderings that are suspended and resumed.
 */
#ifndef PGS_COMMAND_FB_LAYERS_FB_LAYER_CHAIN_H
#define PGS_COMMAND_FB_LAYERS_FB_LAYER_CHAIN_H

#include "vulkan/device.h"

struct pgs_command_buffer;

/* Returns what begins in place of a layered rendering that is part of a chain, in scratch memory;
 * other renderings are returned unchanged. Records a barrier before one that resumes. */
const VkRenderingInfo *pgs_fb_layers_unchain(struct pgs_command_buffer *cb,
                                             const VkRenderingInfo *info);

#endif
