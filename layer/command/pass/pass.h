/* SPDX-License-Identifier: MIT
 *
 * A render pass instance. It is queued if a draw in it could need emulation, then recorded after
 * the compute work of those draws.
 */
#ifndef PGS_COMMAND_PASS_PASS_H
#define PGS_COMMAND_PASS_PASS_H

#include "command/state/buffer.h"

/* Starts queueing, unless nothing is likely to be emulated and the pass could be resumed otherwise
 * (`unqueued`: see resumable.h and quiet.h). `kept`: what is kept of its render pass, or NULL. */
void pgs_pass_begin(struct pgs_command_buffer *cb, const struct pgs_render_pass *kept,
                    bool unqueued);

/* Call it before a query of the driver begins in the pass. If the pass is not queued, what follows
 * is: pgs_pass_split can then end the pass in front of the query. */
void pgs_pass_hold(struct pgs_command_buffer *cb);

/* Call it if a held pass was not split, and its last query has ended: the driver gets what was
 * queued, and what follows goes straight to it. */
void pgs_pass_release(struct pgs_command_buffer *cb);

/* The batch for the next emulated draw of the pass. NULL: out of memory, which is latched. */
struct pgs_batch *pgs_pass_batch(struct pgs_command_buffer *cb);

/* Starts a new batch: later draws may depend on what earlier ones wrote. */
void pgs_pass_split_batch(struct pgs_command_buffer *cb);

/* Fails the command buffer if the queue cannot be replayed correctly. False: it has failed, now or
 * before. */
bool pgs_pass_check(struct pgs_command_buffer *cb);

/* Closes its batches for further draws. */
void pgs_pass_seal(struct pgs_command_buffer *cb);

/* Records the compute work of the pass and then its queue. */
void pgs_pass_flush(struct pgs_command_buffer *cb);

/* True: the pass is not queued, and pgs_pass_flush has nothing to do. False means nothing. */
static inline bool pgs_pass_end_unqueued(struct pgs_command_buffer *cb)
{
    if (cb->pass.state != PGS_PASS_UNQUEUED || cb->recorder.queue)
        return false;
    cb->pass.state = PGS_PASS_NONE;
    return true;
}

#endif
