/* SPDX-License-Identifier: MIT
 *
 * Draws of PGS_RASTER_POLYGONS: what the raster vertex shader must know of culling, depth bias and
 * viewports. Internal to draw/.
 */
#ifndef PGS_DRAW_POLYGONS_H
#define PGS_DRAW_POLYGONS_H

#include "draw/draw.h"
#include "poly_gs/polygon.h"

/* Fills it in for a draw of state->pipeline. goes_on: PGS_POLYGONS_GOES_ON. */
void pgs_polygons_fill_record(struct pgs_polygons *polygons, const struct pgs_graphics_state *state,
                              bool goes_on);

/* Uploads it for such a draw, and points the record to it. */
VkResult pgs_polygons_upload(const struct pgs_graphics_state *state, bool goes_on,
                             struct pgs_linear *upload, struct pgs_draw_record *record);

#endif
