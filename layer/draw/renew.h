/* SPDX-License-Identifier: MIT
 *
 * Draws like one of an earlier pass, or of what the command buffer was recorded with before: most
 * frames draw what the last one drew. Such a draw is not planned anew but a copy of the earlier one
 * (repeat.h), if the plan would be the same. Internal to draw/.
 */
#ifndef PGS_DRAW_RENEW_H
#define PGS_DRAW_RENEW_H

#include "draw/repeat.h"

/* The command buffer is reset, and the arena with it: keeps what copies of the draw need. */
void pgs_renew_keep(struct pgs_repeat *repeat);

/* Call it for a call that does not match (pgs_repeat_matches). True in *renewed: it does now, for
 * its plan would be that of the draw, or one of another size. Errors: out of host or device
 * memory. */
VkResult pgs_renew(struct pgs_repeat *repeat, const struct pgs_graphics_state *state,
                   const struct pgs_draw_call *call, struct pgs_batch_memory *memory,
                   bool *renewed);

#endif
