/* SPDX-License-Identifier: MIT
 *
 * Buffers that draws of a pass read, and that must not be captured to before these draws: those of
 * native draws, and of raster draws that run the application's shaders. For secondaries, what they
 * read and capture to.
 */
#ifndef PGS_COMMAND_PASS_HAZARDS_H
#define PGS_COMMAND_PASS_HAZARDS_H

#include "command/state/buffer.h"

/* Reason for ending a pass early (pgs_pass_begin_segment). */
extern const char pgs_reads_captured_to[];

void pgs_reads_reset(struct pgs_pass *pass);

/* Note reads in a pass that captures may follow: of a buffer, or of everything that a draw has
 * bound, descriptors included. */
void pgs_reads_note_buffer(struct pgs_command_buffer *cb, VkBuffer buffer, VkDeviceSize offset_B,
                           VkDeviceSize size_B);
void pgs_reads_note_bound(struct pgs_command_buffer *cb);

static inline void pgs_reads_note_draw(struct pgs_command_buffer *cb)
{
    cb->pass.drawn = true;
    if (cb->recorder.queue && cb->dev->xfb && !cb->pass.reads_noted)
        pgs_reads_note_bound(cb);
}

/* What follows in a secondary is a new segment (command/pass/segments.h): earlier reads are drawn
 * before later captures. */
void pgs_reads_begin_segment(struct pgs_pass *pass);

/* Notes what the fragment shader of an emulated draw may read in the pass. Only a later subpass may
 * capture to that; pgs_reads_order_fragments says that one begins which does. */
static inline void pgs_reads_note_fragments(struct pgs_command_buffer *cb)
{
    if (cb->dev->xfb)
        cb->pass.fragments_by_usage |=
            cb->set_count ? (VkBufferUsageFlags)PGS_SHADER_USAGE
                          : (VkBufferUsageFlags)VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
}
void pgs_reads_order_fragments(struct pgs_command_buffer *cb);

/* Notes that draws were not noted: they may have read anything. */
void pgs_reads_note_unknown(struct pgs_command_buffer *cb);

/* True if pgs_reads_order was called since the last reset. */
bool pgs_reads_are_ordered(const struct pgs_pass *pass);

/* Notes a barrier that later captures may rely on. */
void pgs_reads_order(struct pgs_pass *pass);

/* True if draws before the last barrier have read the memory of the ranges. For reads through
 * descriptors or pointers, only the usages of buffers and images on that memory tell; if they may
 * be set after recording, it could be any memory. */
bool pgs_reads_are_captured_to(const struct pgs_command_buffer *cb,
                               const struct pgs_xfb_binding ranges[PGS_MAX_XFB_BUFFERS]);

/* As pgs_reads_are_captured_to, for the captures of a secondary that is executed; the second
 * function adds its reads. */
bool pgs_reads_secondary_captures_to(const struct pgs_command_buffer *cb,
                                     const struct pgs_command_buffer *secondary);
void pgs_reads_note_secondary(struct pgs_command_buffer *cb,
                              const struct pgs_command_buffer *secondary);

#endif
