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

/* True if vertices of the plan, of which all else is known, are spread (PGS_DRAW_SPREAD). */
bool pgs_plan_spreads(const struct pgs_emulated_pipeline *pipeline,
                      const struct pgs_draw_plan *plan);

/* Likewise, if the drawn ones of each workgroup lie without gaps (PGS_DRAW_GATHERED). */
bool pgs_plan_gathers(const struct pgs_emulated_pipeline *pipeline,
                      const struct pgs_draw_plan *plan);

/* Likewise, if invocations in a row list each of its strips. */
bool pgs_plan_shares_strips(const struct pgs_emulated_pipeline *pipeline,
                            const struct pgs_draw_plan *plan);

#endif
