/* SPDX-License-Identifier: MIT
 *
 * Multiview: cb->graphics.view_count of the subpass that is being recorded, and, in
 * cb->pass.next_views, the view masks of the subpasses behind it.
 */
#ifndef PGS_COMMAND_STATE_VIEWS_H
#define PGS_COMMAND_STATE_VIEWS_H

#include "vulkan/device.h"

struct pgs_command_buffer;
struct pgs_render_pass;

/* Sets view_masks of a render pass that is created from `info`; NULL: it has no views, or the
 * device counts no queries. */
VkResult pgs_views_keep(const struct pgs_device *dev, const VkRenderPassCreateInfo *info,
                        struct pgs_render_pass *pass);
VkResult pgs_views_keep2(const struct pgs_device *dev, const VkRenderPassCreateInfo2 *info,
                         struct pgs_render_pass *pass);

/* A subpass begins, of an instance or in a secondary. */
void pgs_views_begin(struct pgs_command_buffer *cb, VkRenderPass render_pass, uint32_t subpass);
void pgs_views_begin_rendering(struct pgs_command_buffer *cb, uint32_t view_mask);
void pgs_views_inherit(struct pgs_command_buffer *cb,
                       const VkCommandBufferInheritanceInfo *inherited); /* NULL: no views */

void pgs_views_next_subpass(struct pgs_command_buffer *cb);

/* How many queries one takes that begins in the pass: only their sum means something. */
uint32_t pgs_views_query_count(const struct pgs_command_buffer *cb);

#endif
