/* SPDX-License-Identifier: MIT
 *
 * The chooser: it decides by which technique a draw is done, how much work that is, and in how many
 * subdraws. Pure: equal inputs give equal plans, and nothing is allocated. Internal to draw/.
 */
#ifndef PGS_DRAW_PLAN_H
#define PGS_DRAW_PLAN_H

#include "draw/draw.h"
#include "draw/technique.h"

/* Chooses how to do the draw. Pure. `pipeline` may be NULL: a native pipeline of which nothing is
 * known. False: there is nothing to do (no instances, no complete primitive, a topology that does
 * not match the shader, or a native draw that nobody captures or counts); the plan then only finds
 * the arguments of a native draw. *too_large: the draw needs more than 2^32 invocations. */
bool pgs_draw_plan(const struct pgs_emulated_pipeline *pipeline,
                   const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                   const struct pgs_plan_rules *rules, struct pgs_draw_plan *plan, bool *too_large);

/* Plans a call that differs from another one, of plan *like, in its numbers of vertices and
 * instances only. *like stores what it rasterizes, for a size that the CPU knows, and nobody
 * captures or counts. most_stored_B: as in the rules. False: the call may need another technique,
 * or several subdraws; then plan it as any other. Pure. */
bool pgs_draw_plan_like(const struct pgs_emulated_pipeline *pipeline,
                        const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                        const struct pgs_draw_plan *like, uint64_t most_stored_B,
                        struct pgs_draw_plan *plan);

/* Makes the sizes of *plan, whose arguments only the GPU knows, those of a call that had the
 * arguments of `call`. False: it would be too large. Pure. */
bool pgs_draw_plan_sized(const struct pgs_emulated_pipeline *pipeline,
                         const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                         struct pgs_draw_plan *plan);

/* Up to this count, no draw with the pipeline and the number of instances is too large. */
uint32_t pgs_draw_count_limit(const struct pgs_emulated_pipeline *pipeline,
                              uint32_t instance_count);

/* Geometry shader invocations of a subdraw. */
uint32_t pgs_subdraw_gs_invocations(const struct pgs_draw_plan *plan, uint32_t subdraw);

/* The variant that runs the geometry shader of a stored draw. */
static inline enum pgs_variant
pgs_plan_geometry_variant(const struct pgs_emulated_pipeline *pipeline,
                          const struct pgs_draw_plan *plan)
{
    if (plan->raster == PGS_RASTER_SIFTED)
        return PGS_VARIANT_SIFT;
    if (plan->raster == PGS_RASTER_PICKED)
        return PGS_VARIANT_PICK;
    return plan->self_listed ? PGS_VARIANT_LISTING : pgs_geometry_variant(pipeline);
}

/* The one that runs the control shader. */
static inline enum pgs_variant pgs_plan_control_variant(const struct pgs_draw_plan *plan)
{
    return plan->fuses_control ? PGS_VARIANT_FUSED_CONTROL : PGS_VARIANT_CONTROL;
}

#endif
