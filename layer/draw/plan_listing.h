/* SPDX-License-Identifier: MIT
 *
 * How stored vertices are laid out and listed. Pure. Internal to draw/.
 */
#ifndef PGS_DRAW_PLAN_LISTING_H
#define PGS_DRAW_PLAN_LISTING_H

#include "draw/technique.h"
#include "pipeline/pipeline.h"

/* True if the geometry shader can list the draw, as far as the plan decides that. */
bool pgs_plan_may_list(const struct pgs_emulated_pipeline *pipeline,
                       const struct pgs_draw_plan *plan);

/* Chooses where stored vertices of the plan, of which all else is known, lie within the slots of
 * their GS invocations, and how their strips are listed, and whether those are looked for that
 * cover nothing: sets spread, gathered, shares_strips and finds_uncovered. state: of the draw. */
void pgs_plan_place(const struct pgs_emulated_pipeline *pipeline,
                    const struct pgs_graphics_state *state, struct pgs_draw_plan *plan);

#endif
