/* SPDX-License-Identifier: MIT
 *
 * Renderings that are suspended and resumed.
 */
#ifndef PGS_COMMAND_PASS_CHAIN_H
#define PGS_COMMAND_PASS_CHAIN_H

#include "vulkan/device.h"

struct pgs_command_buffer;

/* Returns what begins in place of a rendering that is part of a chain, in scratch memory: all but
 * the last one store their attachments, all but the first load them, and the last one resolves.
 * Other renderings are returned unchanged. Records a barrier before one that resumes. Out of memory
 * is latched. */
const VkRenderingInfo *pgs_rendering_unchain(struct pgs_command_buffer *cb,
                                             const VkRenderingInfo *info);

#endif
