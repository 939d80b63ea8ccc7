/* SPDX-License-Identifier: MIT
 *
 * Multiview: cb->graphics.view_count of the current subpass, and in cb->pass.next_views the view
 * masks of the later ones.
 */
#ifndef PGS_COMMAND_STATE_VIEWS_H
#define PGS_COMMAND_STATE_VIEWS_H

#include "command/state/buffer.h"

/* Sets view_masks of a render pass that is created from `info`. NULL: no views. */
VkResult pgs_views_keep(const VkRenderPassCreateInfo *info, struct pgs_render_pass *pass);
VkResult pgs_views_keep2(const VkRenderPassCreateInfo2 *info, struct pgs_render_pass *pass);

/* Call it when a subpass begins, in an instance or a secondary. `pass`: what is kept of its render
 * pass, or NULL. */
void pgs_views_begin(struct pgs_command_buffer *cb, const struct pgs_render_pass *pass,
                     uint32_t subpass);
/* Likewise where it is known that the instance has none, and that something else has changed the
 * state. */
static inline void pgs_views_begin_none(struct pgs_command_buffer *cb)
{
    cb->graphics.view_count = 0;
    cb->pass.next_views = NULL;
}
void pgs_views_begin_rendering(struct pgs_command_buffer *cb, uint32_t view_mask);
void pgs_views_inherit(struct pgs_command_buffer *cb,
                       const VkCommandBufferInheritanceInfo *inherited); /* NULL: no views */

void pgs_views_next_subpass(struct pgs_command_buffer *cb);

/* Number of queries that a query begun in the pass takes. Only their sum is defined. */
uint32_t pgs_views_query_count(const struct pgs_command_buffer *cb);

#endif
