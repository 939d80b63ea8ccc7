/* SPDX-License-Identifier: MIT */
#include "draw/plan_listing.h"

#include "base/numbers.h"
#include "draw/coverage.h"
#include "draw/sizes.h"
#include "poly_gs/abi.h"
#include "poly_gs/coverage.h"
#include "poly_gs/listing.h"
#include "poly_gs/slices.h"

bool pgs_plan_is_in_order(const struct pgs_emulated_pipeline *pipeline,
                          const struct pgs_draw_plan *plan)
{
    const struct pgs_spv_geometry_info *gs = &pipeline->gs;
    const struct pgs_spv_emit_pattern *pattern = &gs->pattern;
    const bool alone = pattern->longest_el <= gs->output_kind &&
                       gs->output_kind * pattern->primitives[0] == pattern->vertices;
    return pgs_plan_runs(plan, PGS_STAGE_EXPAND_POLYGONS) && pattern->is_known && alone &&
           pattern->vertices == gs->max_vertices && pgs_spv_stream_count(gs->stream_mask) == 1 &&
           pipeline->raster_stream == 0 && plan->xfb == PGS_XFB_NONE &&
           plan->count != PGS_COUNT_EMITS && !pgs_plan_runs(plan, PGS_STAGE_STIPPLE);
}

uint32_t pgs_plan_direct_indices(const struct pgs_emulated_pipeline *pipeline,
                                 const struct pgs_plan_rules *rules,
                                 const struct pgs_draw_plan *plan)
{
    const struct pgs_spv_geometry_info *gs = &pipeline->gs;
    const uint32_t stream = pipeline->raster_stream;
    if ((!rules->draws_directly && !plan->in_order) || plan->raster != PGS_RASTER_STORED ||
        plan->culls || plan->sizing != PGS_SIZE_CPU || pgs_gs_invocations_unknown(plan) ||
        !gs->pattern.is_known || (pipeline->dynamic & PGS_DYNAMIC_STREAM) ||
        stream >= PGS_SPV_STREAMS || pipeline->joins_lines)
        return 0;
    return pipeline->lists ? gs->output_kind * gs->pattern.primitives[stream]
                           : gs->pattern.indices[stream];
}

/* True if strips of the draw are cut: it is so large that this pays, and its viewport lies where
 * that may be done. */
static bool may_cut(const struct pgs_emulated_pipeline *pipeline,
                    const struct pgs_graphics_state *state, const struct pgs_draw_plan *plan)
{
    const uint32_t cut_from = pgs_plan_cut_from(pipeline);
    return cut_from && plan->culls && plan->subdraw_gs_invocations >= cut_from &&
           !pgs_gs_invocations_unknown(plan) &&
           pgs_plan_runs(plan, pipeline->lists ? PGS_STAGE_EXPAND_POLYGONS : PGS_STAGE_EXPAND) &&
           pgs_coverage_find(state).half_px != 0;
}

bool pgs_plan_may_list(const struct pgs_emulated_pipeline *pipeline,
                       const struct pgs_graphics_state *state, const struct pgs_draw_plan *plan)
{
    return pgs_pipeline_has(pipeline, PGS_VARIANT_LISTING) && plan->raster == PGS_RASTER_STORED &&
           plan->sizing == PGS_SIZE_CPU && pgs_plan_runs(plan, PGS_STAGE_EXPAND) &&
           !plan->direct_indices && plan->subdraw_count == 1 &&
           plan->gs_invocations <= PGS_LISTING_GROUPS * PGS_SHADER_GROUP_EL &&
           !may_cut(pipeline, state, plan);
}

/* Invocations that list shorter ones each by itself write close enough to each other. */
#define SHARED_STRIP_EL 8

/* True if so many GS invocations of a subdraw store at once that their places count. */
static bool is_large(const struct pgs_draw_plan *plan)
{
    return plan->spread_from && plan->subdraw_gs_invocations >= plan->spread_from &&
           !plan->self_listed && !pgs_gs_invocations_unknown(plan);
}

/* Raster vertices of a draw in one piece, or the most of one whose primitives the GPU lists; 0: it
 * has no slices. In views each would take a query for each of them, also where the pipeline does
 * not look at views, and what is repeated for parts of the framebuffer would take the same ones
 * again. */
static uint64_t sliced_vertices(const struct pgs_emulated_pipeline *pipeline,
                                const struct pgs_graphics_state *state,
                                const struct pgs_draw_plan *plan)
{
    const struct pgs_spv_geometry_info *gs = &pipeline->gs;
    if (plan->sizing != PGS_SIZE_CPU || plan->subdraw_count != 1 || state->view_count > 1 ||
        pipeline->by_viewport || pipeline->by_layer)
        return 0;
    if (plan->raster == PGS_RASTER_INLINE_GS)
        return (uint64_t)plan->gs_invocations * plan->inline_vertices;
    if (plan->raster == PGS_RASTER_PICKED)
        return pgs_picked_indices(gs, plan->gs_invocations);
    if (plan->raster != PGS_RASTER_STORED || pgs_gs_invocations_unknown(plan) || plan->packed)
        return 0; /* packed_vertices would not be their number */
    if (plan->direct_indices)
        return (uint64_t)plan->gs_invocations * plan->direct_indices;
    const bool lists =
        pgs_plan_runs(plan, PGS_STAGE_EXPAND_POLYGONS) && !pgs_plan_runs(plan, PGS_STAGE_STIPPLE);
    return lists && gs->max_vertices >= gs->output_kind
               ? (uint64_t)plan->gs_invocations * gs->output_kind *
                     (gs->max_vertices + 1 - gs->output_kind)
               : 0;
}

uint32_t pgs_plan_slices(const struct pgs_emulated_pipeline *pipeline,
                         const struct pgs_graphics_state *state, const struct pgs_draw_plan *plan)
{
    const uint64_t vertices = plan->slice_vertices ? sliced_vertices(pipeline, state, plan) : 0;
    if (vertices <= plan->slice_vertices)
        return 0;
    return (uint32_t)pgs_least_of((vertices - 1) / plan->slice_vertices + 1, PGS_MOST_SLICES);
}

/* In small draws, looking for triangles that draw nothing takes as long as it saves. Captures read
 * vertices in the order of their primitives, and so do draws without a list. Where lines are
 * joined, the place of a vertex tells its GS invocation. The kernel of shared strips looks for each
 * where its GS invocation has its slots. */
void pgs_plan_place(const struct pgs_emulated_pipeline *pipeline,
                    const struct pgs_graphics_state *state, struct pgs_draw_plan *plan)
{
    const bool cuts = may_cut(pipeline, state, plan);
    const bool large = is_large(plan) || cuts;
    const bool may_move =
        large && plan->xfb == PGS_XFB_NONE && plan->stages & PGS_STAGES_EXPAND && !plan->in_order;
    const bool ends_strips = pipeline->gs.output_kind != 1; /* points */
    plan->gathered = may_move && pipeline->gathers && plan->culls;
    const bool may_spread = may_move || (plan->self_listed && plan->xfb == PGS_XFB_NONE);
    plan->spread = may_spread && pipeline->spreads && !pipeline->stipple.joins && !plan->gathered;
    plan->finds_uncovered =
        cuts || (large && plan->culls && pipeline->cull_planes & PGS_DRAW_COVERAGE &&
                 pgs_coverage_find(state).half_px != 0);
    const bool shares = large && pgs_plan_runs(plan, PGS_STAGE_EXPAND) && ends_strips &&
                        pipeline->gs.max_vertices >= SHARED_STRIP_EL && !plan->gathered;
    plan->expand = cuts ? PGS_EXPAND_CUT : shares ? PGS_EXPAND_SHARED : PGS_EXPAND_EACH;
    plan->slices = pgs_plan_slices(pipeline, state, plan);
}
