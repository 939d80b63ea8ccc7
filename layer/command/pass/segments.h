/* SPDX-License-Identifier: MIT
 *
 * Segments of secondaries. A secondary has several if later compute work must wait until earlier
 * draws are done. The executing pass is ended between segments and resumed
 * (pgs_pass_begin_segment).
 */
#ifndef PGS_COMMAND_PASS_SEGMENTS_H
#define PGS_COMMAND_PASS_SEGMENTS_H

#include "command/state/buffer.h"

/* A segment after the first, whose commands are in the command buffer's own queue. */
struct pgs_pass_segment {
    struct pgs_queue queue;
    size_t first_batch; /* index in pass.batches; the previous segment ends there */
    bool for_layers;    /* only queries need it, if the pass is recorded by layer; see
                         * layer_queries.h */
};

/* Starts a new segment in a secondary that continues a pass. Returns NULL, or the reason why that
 * is not possible. Out of memory is latched. */
const char *pgs_segments_begin(struct pgs_command_buffer *cb);

/* End (exclusive) in pass.batches of segment 0, the first, or of a later one. */
size_t pgs_segments_batch_end(const struct pgs_command_buffer *secondary, size_t segment);

/* Emits the commands of segment 1 or later. */
void pgs_segments_emit(struct pgs_command_buffer *cb, const struct pgs_command_buffer *secondary,
                       size_t segment);

/* Drops the segments of an earlier recording. */
void pgs_segments_reset(struct pgs_command_buffer *cb);

#endif
