/* SPDX-License-Identifier: MIT
 *
 * Fills struct pgs_tessellation, what kernels know of a tessellated draw. Pure. Internal to draw/.
 */
#ifndef PGS_DRAW_TESSELLATION_H
#define PGS_DRAW_TESSELLATION_H

#include "draw/record.h"
#include "poly_gs/tessellation.h"

void pgs_tess_fill(struct pgs_tessellation *tessellation,
                   const struct pgs_emulated_pipeline *pipeline,
                   const struct pgs_graphics_state *state, const struct pgs_draw_plan *plan,
                   const struct pgs_draw_ranges *ranges);

#endif
