/* SPDX-License-Identifier: MIT
 *
 * Draws that the layer does in the place of the driver.
 */
#ifndef PGS_COMMAND_PASS_REPLACE_H
#define PGS_COMMAND_PASS_REPLACE_H

#include "command/state/buffer.h"

/* Adds a draw to the batch of the pass. NULL: nothing is to be replayed, or an error is latched. */
struct pgs_draw *pgs_pass_add_draw(struct pgs_command_buffer *cb, const struct pgs_draw_call *call);

/* The same for a draw of an emulated pipeline, whose replacement is queued. */
void pgs_pass_replace_draw(struct pgs_command_buffer *cb, const struct pgs_draw_call *call);

#endif
