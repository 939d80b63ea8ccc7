/* SPDX-License-Identifier: MIT
 *
 * What draws of a pass read in it, and must not be captured to before they are drawn: those of
 * the driver's, and those whose raster draw runs the application's shaders. Of secondaries,
 * what they read and capture to.
 */
#ifndef PGS_COMMAND_PASS_HAZARDS_H
#define PGS_COMMAND_PASS_HAZARDS_H

#include "command/state/buffer.h"

/* Why a pass ends early (pgs_pass_begin_segment). */
extern const char pgs_reads_captured_to[];

void pgs_reads_reset(struct pgs_pass *pass);

/* Notes what is read in a pass, where captures may follow in it: from a buffer, or by a draw, all
 * that is bound, descriptors included. */
void pgs_reads_note_buffer(struct pgs_command_buffer *cb, VkBuffer buffer, VkDeviceSize offset_B,
                           VkDeviceSize size_B);
void pgs_reads_note_bound(struct pgs_command_buffer *cb);

static inline void pgs_reads_note_draw(struct pgs_command_buffer *cb)
{
    if (cb->recorder.queue && cb->dev->feedback && !cb->pass.reads_noted)
        pgs_reads_note_bound(cb);
}

/* What follows in a secondary is a segment of its own (command/pass/segments.h): what was read
 * before is drawn before it is captured to. */
void pgs_reads_begin_segment(struct pgs_pass *pass);

/* A barrier that what is captured after it may rely on. */
void pgs_reads_order(struct pgs_pass *pass);

/* Have draws read what the ranges mean, with a barrier since? Of what is read through descriptors
 * or pointers only the usages of buffers and images on that memory tell. */
bool pgs_reads_are_captured_to(const struct pgs_command_buffer *cb,
                               const struct pgs_xfb_binding ranges[PGS_MAX_FEEDBACK_BUFFERS]);

/* The same for what a secondary captures; and what it reads, when it is executed. */
bool pgs_reads_secondary_captures_to(const struct pgs_command_buffer *cb,
                                     const struct pgs_command_buffer *secondary);
void pgs_reads_note_secondary(struct pgs_command_buffer *cb,
                              const struct pgs_command_buffer *secondary);

#endif
