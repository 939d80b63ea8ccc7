/* SPDX-License-Identifier: MIT */
#include "draw/tessellation.h"

#include "draw/plan.h"
#include "draw/plan_topology.h"
#include "pipeline/tessellation.h"

static uint32_t inline_vertices(const struct pgs_emulated_pipeline *pipeline,
                                const struct pgs_draw_plan *plan)
{
    switch (plan->raster) {
    case PGS_RASTER_INLINE_TES:
    case PGS_RASTER_TES_STORED_OR_INLINE:
        return pgs_tessellated_primitive_vertices(pipeline);
    case PGS_RASTER_INLINE_TES_GS:
        return pipeline->gs.invocations * plan->inline_vertices;
    case PGS_RASTER_STORED_OR_INLINE:
        return plan->inline_vertices;
    case PGS_RASTER_NONE:
    case PGS_RASTER_NATIVE:
    case PGS_RASTER_INSTANCED:
    case PGS_RASTER_SIFTED:
    case PGS_RASTER_PICKED:
    case PGS_RASTER_STORED:
    case PGS_RASTER_TES_STORED:
    case PGS_RASTER_INLINE_GS:
    case PGS_RASTER_POLYGONS:
        break;
    }
    return 0;
}

void pgs_tess_fill(struct pgs_tessellation *tessellation,
                   const struct pgs_emulated_pipeline *pipeline,
                   const struct pgs_graphics_state *state, const struct pgs_draw_plan *plan,
                   const struct pgs_draw_ranges *ranges)
{
    const uint32_t allots = PGS_STAGE_BIT(TESS_ALLOT) | PGS_STAGE_BIT(TESS_ROUND);
    const bool geometry_inline = plan->raster == PGS_RASTER_STORED_OR_INLINE;
    *tessellation = (struct pgs_tessellation){
        .patches = ranges->patches.address,
        .starts = ranges->starts.address,
        .tile_sums = ranges->patch_tiles.address,
        .flags =
            pgs_tessellation_flags(pipeline, state) |
            (pgs_plan_runs(plan, PGS_STAGE_EVALUATION) ? 0 : PGS_TESS_COUNT_ONLY) |
            (pgs_raster_draws_evaluated(plan->raster) ? PGS_TESS_STORED : 0) |
            (pgs_raster_evaluates(plan->raster) || plan->raster == PGS_RASTER_TES_STORED_OR_INLINE
                 ? PGS_TESS_INLINE
                 : 0) |
            (geometry_inline ? PGS_TESS_INLINE_GS : 0) |
            (geometry_inline && pipeline->gs.pattern.is_known ? PGS_TESS_INLINE_LIST : 0) |
            (pgs_plan_runs(plan, PGS_STAGE_CHUNKS_COUNT) ? PGS_TESS_CHUNKS : 0) |
            (plan->stages & allots ? 0 : PGS_TESS_ALONE) | (plan->by_patch ? PGS_TESS_BY_PATCH : 0),
        .patch_vertices_in = pgs_patch_control_points(pipeline, state),
        .patch_vertices_out = pipeline->patch.vertex_count,
        .patch_stride_w = pipeline->patch.stride_w,
        .vertex_stride_w = pipeline->gs.in.stride_w,
        .inline_vertices = inline_vertices(pipeline, plan),
        .patch_first = plan->patch_first,
        .patch_count = plan->patch_count,
    };
}
