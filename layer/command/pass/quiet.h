/* SPDX-License-Identifier: MIT
 *
 * Which passes are not queued. Before the device knows a geometry shader those are all that can be
 * ended and resumed. Later it is quiet ones: passes in which nothing has been emulated for a while.
 * They cost what the driver's cost. If something is to be emulated in one after all, it is ended
 * and resumed (pgs_pass_split), and then it is queued for long.
 */
#ifndef PGS_COMMAND_PASS_QUIET_H
#define PGS_COMMAND_PASS_QUIET_H

#include "command/state/buffer.h"

/* A device is made. */
void pgs_quiet_init(struct pgs_command_device *device);

/* The pass of a primary begins. True: the driver may have its commands at once, since it could be
 * ended and resumed, and if it is quiet with nothing lost. Which pass it is, the render pass and
 * the framebuffer say, or the views of its attachments. `kept`: what is kept of the render pass. */
bool pgs_render_pass_is_unqueued(struct pgs_command_buffer *cb, const struct pgs_render_pass *kept,
                                 const VkRenderPassBeginInfo *info);
bool pgs_rendering_is_unqueued(struct pgs_command_buffer *cb, const VkRenderingInfo *info);

/* A queued pass ends. `emulated`: it had work of the layer. */
void pgs_quiet_end(struct pgs_command_buffer *cb, bool emulated);

/* A pass is ended and resumed that was not queued. */
void pgs_quiet_broken(struct pgs_command_buffer *cb);

#endif
