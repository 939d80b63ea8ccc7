/* SPDX-License-Identifier: MIT
 *
 * Instances of render passes that are ended early and gone on with: when, and what it takes.
 */
#ifndef PGS_COMMAND_SPLIT_H
#define PGS_COMMAND_SPLIT_H

#include "command/state/buffer.h"

/* Notes how an instance began, where it may have to be ended early. */
void pgs_split_note_render_pass(struct pgs_command_buffer *cb, enum pgs_begin kind,
                                const VkRenderPassBeginInfo *info, VkSubpassContents contents);
void pgs_split_note_rendering(struct pgs_command_buffer *cb, const VkRenderingInfo *info);

/* The first geometry shader of the device came to be while this pass was recorded directly: ends
 * the instance, and begins it again, queued, with what it has drawn so far. Where that cannot be
 * done the command buffer fails, and the rest of the pass is dropped. */
void pgs_pass_split(struct pgs_command_buffer *cb);

/* The compute work that follows must not be done before what is queued so far: records that, and
 * goes on as pgs_pass_split does; a secondary gets another part (parts.h). Where that cannot be
 * done it is said what follows (`why`), and nothing changes. */
void pgs_pass_part(struct pgs_command_buffer *cb, const char *why);

/* Makes what pgs_pass_split needs of a render pass that was just created from `info`: sets again or
 * obstacle. */
VkResult pgs_render_pass_prepare(struct pgs_device *dev, const VkRenderPassCreateInfo *info,
                                 struct pgs_render_pass *pass);
VkResult pgs_render_pass_prepare2(struct pgs_device *dev, const VkRenderPassCreateInfo2 *info,
                                  struct pgs_render_pass *pass);

/* Of an attachment of that format. */
VkImageAspectFlags pgs_format_aspects(VkFormat format);

/* Whether an attachment still has its contents after the instance. aspect: one bit. */
bool pgs_attachment_stays(VkAttachmentLoadOp load, VkAttachmentStoreOp store, VkImageLayout layout,
                          VkImageAspectFlagBits aspect);

#endif
