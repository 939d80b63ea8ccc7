/* SPDX-License-Identifier: MIT
 *
 * Draws that are done in rounds: a part of the draw for whose worst case there is memory, then the
 * next one, which uses the same memory. Each has a render pass instance of its own, so command/
 * ends the pass in between. Internal to draw/, except struct pgs_rounds (draw.h).
 *
 * That is for tessellated draws that would be lost without memory (how much others need is found
 * out: they are drawn in a slower way at first), and for draws without tessellation that would
 * store more than the layer may take. Of those the first part counts what the draw has but once.
 *
 * Of an indirect draw that would be lost without memory nobody knows how many rounds it takes. So
 * as many are recorded as it may need, the GPU shares the draw out among them (kernel
 * indirect_round, of patches indirect_patches and tess_round), and the last ones may be empty. What
 * it needed is read afterwards, and later ones have as many as four times that needs.
 */
#ifndef PGS_DRAW_ROUNDS_H
#define PGS_DRAW_ROUNDS_H

#include "draw/compute.h"

/* The pool of a draw that takes from one: its memory holds the worst case, or the draw can do
 * without, or it is too small. `batch`: only a name. Errors: out of host or device memory. */
VkResult pgs_rounds_pool(struct pgs_batch_memory *memory, const void *batch,
                         const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                         struct pgs_draw *draw);

/* False: the draw needs no rounds, whatever its plan is. Quick. */
bool pgs_rounds_may_need(const struct pgs_batch_memory *memory, const struct pgs_device *dev,
                         const struct pgs_emulated_pipeline *pipeline,
                         const struct pgs_draw_call *call);

/* Finds the rounds of a draw that is planned as a whole, without tessellation as if there were
 * memory for it. Leaves *rounds as it is if the draw needs none. Errors: out of host or device
 * memory. */
VkResult pgs_rounds_find(struct pgs_batch_memory *memory, struct pgs_device *dev,
                         const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                         const struct pgs_draw_plan *plan, struct pgs_rounds *rounds);

/* Call it when the GPU is done with all draws of the memory: notes what those in rounds needed. */
void pgs_rounds_read(struct pgs_batch_memory *memory, struct pgs_device *dev);

#endif
