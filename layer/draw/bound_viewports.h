/* SPDX-License-Identifier: MIT
 *
 * The viewports, scissors, and depth range of a draw: those of its pipeline, and what is dynamic
 * from the command buffer. Internal to draw/.
 */
#ifndef PGS_DRAW_BOUND_VIEWPORTS_H
#define PGS_DRAW_BOUND_VIEWPORTS_H

#include <stdbool.h>

#include "draw/draw.h"

/* For a draw of state->pipeline, which has by_viewport or polygons. */
struct pgs_viewports pgs_bound_viewports(const struct pgs_graphics_state *state);

/* Whether the clip volume of a draw of state->pipeline has z from -w, not 0
 * (VK_EXT_depth_clip_control). */
bool pgs_bound_negative_one_to_one(const struct pgs_graphics_state *state);

#endif
