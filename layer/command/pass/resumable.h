/* SPDX-License-Identifier: MIT
 *
 * Whether the driver may have the commands of a render pass before it is known whether anything is
 * emulated in it: such an instance is ended and resumed if a geometry shader comes to be in it
 * (pgs_pass_split), or between its secondaries. See also quiet.h.
 */
#ifndef PGS_COMMAND_PASS_RESUMABLE_H
#define PGS_COMMAND_PASS_RESUMABLE_H

#include "vulkan/device.h"

struct pgs_render_pass;

/* Notes in a render pass that is complete what the following need to know. */
void pgs_render_pass_note_resumable(struct pgs_render_pass *pass);

/* False: it could not be ended in one of its subpasses, or the driver may forget what was bound in
 * it where it is resumed. Of attachments that are not stored nothing is said. `kept`: what is kept
 * of the render pass. */
bool pgs_render_pass_is_resumable(const struct pgs_render_pass *kept,
                                  const VkRenderPassBeginInfo *info);
bool pgs_rendering_is_resumable(const VkRenderingInfo *info);

/* Likewise the pass that a secondary continues, as far as it knows it: the driver cannot replay
 * what it has itself. */
bool pgs_inherited_pass_is_resumable(const struct pgs_device *dev,
                                     const VkCommandBufferInheritanceInfo *info);

/* True if the instance is resumable and the driver keeps all that is drawn in it. */
bool pgs_render_pass_loses_nothing(const struct pgs_render_pass *kept,
                                   const VkRenderPassBeginInfo *info);
bool pgs_rendering_loses_nothing(const VkRenderingInfo *info);

/* Of that the latter. */
bool pgs_rendering_stores_all(const VkRenderingInfo *info);

#endif
