/* SPDX-License-Identifier: MIT
 *
 * Quiet passes: those in which nothing has been emulated for a while. Such a pass is not queued, as
 * if the device knew no geometry shader, and costs what the driver's costs. If something is to be
 * emulated in it after all, it is ended and resumed (pgs_pass_split), and then it is queued for
 * long.
 */
#ifndef PGS_COMMAND_PASS_QUIET_H
#define PGS_COMMAND_PASS_QUIET_H

#include "command/state/buffer.h"

/* The pass of a primary begins. True: it is quiet, and may be ended and resumed with nothing lost.
 * Which pass it is, the render pass and the framebuffer say, or the views of attachments. */
bool pgs_quiet_render_pass(struct pgs_command_buffer *cb, const VkRenderPassBeginInfo *info);
bool pgs_quiet_rendering(struct pgs_command_buffer *cb, const VkRenderingInfo *info);

/* The pass ends. `emulated`: it had work of the layer. */
void pgs_quiet_end(struct pgs_command_buffer *cb, bool emulated);

/* It was not queued, and has to be ended and resumed. */
void pgs_quiet_broken(struct pgs_command_buffer *cb);

#endif
