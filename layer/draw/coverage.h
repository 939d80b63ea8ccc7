/* SPDX-License-Identifier: MIT
 *
 * What geometry stages must know of a draw to leave out triangles that draw nothing though they lie
 * in the clip volume (poly_gs/coverage.h). Internal to draw/.
 */
#ifndef PGS_DRAW_COVERAGE_H
#define PGS_DRAW_COVERAGE_H

#include "draw/draw.h"

/* Of a draw's record. Zero: such triangles are drawn, since the pipeline does not look for them, or
 * the viewport is not known, too large, or begins or ends within a pixel. */
struct pgs_coverage {
    uint32_t flags;      /* how triangles are culled: PGS_DRAW_CULLS_* */
    pgs_address half_px; /* two floats, as pgs_draw_record.polygons has them */
};

/* For a draw of state->pipeline. Pure. */
struct pgs_coverage pgs_coverage_find(const struct pgs_graphics_state *state);

#endif
