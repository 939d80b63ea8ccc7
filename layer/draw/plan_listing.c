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

/* Captures read vertices in the order of their primitives, and gain nothing. */
bool pgs_plan_spreads(const struct pgs_emulated_pipeline *pipeline,
                      const struct pgs_draw_plan *plan)
{
    return pipeline->spreads && plan->spread_from && !plan->self_listed &&
           plan->subdraw_gs_invocations >= plan->spread_from && plan->xfb == PGS_XFB_NONE &&
           plan->stages & PGS_STAGES_EXPAND && !pgs_gs_invocations_unknown(plan);
}

bool pgs_plan_gathers(const struct pgs_emulated_pipeline *pipeline,
                      const struct pgs_draw_plan *plan)
{
    return pipeline->gathers && plan->culls && !plan->self_listed && plan->xfb == PGS_XFB_NONE &&
           plan->spread_from && plan->subdraw_gs_invocations >= plan->spread_from &&
           plan->stages & PGS_STAGES_EXPAND && !pgs_gs_invocations_unknown(plan);
}
