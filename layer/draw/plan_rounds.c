/* SPDX-License-Identifier: MIT */
#include "draw/plan_rounds.h"

#include "draw/topology.h"

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

bool pgs_plan_shades_part(const struct pgs_draw_plan *plan)
{
    return plan->sizing != PGS_SIZE_GPU && !pgs_plan_runs(plan, PGS_STAGE_TESS_COUNT) &&
           pgs_plan_runs(plan, PGS_STAGE_VERTEX) && !pgs_plan_runs(plan, PGS_STAGE_RESTART_EMIT);
}

void pgs_plan_part(struct pgs_draw_plan *plan, uint32_t vertices, uint32_t invocations,
                   uint32_t first, uint32_t gs_invocations)
{
    const uint32_t begin = first / invocations;
    const uint32_t last = (first + (gs_invocations - 1)) / invocations;
    const uint32_t begin_instance = begin / plan->primitives;
    const uint32_t last_instance = last / plan->primitives;
    plan->gs_first = first;
    plan->gs_invocations = gs_invocations;
    if (!pgs_plan_shades_part(plan))
        return;
    const struct pgs_positions from = pgs_primitive_positions(
        plan->topology, vertices, begin % plan->primitives, plan->primitives - 1);
    const struct pgs_positions to =
        pgs_primitive_positions(plan->topology, vertices, 0, last % plan->primitives);
    plan->vertex_first = begin_instance * vertices + from.begin;
    plan->vertices = last_instance * vertices + to.end - plan->vertex_first;
}

uint32_t pgs_plan_part_vertices(const struct pgs_draw_plan *plan, uint32_t vertices,
                                uint32_t invocations, uint32_t gs_invocations)
{
    if (!pgs_plan_shades_part(plan) || plan->topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN)
        return plan->vertices;
    if (!gs_invocations)
        return 0;
    /* It may begin and end within the invocations of a primitive, and may lie in one instance more
     * than it fills. What an instance has behind its last primitive lies between two. */
    const uint64_t primitives = (gs_invocations - 1) / invocations + 2;
    const uint64_t instances = primitives / plan->primitives + 2;
    const struct pgs_positions first = pgs_primitive_positions(plan->topology, vertices, 0, 0);
    const struct pgs_positions second = pgs_primitive_positions(plan->topology, UINT32_MAX, 1, 1);
    const uint64_t step = second.end - first.end ? second.end - first.end : 1;
    const uint64_t beside = vertices - plan->primitives * step + 2 * first.end;
    const uint64_t most = primitives * step + instances * beside;
    return most < plan->vertices ? (uint32_t)most : plan->vertices;
}
