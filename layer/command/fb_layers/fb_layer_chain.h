/* SPDX-License-Identifier: MIT
 *
 * Renderings of several layers that are suspended and resumed.
 */
#ifndef PGS_COMMAND_FB_LAYERS_FB_LAYER_CHAIN_H
#define PGS_COMMAND_FB_LAYERS_FB_LAYER_CHAIN_H

#include "vulkan/device.h"

struct pgs_command_buffer;

/* What begins in place of a rendering of several layers that is part of a chain, in
 * scratch memory; before it resumes one, the barrier is recorded. Others stay. */
const VkRenderingInfo *pgs_fb_layers_unchain(struct pgs_command_buffer *cb,
                                             const VkRenderingInfo *info);

#endif
