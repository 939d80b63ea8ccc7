/* SPDX-License-Identifier: MIT
 *
 * A plan, and the variants of the pipeline that it takes. Internal to draw/.
 */
#ifndef PGS_DRAW_PLAN_VARIANTS_H
#define PGS_DRAW_PLAN_VARIANTS_H

#include "draw/plan.h"

/* Plans a draw (pgs_draw_plan) and makes the variants that it takes. If one cannot be made, plans
 * again without it. pipeline: the state's, or the one that counts its native draws; NULL: neither.
 * VK_SUCCESS with *wanted == false: the draw needs no work. Errors, with a line in the log, are
 * among those that vkEndCommandBuffer may return. */
VkResult pgs_plan_with_variants(const struct pgs_emulated_pipeline *pipeline,
                                const struct pgs_graphics_state *state,
                                const struct pgs_draw_call *call,
                                const struct pgs_plan_rules *rules, struct pgs_draw_plan *plan,
                                bool *wanted);

#endif
