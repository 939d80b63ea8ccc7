/* SPDX-License-Identifier: MIT
 *
 * Draws that the layer does in place of the driver's.
 */
#ifndef PGS_COMMAND_PASS_REPLACE_H
#define PGS_COMMAND_PASS_REPLACE_H

#include "command/pass/hazards.h"
#include "command/state/buffer.h"

/* Adds a draw to the batch of the pass. NULL: nothing to replay, or an error is latched. */
struct pgs_replacement *pgs_pass_add_draw(struct pgs_command_buffer *cb,
                                          const struct pgs_draw_call *call);

/* As pgs_pass_add_draw, for a draw of an emulated pipeline; also queues its replacement. */
void pgs_pass_replace_draw(struct pgs_command_buffer *cb, const struct pgs_draw_call *call);

/* Queues an indirect draw of the driver with a count that the driver cannot read. */
void pgs_pass_replace_draw_count(struct pgs_command_buffer *cb, const struct pgs_draw_call *call);

/* True if nothing has been queued since the last replacement, which may draw the next draw, too, as
 * it does those of most loops. */
static inline bool pgs_pass_goes_on(const struct pgs_command_buffer *cb)
{
    return cb->pass.replaced_to && cb->recorder.queue && !cb->objects.active &&
           pgs_queue_end(cb->recorder.queue) == cb->pass.replaced_to && cb->pass.open_batch;
}

/* True: the draw was added as one that differs from the last replaced one in what is bound and
 * pushed. Call it if pgs_pass_goes_on. */
bool pgs_pass_replace_changed(struct pgs_command_buffer *cb, const struct pgs_direct_call *call);

/* True: the draw of an emulated pipeline was added to an earlier one of the pass. Otherwise use
 * pgs_pass_replace_draw. */
bool pgs_pass_replace_back(struct pgs_command_buffer *cb, const struct pgs_direct_call *call);

/* A draw was added to the last replacement. */
static inline void pgs_pass_went_on(struct pgs_command_buffer *cb)
{
    if (cb->pass.replaced_shades)
        pgs_reads_note_draw(cb);
}

#endif
