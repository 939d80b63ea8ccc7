/* SPDX-License-Identifier: MIT
 *
 * cb->pass.target: what pipelines that stand in for shader objects must know of the attachments.
 * Nothing is noted on devices without shader objects.
 */
#ifndef PGS_COMMAND_STATE_TARGET_H
#define PGS_COMMAND_STATE_TARGET_H

#include "command/state/buffer.h"

/* Errors: out of host memory. Thread-safe. */
VkResult pgs_target_note_view(struct pgs_device *dev, VkImageView view, VkFormat format);
void pgs_target_forget_view(struct pgs_device *dev, VkImageView view);

/* Call it when an instance of dynamic rendering begins. */
void pgs_target_begin(struct pgs_command_buffer *cb, const VkRenderingInfo *info);

/* Call it instead when a secondary begins that continues an instance, with its inheritance or
 * NULL. */
void pgs_target_inherit(struct pgs_command_buffer *cb, const VkCommandBufferInheritanceInfo *info);

/* The target with what is mapped now, into zeroed memory. */
void pgs_target_read(const struct pgs_command_buffer *cb, struct pgs_object_target *target);

#endif
