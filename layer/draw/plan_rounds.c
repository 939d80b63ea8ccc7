/* SPDX-License-Identifier: MIT */
#include "draw/plan_rounds.h"

/* True if nobody misses what is not drawn. Shaders that store have no such variant. */
static bool draws_nothing(const struct pgs_emulated_pipeline *pipeline,
                          const struct pgs_draw_plan *plan)
{
    return plan->raster == PGS_RASTER_NONE && pgs_pipeline_has(pipeline, PGS_VARIANT_NO_MEMORY);
}

bool pgs_plan_stores_patches(const struct pgs_emulated_pipeline *pipeline,
                             const struct pgs_draw_plan *plan)
{
    const bool raster = pgs_raster_runs_shaders(plan->raster) || draws_nothing(pipeline, plan);
    const bool counts =
        plan->count != PGS_COUNT_EMITS || pgs_plan_runs(plan, PGS_STAGE_CHUNKS_COUNT);
    return pgs_plan_runs(plan, PGS_STAGE_EVALUATION) && !(raster && counts);
}

bool pgs_plan_stores_only(const struct pgs_draw_plan *plan)
{
    return pgs_raster_reads_stored(plan->raster) && !pgs_raster_runs_shaders(plan->raster);
}

uint32_t pgs_plan_round_stages(const struct pgs_emulated_pipeline *pipeline,
                               const struct pgs_draw_plan *plan)
{
    const uint32_t others = plan->stages & ~PGS_STAGE_BIT(INDIRECT);
    if (!pipeline->tessellated)
        return others | PGS_STAGE_BIT(INDIRECT_ROUND);
    if (!pgs_plan_stores_patches(pipeline, plan))
        return others | PGS_STAGE_BIT(INDIRECT_PATCHES);
    return (others & ~PGS_STAGE_BIT(TESS_ALLOT)) | PGS_STAGE_BIT(TESS_ROUND) |
           PGS_STAGE_BIT(INDIRECT_PATCHES);
}
