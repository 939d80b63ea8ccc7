/* SPDX-License-Identifier: MIT
 *
 * Conditional rendering around an early end of a pass.
 */
#ifndef PGS_COMMAND_PASS_PAUSED_CONDITION_H
#define PGS_COMMAND_PASS_PAUSED_CONDITION_H

#include "command/state/buffer.h"

/* One that began in the pass, which is about to be ended early: ends there, and begins again where
 * the pass goes on. Its buffer may not change in between. */
struct pgs_condition pgs_condition_pause(struct pgs_command_buffer *cb);
void pgs_condition_unpause(struct pgs_command_buffer *cb, const struct pgs_condition *paused);

#endif
