/* SPDX-License-Identifier: MIT
 *
 * How stored vertices are laid out and listed. Pure. Internal to draw/.
 */
#ifndef PGS_DRAW_PLAN_LISTING_H
#define PGS_DRAW_PLAN_LISTING_H

#include "draw/technique.h"
#include "pipeline/pipeline.h"

/* Stages of kernels that list stored vertices. */
#define PGS_STAGES_LIST (PGS_STAGES_COUNT_TILES | PGS_STAGE_BIT(SCAN_TILES) | PGS_STAGES_EXPAND)

/* Stages whose kernels the plan takes: what is in order nobody lists. */
static inline uint32_t pgs_plan_kernel_stages(const struct pgs_draw_plan *plan)
{
    return plan->stages & ~(plan->in_order ? PGS_STAGES_LIST : 0) &
           ~(plan->by_patch ? PGS_STAGE_BIT(TESS_COUNT) : 0);
}

/* Strips, or their lists, of draws of so many GS invocations may be cut; 0: of none.
 * PGS_VARIANT_FUSED alone counts what cut lists take, and may have been lost since the pipeline's
 * creation. */
static inline uint32_t pgs_plan_cut_from(const struct pgs_emulated_pipeline *pipeline)
{
    return !pipeline->lists || pgs_pipeline_has(pipeline, PGS_VARIANT_FUSED) ? pipeline->cut_from
                                                                             : 0;
}

/* True if a list of the primitives would number stored vertices as they lie: each is of one
 * primitive, and no slot is left. Captures and counts are of other draws. */
bool pgs_plan_is_in_order(const struct pgs_emulated_pipeline *pipeline,
                          const struct pgs_draw_plan *plan);

/* Indices for each GS invocation, if the CPU knows them and the device prefers direct draws, or the
 * plan is in order; else 0. The draw has no primitive restart. */
uint32_t pgs_plan_direct_indices(const struct pgs_emulated_pipeline *pipeline,
                                 const struct pgs_plan_rules *rules,
                                 const struct pgs_draw_plan *plan);

/* True if the geometry shader can list the draw, as far as the plan decides that. */
bool pgs_plan_may_list(const struct pgs_emulated_pipeline *pipeline,
                       const struct pgs_graphics_state *state, const struct pgs_draw_plan *plan);

/* Chooses where stored vertices of the plan, of which all else is known, lie within the slots of
 * their GS invocations, and how their strips are listed, and whether those are looked for that
 * cover nothing: sets spread, gathered, expand and finds_uncovered. state: of the draw. */
void pgs_plan_place(const struct pgs_emulated_pipeline *pipeline,
                    const struct pgs_graphics_state *state, struct pgs_draw_plan *plan);

/* Slices of its raster draw (slices.h); 0: it is one. */
uint32_t pgs_plan_slices(const struct pgs_emulated_pipeline *pipeline,
                         const struct pgs_graphics_state *state, const struct pgs_draw_plan *plan);

#endif
