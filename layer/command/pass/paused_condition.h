/* SPDX-License-Identifier: MIT
 *
 * Conditional rendering when a pass is ended early.
 */
#ifndef PGS_COMMAND_PASS_PAUSED_CONDITION_H
#define PGS_COMMAND_PASS_PAUSED_CONDITION_H

#include "command/state/buffer.h"

/* Ends the condition that began in the pass before the pass is ended early, and returns it so that
 * it can begin again when the pass resumes. Its buffer must not change in between. */
struct pgs_condition pgs_condition_pause(struct pgs_command_buffer *cb);
void pgs_condition_unpause(struct pgs_command_buffer *cb, const struct pgs_condition *paused);

#endif
