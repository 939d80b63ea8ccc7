/* SPDX-License-Identifier: MIT
 *
 * Whether a draw with a geometry shader of one vertex is left to the driver, with a vertex shader
 * that does the work of both and one instance for each strip. Internal to draw/. Pure.
 */
#ifndef PGS_DRAW_PLAN_INSTANCED_H
#define PGS_DRAW_PLAN_INSTANCED_H

#include "draw/draw.h"
#include "draw/technique.h"

/* Indices of a list that the layer makes of the application's, which begins within a window of 2^31
 * of them. */
#define PGS_MOST_LISTED_EL (UINT32_C(1) << 30)

/* The first reason against leaving the application's own vertices to the driver that the pipeline
 * and the kind of primitive have nothing to do with. counts: something captures or counts the
 * draw. */
enum pgs_uninstanced pgs_plan_uninstanced_call(const struct pgs_graphics_state *state,
                                               const struct pgs_draw_call *call, bool counts,
                                               const struct pgs_plan_rules *rules);

/* The first reason against it. counts: something captures or counts the draw. */
enum pgs_uninstanced pgs_plan_uninstanced(const struct pgs_emulated_pipeline *pipeline,
                                          const struct pgs_graphics_state *state,
                                          const struct pgs_draw_call *call, bool counts,
                                          const struct pgs_plan_rules *rules);

/* pgs_plan_rules.sift_from, for all that the device decides. */
uint32_t pgs_plan_sift_from(const struct pgs_physical_device *physical);

/* Makes the plan, which is instanced, PGS_RASTER_SIFTED (poly_gs/sift.h) if that pays and there is
 * memory for it, or notes that it waits for that. For draws without restart, while no query of the
 * driver is active. Pure. */
void pgs_plan_sift(const struct pgs_emulated_pipeline *pipeline, const struct pgs_draw_call *call,
                   const struct pgs_plan_rules *rules, struct pgs_draw_plan *plan);

#endif
