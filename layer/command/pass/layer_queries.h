/* SPDX-License-Identifier: MIT
 *
 * Queries of the driver in passes that are recorded once for each layer (fb_layers/fb_layers.h). A
 * query begins once, so it has to be around all layers of an instance. It is if all draws of the
 * instance are in it; therefore the pass is ended where a query begins after a draw, and before the
 * first draw behind a query.
 */
#ifndef PGS_COMMAND_PASS_LAYER_QUERIES_H
#define PGS_COMMAND_PASS_LAYER_QUERIES_H

#include "command/state/buffer.h"

void pgs_layer_queries_note_draw(struct pgs_command_buffer *cb);

/* Call it before anything is drawn that may go on in another instance. */
static inline void pgs_layer_queries_before_draw(struct pgs_command_buffer *cb)
{
    if (cb->fb_layers && cb->recorder.queue)
        pgs_layer_queries_note_draw(cb);
}

/* Call them before a query of the driver begins, and after it has ended. `first`: it began where
 * nothing was drawn in the instance, and is not around instances (open_query.h). */
void pgs_layer_queries_before_begin(struct pgs_command_buffer *cb);
void pgs_layer_queries_after_end(struct pgs_command_buffer *cb, bool first);

/* NULL, or the reason why a secondary needs an instance of its own. */
const char *pgs_layer_queries_reason(const struct pgs_command_buffer *cb,
                                     const struct pgs_command_buffer *secondary);

/* A secondary was executed. */
void pgs_layer_queries_note_secondary(struct pgs_command_buffer *cb,
                                      const struct pgs_command_buffer *secondary);

/* Begins the instance, or the segment, that a segment of an executed secondary needs for queries,
 * if the pass is recorded for each layer. */
void pgs_layer_queries_begin_segment(struct pgs_command_buffer *cb);

/* What a secondary inherits. */
void pgs_layer_queries_inherit(struct pgs_command_buffer *cb,
                               const VkCommandBufferInheritanceInfo *info);

#endif
