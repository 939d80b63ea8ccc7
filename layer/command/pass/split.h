/* SPDX-License-Identifier: MIT
 *
 * Instances of render passes that are ended early and gone on with: when, and what it takes.
 */
#ifndef PGS_COMMAND_PASS_SPLIT_H
#define PGS_COMMAND_PASS_SPLIT_H

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
 * goes on as pgs_pass_split does; a secondary gets another segment (segments.h). Where that cannot
 * be done it is said what follows (`why`), and nothing changes. */
void pgs_pass_begin_segment(struct pgs_command_buffer *cb, const char *why);

/* The ranges are written for transform feedback from here on: captured to, or a counter is stored.
 * Ends the pass early where it has read what they mean (pgs_reads_are_captured_to); without a
 * barrier since then the application writes elsewhere. */
void pgs_captures_note(struct pgs_command_buffer *cb,
                       const struct pgs_xfb_binding ranges[PGS_MAX_FEEDBACK_BUFFERS]);

#endif
