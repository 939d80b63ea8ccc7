/* SPDX-License-Identifier: MIT
 *
 * How much a draw probably takes from its pool, if only the GPU knows. Internal to draw/.
 */
#ifndef PGS_DRAW_PROBABLE_H
#define PGS_DRAW_PROBABLE_H

#include "draw/draw.h"
#include "draw/technique.h"

/* Estimates what a draw with plan->vital_pool takes. By byte count, call->count is the upper bound,
 * and so is the result unless the draw is tessellated. With arguments in a buffer it is what one
 * instance of all indices, or vertices, in the bound buffers takes, and with wanted_B, what earlier
 * draws of the pool take, up to a limit; next to nothing if nothing is bound that says how many
 * there are. */
uint64_t pgs_probable_B(struct pgs_device *dev, const struct pgs_emulated_pipeline *pipeline,
                        const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                        const struct pgs_draw_plan *plan, uint64_t wanted_B);

/* The same of a draw with arguments in a buffer, without a limit. 0: nothing that is bound says how
 * many vertices there are. */
uint64_t pgs_bound_B(struct pgs_device *dev, const struct pgs_emulated_pipeline *pipeline,
                     const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                     const struct pgs_draw_plan *plan);

/* Bytes of the lists of primitives that restart, of all indices that are bound. */
uint64_t pgs_probable_lists_B(struct pgs_device *dev, const struct pgs_graphics_state *state);

#endif
