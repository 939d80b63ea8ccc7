/* SPDX-License-Identifier: MIT */
#include "draw/plan_listing.h"

#include "poly_gs/abi.h"
#include "poly_gs/listing.h"

bool pgs_plan_may_list(const struct pgs_emulated_pipeline *pipeline,
                       const struct pgs_draw_plan *plan)
{
    return pgs_pipeline_has(pipeline, PGS_VARIANT_LISTING) && plan->raster == PGS_RASTER_STORED &&
           plan->sizing == PGS_SIZE_CPU && pgs_plan_runs(plan, PGS_STAGE_EXPAND) &&
           !plan->direct_indices && plan->subdraw_count == 1 &&
           plan->gs_invocations <= PGS_LISTING_GROUPS * PGS_SHADER_GROUP_EL;
}

/* Invocations that list shorter ones each by itself write close enough to each other. */
#define SHARED_STRIP_EL 8

/* True if so many GS invocations of a subdraw store at once that their places count. */
static bool is_large(const struct pgs_draw_plan *plan)
{
    return plan->spread_from && plan->subdraw_gs_invocations >= plan->spread_from &&
           !plan->self_listed && !pgs_gs_invocations_unknown(plan);
}

/* Captures read vertices in the order of their primitives, and gain nothing. */
static bool may_place(const struct pgs_draw_plan *plan)
{
    return is_large(plan) && plan->xfb == PGS_XFB_NONE && plan->stages & PGS_STAGES_EXPAND;
}

/* Where lines are joined, the place of a vertex tells its GS invocation. */
bool pgs_plan_spreads(const struct pgs_emulated_pipeline *pipeline,
                      const struct pgs_draw_plan *plan)
{
    return pipeline->spreads && may_place(plan) && !pipeline->stipple.joins &&
           !pgs_plan_gathers(pipeline, plan);
}

bool pgs_plan_gathers(const struct pgs_emulated_pipeline *pipeline,
                      const struct pgs_draw_plan *plan)
{
    return pipeline->gathers && plan->culls && may_place(plan);
}

/* The kernel looks for whole strips where they would be stored if none was left out. */
bool pgs_plan_shares_strips(const struct pgs_emulated_pipeline *pipeline,
                            const struct pgs_draw_plan *plan)
{
    return is_large(plan) && pgs_plan_runs(plan, PGS_STAGE_EXPAND) &&
           !pgs_plan_gathers(pipeline, plan) && pipeline->gs.max_vertices >= SHARED_STRIP_EL &&
           pipeline->gs.output_kind != 1 /* points, which end no strips */;
}
