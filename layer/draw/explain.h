/* SPDX-License-Identifier: MIT
 *
 * Describes a plan in words, for VK_POLY_GS_LOG=debug. Internal to draw/.
 */
#ifndef PGS_DRAW_EXPLAIN_H
#define PGS_DRAW_EXPLAIN_H

#include "draw/technique.h"

#include <stddef.h>

/* One line: the technique, the amount of work, and why no cheaper technique was chosen. Truncated
 * if it does not fit. */
#define PGS_EXPLAIN_MAX_B 272
void pgs_plan_explain(const struct pgs_draw_plan *plan, char text[PGS_EXPLAIN_MAX_B]);

#endif
