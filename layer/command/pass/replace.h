/* SPDX-License-Identifier: MIT
 *
 * Draws that the layer does in place of the driver's.
 */
#ifndef PGS_COMMAND_PASS_REPLACE_H
#define PGS_COMMAND_PASS_REPLACE_H

#include "command/state/buffer.h"

/* Adds a draw to the batch of the pass. NULL: nothing to replay, or an error is latched. */
struct pgs_replacement *pgs_pass_add_draw(struct pgs_command_buffer *cb,
                                          const struct pgs_draw_call *call);

/* As pgs_pass_add_draw, for a draw of an emulated pipeline; also queues its replacement. */
void pgs_pass_replace_draw(struct pgs_command_buffer *cb, const struct pgs_draw_call *call);

#endif
