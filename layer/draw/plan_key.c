/* SPDX-License-Identifier: MIT */
#include "draw/plan_key.h"

enum {
    KEY_RESTART = 1 << 0,
    KEY_DISCARD = 1 << 1,
    KEY_PROVOKING_LAST = 1 << 2,
    KEY_DRIVER_QUERIES = 1 << 3,
    KEY_LINE_STIPPLE = 1 << 4,
    KEY_SHORT = 1 << 5,
};

static bool is_counted(const struct pgs_graphics_state *state)
{
    uint64_t any = state->interval | state->queries.statistics;
    for (uint32_t i = 0; i < PGS_MAX_STREAMS; i++) /* no jumps */
        any |= state->queries.generated[i] | state->queries.xfb[i];
    return any;
}

/* A value of the command buffer if the pipeline has that state dynamic. */
static uint32_t of_state(const struct pgs_emulated_pipeline *pipeline, enum pgs_dynamic dynamic,
                         uint32_t set, uint32_t fixed)
{
    return pipeline->dynamic & dynamic ? set : fixed;
}

static uint32_t flags_of(const struct pgs_emulated_pipeline *pipeline,
                         const struct pgs_graphics_state *state)
{
    const uint32_t restart = of_state(pipeline, PGS_DYNAMIC_RESTART, state->primitive_restart,
                                      pipeline->primitive_restart);
    const uint32_t discard = of_state(pipeline, PGS_DYNAMIC_DISCARD, state->rasterizer_discard,
                                      pipeline->rasterizer_discard);
    const uint32_t last =
        of_state(pipeline, PGS_DYNAMIC_PROVOKING, state->provoking_last, pipeline->provoking_last);
    return (restart ? KEY_RESTART : 0) | (discard ? KEY_DISCARD : 0) |
           (last ? KEY_PROVOKING_LAST : 0) | (state->driver_queries ? KEY_DRIVER_QUERIES : 0) |
           (pgs_strips_are_stippled(pipeline, state) ? KEY_LINE_STIPPLE : 0) |
           (pgs_loops_are_short(&pipeline->short_loops, state->push) ? KEY_SHORT : 0);
}

static uint32_t topology_of(const struct pgs_graphics_state *state)
{
    return of_state(state->pipeline, PGS_DYNAMIC_TOPOLOGY, (uint32_t)state->topology,
                    (uint32_t)state->pipeline->topology);
}

static uint32_t available_of(const struct pgs_emulated_pipeline *pipeline)
{
    return atomic_load_explicit(&pipeline->variants->available, memory_order_relaxed);
}

static bool has_key(const struct pgs_graphics_state *state)
{
    return state->pipeline && state->version && !state->pipeline->tessellated &&
           !state->condition.buffer && !state->inherited_condition && !is_counted(state);
}

bool pgs_plan_key_find(struct pgs_plan_key *key, const struct pgs_graphics_state *state)
{
    const struct pgs_emulated_pipeline *pipeline = state->pipeline;
    *key = (struct pgs_plan_key){0};
    if (!has_key(state))
        return false;
    *key = (struct pgs_plan_key){
        .pipeline = pipeline,
        .number = pipeline->number,
        .available = available_of(pipeline),
        .topology = topology_of(state),
        .raster_stream = pgs_raster_stream(pipeline, state),
        .view_count = state->view_count,
        .view_index = state->view_index,
        .flags = flags_of(pipeline, state),
        .coverage = pgs_coverage_find(state),
    };
    return true;
}

static bool has_coverage(const struct pgs_plan_key *key, const struct pgs_graphics_state *state)
{
    const struct pgs_coverage now = pgs_coverage_find(state);
    return key->coverage.flags == now.flags && key->coverage.half_px == now.half_px;
}

bool pgs_plan_key_is_of(const struct pgs_plan_key *key, const struct pgs_graphics_state *state)
{
    const struct pgs_emulated_pipeline *pipeline = state->pipeline;
    return pipeline && key->pipeline == pipeline && key->number == pipeline->number &&
           has_key(state) && key->available == available_of(pipeline) &&
           key->topology == topology_of(state) &&
           key->raster_stream == pgs_raster_stream(pipeline, state) &&
           key->view_count == state->view_count && key->view_index == state->view_index &&
           key->flags == flags_of(pipeline, state) && has_coverage(key, state);
}
