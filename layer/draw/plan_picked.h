/* SPDX-License-Identifier: MIT
 *
 * Whether a draw whose geometry shader picks vertices is drawn with the application's own
 * (poly_gs/pick.h). Internal to draw/. Pure.
 */
#ifndef PGS_DRAW_PLAN_PICKED_H
#define PGS_DRAW_PLAN_PICKED_H

#include "draw/draw.h"
#include "draw/technique.h"

/* Makes the plan, which is stored, of a topology that fits the shader and of known primitives,
 * PGS_RASTER_PICKED, all but its variants, if that can be and pays. Else notes why not. counts:
 * something captures or counts the draw; restarts: its indices restart primitives. */
bool pgs_plan_pick(const struct pgs_emulated_pipeline *pipeline,
                   const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                   bool counts, bool restarts, const struct pgs_plan_rules *rules,
                   struct pgs_draw_plan *plan);

#endif
