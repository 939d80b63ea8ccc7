/* SPDX-License-Identifier: MIT
 *
 * The viewports and scissors of a draw: those of its pipeline, and what is dynamic from the command
 * buffer. Internal to draw/.
 */
#ifndef PGS_DRAW_BOUND_VIEWPORTS_H
#define PGS_DRAW_BOUND_VIEWPORTS_H

#include "draw/draw.h"

/* For a draw of state->pipeline, which has by_viewport or polygons. */
struct pgs_viewports pgs_bound_viewports(const struct pgs_graphics_state *state);

#endif
