/* SPDX-License-Identifier: MIT
 *
 * Secondaries that a primary executes.
 */
#ifndef PGS_COMMAND_PASS_SECONDARY_H
#define PGS_COMMAND_PASS_SECONDARY_H

#include "command/state/buffer.h"

/* Executes them: outside of a pass, in one that is recorded directly, or queued. The tracked state
 * is for the caller to forget. */
void pgs_secondaries_execute(struct pgs_command_buffer *cb, uint32_t count,
                             const VkCommandBuffer *handles);

#endif
