/* SPDX-License-Identifier: MIT
 *
 * Where the draws of an interval of transform feedback capture. Internal to draw/.
 */
#ifndef PGS_DRAW_XFB_TARGET_H
#define PGS_DRAW_XFB_TARGET_H

#include "draw/compute.h"
#include "draw/interval.h"

/* Finds where the new draw captures, and for how many vertices there is room. */
void pgs_xfb_target_find(const struct pgs_interval_state *interval,
                         const struct pgs_graphics_state *state, struct pgs_draw *draw);

/* Moves the interval past the draw: the next draw captures behind it. */
void pgs_xfb_target_pass(struct pgs_interval_state *interval, const struct pgs_draw_call *call,
                         const struct pgs_draw *draw);

#endif
