/* SPDX-License-Identifier: MIT
 *
 * Secondaries that cannot be drawn in one go: what comes behind in them must not be computed
 * before what comes first is drawn. The pass that executes one ends there, too, and goes on
 * (pgs_pass_begin_segment).
 */
#ifndef PGS_COMMAND_PASS_SEGMENTS_H
#define PGS_COMMAND_PASS_SEGMENTS_H

#include "command/state/buffer.h"

/* A segment behind the first one, whose commands are the command buffer's own queue. */
struct pgs_pass_segment {
    struct pgs_queue queue;
    size_t first_batch; /* of pass.batches; those of the segment before end there */
};

/* Of a secondary that continues a pass: what follows is a segment of its own. NULL, or what is in
 * the way. Out of memory is latched. */
const char *pgs_segments_begin(struct pgs_command_buffer *cb);

/* One behind the last of the batches of the first segment, 0, or of a later one. */
size_t pgs_segments_batch_end(const struct pgs_command_buffer *secondary, size_t segment);

/* Emits what a segment behind the first one does, 1 or more. */
void pgs_segments_emit(struct pgs_command_buffer *cb, const struct pgs_command_buffer *secondary,
                       size_t segment);

/* Those of an earlier recording are gone. */
void pgs_segments_reset(struct pgs_command_buffer *cb);

#endif
