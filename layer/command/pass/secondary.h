/* SPDX-License-Identifier: MIT
 *
 * Execution of secondaries by a primary.
 */
#ifndef PGS_COMMAND_PASS_SECONDARY_H
#define PGS_COMMAND_PASS_SECONDARY_H

#include "command/state/buffer.h"

/* Executes secondaries: outside of a pass, in an unqueued pass, or queued. The caller then forgets
 * the tracked state. */
void pgs_secondaries_execute(struct pgs_command_buffer *cb, uint32_t count,
                             const VkCommandBuffer *handles);

#endif
