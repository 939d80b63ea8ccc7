/* SPDX-License-Identifier: MIT
 *
 * VK_KHR_dynamic_rendering_local_read: which attachments fragment shaders write by which location,
 * and read by which index. Every vkCmdBeginRendering resets that, so an instance that the layer
 * resumes has to set it again.
 */
#ifndef PGS_COMMAND_PASS_LOCAL_READ_H
#define PGS_COMMAND_PASS_LOCAL_READ_H

#include "command/state/buffer.h"

/* Call it when an instance of dynamic rendering begins. color_count: its color attachments. Frees
 * the copies in cb->begun. */
void pgs_local_read_begin(struct pgs_command_buffer *cb, uint32_t color_count);

/* Call it instead when a secondary begins that continues an instance, with its inheritance or NULL.
 * Out of memory is latched. */
void pgs_local_read_inherit(struct pgs_command_buffer *cb,
                            const VkCommandBufferInheritanceInfo *info);

/* Emits what the application has set in this instance, if anything. */
void pgs_local_read_set_again(struct pgs_command_buffer *cb);

/* Call it after a secondary whose commands are replayed in place: emits what was set before it, if
 * the secondary changed that. */
void pgs_local_read_restore(struct pgs_command_buffer *cb,
                            const struct pgs_command_buffer *secondary);

#ifdef VK_KHR_dynamic_rendering_local_read
/* Notes what a command sets; out of memory is latched. */
void pgs_local_read_note_locations(struct pgs_command_buffer *cb,
                                   const VkRenderingAttachmentLocationInfoKHR *info);
void pgs_local_read_note_indices(struct pgs_command_buffer *cb,
                                 const VkRenderingInputAttachmentIndexInfoKHR *info);
#endif

#endif
