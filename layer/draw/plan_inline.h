/* SPDX-License-Identifier: MIT
 *
 * Whether the raster vertex shader of a draw runs its last shaders, instead of reading what they
 * have stored. Internal to draw/. Pure.
 */
#ifndef PGS_DRAW_PLAN_INLINE_H
#define PGS_DRAW_PLAN_INLINE_H

#include "draw/draw.h"
#include "draw/technique.h"

/* Decides it for a draw whose vertices are stored so far: sets plan->raster, why, and what the draw
 * costs. */
void pgs_plan_inline(const struct pgs_emulated_pipeline *pipeline,
                     const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                     const struct pgs_plan_rules *rules, struct pgs_draw_plan *plan);

/* Sets plan->limited_el, once all else is decided. */
void pgs_plan_note_limited(struct pgs_draw_plan *plan);

/* True if it would decide for a planned draw as it has. */
bool pgs_plan_stays(const struct pgs_emulated_pipeline *pipeline,
                    const struct pgs_graphics_state *state, const struct pgs_plan_rules *rules,
                    const struct pgs_draw_plan *plan);

/* False: whatever the levels are, there is memory for a tessellated draw. */
bool pgs_plan_patches_may_run_out(const struct pgs_emulated_pipeline *pipeline,
                                  const struct pgs_plan_rules *rules,
                                  const struct pgs_draw_plan *plan);

/* True if draws of the pipeline are inline as long as that costs little (draw/tier.h). */
bool pgs_plan_has_tiers(const struct pgs_emulated_pipeline *pipeline);

/* True if an inline draw would have more vertices than a draw can have. */
bool pgs_plan_inlines_too_many(const struct pgs_draw_plan *plan);

/* True if it is so small that it is inline although others with the pipeline are not. Of inline
 * draws in several views lavapipe 22.3 does not draw all. */
bool pgs_plan_is_small(const struct pgs_emulated_pipeline *pipeline,
                       const struct pgs_graphics_state *state, const struct pgs_draw_plan *plan);

/* Chooses whether each patch is a raster draw: where the CPU knows all of the few patches, and only
 * the rasterizer wants to know what becomes of them. The stages must be known. */
void pgs_plan_by_patch(const struct pgs_emulated_pipeline *pipeline, struct pgs_draw_plan *plan);

/* True if its control shader also runs the vertex shader: a draw that is known to have few patches,
 * or any, as the pipeline says. The stages must be known. */
bool pgs_plan_fuses_control(const struct pgs_emulated_pipeline *pipeline,
                            const struct pgs_draw_plan *plan);

/* True if one invocation can do what TESS_COUNT or INDIRECT_INLINE have a workgroup for: count few
 * patches of which nothing is stored, or read the arguments of one draw that is inline in any case.
 * Kernels of one invocation are shorter, and for CPUs they compile in half the time or less. */
bool pgs_plan_is_short(const struct pgs_draw_plan *plan);

#endif
