/* SPDX-License-Identifier: MIT */
#include "draw/probable.h"

#include "draw/plan.h"
#include "draw/plan_rounds.h"
#include "draw/record.h"
#include "draw/setup.h"
#include "draw/sizes.h"

/* For all draws of a pass. Programs put the indices of many draws into one buffer. */
#define MOST_B (UINT64_C(256) << 20)

static uint64_t sum_limited(uint64_t a, uint64_t b)
{
    return b > PGS_POOL_UNKNOWN_B - a ? PGS_POOL_UNKNOWN_B : a + b;
}

/* Vertices, or indices, of a draw of all that is bound. */
static uint32_t likely_count(struct pgs_device *dev, const struct pgs_emulated_pipeline *pipeline,
                             const struct pgs_graphics_state *state,
                             const struct pgs_draw_call *call)
{
    const uint32_t limit = pgs_draw_count_limit(pipeline, 1);
    const struct pgs_draw_call any = {.instance_count = 1};
    if (call->byte_count)
        return call->count;
    if (!call->indexed)
        return pgs_byte_count_bound(dev, pipeline, state, &any);
    struct pgs_bound_indices indices;
    pgs_bound_indices_find(&indices, dev, state);
    return indices.bound_el < limit ? (uint32_t)indices.bound_el : limit;
}

/* What the whole draw stores if it has `count` vertices or indices, with its plan in *sized.
 * PGS_POOL_UNKNOWN_B: too much to be counted. */
static uint64_t stored_B(const struct pgs_emulated_pipeline *pipeline,
                         const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                         uint32_t count, const struct pgs_draw_plan *plan,
                         struct pgs_draw_plan *sized)
{
    struct pgs_draw_call likely = *call;
    likely.count = count;
    likely.instance_count = call->byte_count ? call->instance_count : 1;
    likely.part_first = likely.part_count = 0;
    *sized = *plan;
    return pgs_draw_plan_sized(pipeline, state, &likely, sized)
               ? pgs_scratch_B(pipeline, sized, count)
               : PGS_POOL_UNKNOWN_B;
}

uint64_t pgs_probable_B(struct pgs_device *dev, const struct pgs_emulated_pipeline *pipeline,
                        const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                        const struct pgs_draw_plan *plan, uint64_t wanted_B)
{
    const uint64_t left_B = wanted_B < MOST_B ? MOST_B - wanted_B : 0;
    struct pgs_draw_plan sized;
    if (plan->sizing != PGS_SIZE_GPU) /* tessellated, and too much to be counted */
        return PGS_POOL_UNKNOWN_B;
    uint64_t sum_B =
        stored_B(pipeline, state, call, likely_count(dev, pipeline, state, call), plan, &sized);
    if (sum_B == PGS_POOL_UNKNOWN_B)
        return left_B;
    if (pipeline->tessellated && !pgs_raster_runs_shaders(plan->raster))
        sum_B = sum_limited(
            sum_B, pgs_tess_worst_B(pgs_max_record_vertices(dev, pipeline), pipeline, &sized));
    return call->byte_count || sum_B < left_B ? sum_B : left_B;
}

uint64_t pgs_bound_B(struct pgs_device *dev, const struct pgs_emulated_pipeline *pipeline,
                     const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                     const struct pgs_draw_plan *plan)
{
    struct pgs_draw_plan sized;
    const uint32_t count = likely_count(dev, pipeline, state, call);
    const uint64_t sum_B = count ? stored_B(pipeline, state, call, count, plan, &sized) : 0;
    if (!sum_B || !pipeline->tessellated || !pgs_plan_stores_patches(pipeline, plan))
        return sum_B;
    const uint64_t made_B =
        pgs_tess_worst_B(pgs_max_record_vertices(dev, pipeline), pipeline, &sized);
    return sum_limited(sum_B, made_B);
}

uint64_t pgs_probable_lists_B(struct pgs_device *dev, const struct pgs_graphics_state *state)
{
    struct pgs_bound_indices indices;
    pgs_bound_indices_find(&indices, dev, state);
    const uint64_t tiles = indices.bound_el / PGS_TILE_EL + 1;
    const uint64_t sum_B =
        indices.bound_el * sizeof(struct pgs_primitive) + tiles * sizeof(struct pgs_restart_tile);
    return sum_B < MOST_B ? sum_B + PGS_POOL_UNIT_B : MOST_B;
}
