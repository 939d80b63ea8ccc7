/* SPDX-License-Identifier: MIT
 *
 * Draws of PGS_RASTER_POLYGONS: what the raster vertex shader must know of culling, depth bias and
 * viewports. Internal to draw/.
 */
#ifndef PGS_DRAW_POLYGONS_H
#define PGS_DRAW_POLYGONS_H

#include "draw/draw.h"
#include "poly_gs/polygon.h"

/* Fills it in for a draw of state->pipeline. */
void pgs_polygons_fill_record(struct pgs_polygons *polygons,
                              const struct pgs_graphics_state *state);

#endif
