/* SPDX-License-Identifier: MIT */
#include "draw/plan_inline.h"

#include "base/numbers.h"
#include "draw/plan_listing.h"
#include "draw/sizes.h"
#include "pipeline/stored_ahead.h"

bool pgs_plan_patches_may_run_out(const struct pgs_emulated_pipeline *pipeline,
                                  const struct pgs_plan_rules *rules,
                                  const struct pgs_draw_plan *plan)
{
    if (plan->sizing == PGS_SIZE_GPU)
        return true;
    const uint64_t worst_B = pgs_tess_worst_B(rules->max_out_vertices, pipeline, plan);
    return worst_B == PGS_POOL_UNKNOWN_B || worst_B > rules->sure_B;
}

static bool has_few_patches(const struct pgs_emulated_pipeline *pipeline,
                            const struct pgs_draw_plan *plan)
{
    return pipeline->tessellated && plan->sizing != PGS_SIZE_GPU && plan->patches <= PGS_TILE_EL;
}

/* True if a draw whose size only the GPU knows may be inline. Nobody knows how often commands are
 * executed, and what they cost is not read before they are reset, but a few patches, whatever their
 * levels, cost the rasterizer more than who evaluates them. For views: see why_inexact. */
static bool may_guess_size(const struct pgs_emulated_pipeline *pipeline,
                           const struct pgs_graphics_state *state,
                           const struct pgs_plan_rules *rules, const struct pgs_draw_plan *plan)
{
    return rules->wish == PGS_PLAN_AUTO && rules->trusts_size && pipeline->inline_is_bounded &&
           state->view_count <= 1 && (state->is_once || has_few_patches(pipeline, plan));
}

/* True if an inline draw is what the geometry shader emits, also where that are strips. */
static bool is_exact(const struct pgs_emulated_pipeline *pipeline,
                     const struct pgs_graphics_state *state)
{
    return pipeline->inline_is_exact && !pgs_strips_are_stippled(pipeline, state);
}

/* True if few patches are drawn, the raster vertex shader may run their geometry shader, and a word
 * can count its vertices. */
static bool may_run_geometry(const struct pgs_emulated_pipeline *pipeline,
                             const struct pgs_graphics_state *state,
                             const struct pgs_plan_rules *rules, const struct pgs_draw_plan *plan)
{
    const uint64_t primitives =
        plan->patches * (uint64_t)pgs_tess_bound(pipeline->tessellation_flags).primitives;
    const uint64_t each = (uint64_t)pipeline->gs.invocations * plan->inline_vertices;
    return may_guess_size(pipeline, state, rules, plan) && pipeline->gs.pattern.is_known &&
           is_exact(pipeline, state) && plan->count == PGS_COUNT_NONE && !plan->patch_count &&
           has_few_patches(pipeline, plan) && each * primitives <= UINT32_MAX;
}

/* Levels may rise until the next reset, so no more than so many times the patches of which nothing
 * is known are inline. */
#define MOST_TIMES 32

/* True if it takes less to evaluate vertices of the draw several times than to store them, with
 * three more dispatches: if nobody knows, that of few patches; else as long as the draws of the
 * pass before and to come evaluate little more so. */
static bool has_cheap_patches(const struct pgs_emulated_pipeline *pipeline,
                              const struct pgs_plan_rules *rules, const struct pgs_draw_plan *plan)
{
    const uint32_t few = rules->inline_patches, more_each = rules->more_each;
    const uint64_t calls = rules->calls_to_come ? rules->calls_to_come : 1;
    if (plan->sizing == PGS_SIZE_GPU || !more_each)
        return plan->sizing != PGS_SIZE_GPU && plan->patches <= few;
    return plan->patches <= (uint64_t)few * MOST_TIMES &&
           rules->evaluated_more + calls * pgs_more_evaluated(pipeline, more_each, plan->patches) <=
               rules->inline_evaluations;
}

/* To store each vertex is cheaper than to evaluate it for each of its primitives, but few patches
 * have less to compile and to wait for inline. Where tessellation alone has a geometry shader of
 * the layer (not tes_stored), that would store everything once more. */
static enum pgs_why why_not_inline_tes(const struct pgs_emulated_pipeline *pipeline,
                                       const struct pgs_graphics_state *state,
                                       const struct pgs_plan_rules *rules,
                                       const struct pgs_draw_plan *plan)
{
    const bool may_run_out = pgs_plan_patches_may_run_out(pipeline, rules, plan);
    if (pgs_inline_runs_geometry(pipeline) && may_run_geometry(pipeline, state, rules, plan))
        return PGS_WHY_CHEAPEST;
    if (pgs_inline_runs_geometry(pipeline))
        return may_run_out ? PGS_WHY_SIZE : PGS_WHY_FITS;
    if (rules->wish == PGS_PLAN_VERTEX || may_guess_size(pipeline, state, rules, plan))
        return PGS_WHY_CHEAPEST;
    if (may_run_out &&
        (plan->raster != PGS_RASTER_TES_STORED || has_cheap_patches(pipeline, rules, plan)))
        return PGS_WHY_CHEAPEST;
    return may_run_out ? PGS_WHY_SIZE : PGS_WHY_FITS;
}

/* Inline draws clip vertices that do not exist. That takes time, and queries of the driver count
 * the primitives. */
static enum pgs_why why_inexact(const struct pgs_emulated_pipeline *pipeline,
                                const struct pgs_graphics_state *state,
                                const struct pgs_draw_plan *plan)
{
    if (!pipeline->gs.pattern.is_known)
        return PGS_WHY_DYNAMIC;
    if (pgs_plan_runs(plan, PGS_STAGE_RESTART_EMIT))
        return PGS_WHY_RESTART;
    /* Of inline draws with arguments in a buffer, lavapipe 22.3 shows the first of several views
     * only; 25.0 shows all. */
    if (plan->sizing == PGS_SIZE_GPU && state->view_count > 1)
        return PGS_WHY_SIZE;
    /* `setup` may find fewer primitives than the CPU draws. */
    return plan->sizing == PGS_SIZE_SETUP ? PGS_WHY_SIZE : PGS_WHY_CHEAPEST;
}

/* Vertices of an inline draw with a geometry shader. */
static uint64_t shaded_vertices(const struct pgs_draw_plan *plan)
{
    return (uint64_t)plan->gs_invocations * plan->inline_vertices;
}

bool pgs_plan_inlines_too_many(const struct pgs_draw_plan *plan)
{
    return shaded_vertices(plan) > INT32_MAX;
}

bool pgs_plan_is_small(const struct pgs_emulated_pipeline *pipeline,
                       const struct pgs_graphics_state *state, const struct pgs_draw_plan *plan)
{
    return plan->sizing == PGS_SIZE_CPU && state->view_count <= 1 &&
           plan->gs_invocations <= pipeline->small_gs_invocations;
}

/* True if lists of the draw, if stored, are cut, as far as its pipeline and its size decide that:
 * then they take less than inline, however much is emitted. */
static bool had_better_be_cut(const struct pgs_emulated_pipeline *pipeline,
                              const struct pgs_draw_plan *plan)
{
    const uint32_t cut_from = pgs_plan_cut_from(pipeline);
    return pipeline->lists && cut_from && plan->gs_invocations >= cut_from;
}

/* Vertices that the draws of a pass may shade inline; 0: it is not a matter of how many. More if
 * they are known to emit much, or to be short. */
static uint64_t limit_of(const struct pgs_emulated_pipeline *pipeline,
                         const struct pgs_graphics_state *state, const struct pgs_plan_rules *rules,
                         const struct pgs_draw_plan *plan)
{
    const struct pgs_short_loops *loops = &pipeline->short_loops;
    const uint64_t usual_el = pipeline->inline_limit_el;
    const bool is_short = usual_el && pgs_loops_are_short(loops, state->push);
    uint64_t limit_el = usual_el;
    if (is_short && loops->limit_el > limit_el)
        limit_el = loops->limit_el;
    if (pipeline->learns_emits && (is_short || !loops->limit_el) && rules->dense_el > limit_el &&
        !had_better_be_cut(pipeline, plan))
        limit_el = rules->dense_el;
    return limit_el;
}

static bool is_dense(const struct pgs_emulated_pipeline *pipeline,
                     const struct pgs_graphics_state *state, const struct pgs_plan_rules *rules,
                     const struct pgs_draw_plan *plan)
{
    return limit_of(pipeline, state, rules, plan) > pipeline->inline_limit_el;
}

/* True if the pass may shade its vertices inline although those of large draws are stored. If it
 * has to store some, it had better store all, so it counts on as many calls as an earlier pass had.
 */
static bool is_within_limit(const struct pgs_emulated_pipeline *pipeline,
                            const struct pgs_graphics_state *state,
                            const struct pgs_plan_rules *rules, const struct pgs_draw_plan *plan)
{
    const uint64_t limit_el = limit_of(pipeline, state, rules, plan);
    const uint64_t so_far_el =
        rules->limited_el + (is_dense(pipeline, state, rules, plan) ? rules->dense_so_far_el : 0);
    const uint64_t shaded_el = shaded_vertices(plan);
    const uint64_t calls = rules->calls_to_come ? rules->calls_to_come : 1;
    return limit_el && plan->sizing == PGS_SIZE_CPU && state->view_count <= 1 &&
           shaded_el <= limit_el && so_far_el + calls * shaded_el <= limit_el;
}

/* What a direct draw, if inline, runs more than it would stored. */
static uint32_t extra_ksteps(const struct pgs_emulated_pipeline *pipeline,
                             const struct pgs_draw_plan *plan)
{
    if (plan->gs_invocations <= pipeline->small_gs_invocations)
        return 0;
    const uint64_t ksteps = ((uint64_t)plan->gs_invocations * pipeline->inline_steps + 999) / 1000;
    return pgs_clamp_to_u32(ksteps);
}

/* True if the draw is inline although large ones with the pipeline are stored. */
static bool is_cheap(const struct pgs_emulated_pipeline *pipeline,
                     const struct pgs_graphics_state *state, const struct pgs_plan_rules *rules,
                     const struct pgs_draw_plan *plan)
{
    if (rules->wish != PGS_PLAN_AUTO)
        return false;
    if (!pipeline->inline_steps) /* not a CPU */
        return pgs_plan_is_small(pipeline, state, plan) ||
               is_within_limit(pipeline, state, rules, plan);
    switch (plan->sizing) {
    case PGS_SIZE_CPU:
        return (state->view_count <= 1 && extra_ksteps(pipeline, plan) <= rules->spare_ksteps) ||
               (is_dense(pipeline, state, rules, plan) &&
                is_within_limit(pipeline, state, rules, plan));
    case PGS_SIZE_GPU:
        return may_guess_size(pipeline, state, rules, plan);
    case PGS_SIZE_SETUP:
        break;
    }
    return false;
}

/* True if a CPU had better shade in vain what a condition leaves out than compile what stores. By
 * byte count it would shade all vertices that a buffer has room for. */
static bool is_cheap_in_vain(const struct pgs_emulated_pipeline *pipeline,
                             const struct pgs_graphics_state *state,
                             const struct pgs_plan_rules *rules, const struct pgs_draw_plan *plan)
{
    const bool conditional = state->condition.buffer || state->inherited_condition;
    return rules->wish == PGS_PLAN_AUTO && plan->sizing == PGS_SIZE_SETUP && conditional &&
           !plan->by_bytes && pipeline->inline_steps && pipeline->prefers_inline &&
           state->view_count <= 1;
}

/* Without static emits, or under a condition, it draws vertices that do not exist, so nobody may
 * count primitives. */
static bool is_cheap_and_clips(const struct pgs_emulated_pipeline *pipeline,
                               const struct pgs_graphics_state *state,
                               const struct pgs_plan_rules *rules, const struct pgs_draw_plan *plan)
{
    if (pgs_plan_runs(plan, PGS_STAGE_RESTART_EMIT) || state->driver_queries)
        return false;
    return pipeline->gs.pattern.is_known ? is_cheap_in_vain(pipeline, state, rules, plan)
                                         : is_cheap(pipeline, state, rules, plan);
}

bool pgs_plan_has_tiers(const struct pgs_emulated_pipeline *pipeline)
{
    return pipeline->inline_steps && (!pipeline->prefers_inline || pipeline->stores_large);
}

/* True if the draw is inline whatever its size. */
static bool prefers_inline(const struct pgs_emulated_pipeline *pipeline,
                           const struct pgs_graphics_state *state,
                           const struct pgs_plan_rules *rules, const struct pgs_draw_plan *plan)
{
    const bool is_known = plan->sizing == PGS_SIZE_CPU && state->view_count <= 1;
    const bool may_store = pipeline->stores_large && rules->wish == PGS_PLAN_AUTO && is_known;
    return pipeline->prefers_inline && !may_store;
}

static enum pgs_why why_not_inline_gs(const struct pgs_emulated_pipeline *pipeline,
                                      const struct pgs_graphics_state *state,
                                      const struct pgs_plan_rules *rules,
                                      const struct pgs_draw_plan *plan)
{
    const enum pgs_why inexact = why_inexact(pipeline, state, plan);
    if (!is_exact(pipeline, state))
        return PGS_WHY_STIPPLE;
    if (rules->wish != PGS_PLAN_VERTEX) {
        if (inexact != PGS_WHY_CHEAPEST && !is_cheap_and_clips(pipeline, state, rules, plan))
            return inexact;
        if (rules->wish == PGS_PLAN_STORED)
            return PGS_WHY_SETTING;
        if (!prefers_inline(pipeline, state, rules, plan) &&
            !is_cheap(pipeline, state, rules, plan))
            return PGS_WHY_LONG;
    } else if (inexact != PGS_WHY_CHEAPEST && state->driver_queries) {
        return PGS_WHY_QUERY;
    }
    if (plan->count != PGS_COUNT_NONE && plan->count != PGS_COUNT_STATIC)
        return PGS_WHY_EMITS;
    return pgs_plan_inlines_too_many(plan) ? PGS_WHY_TOO_MANY : PGS_WHY_CHEAPEST;
}

static enum pgs_why why_not_inline(const struct pgs_emulated_pipeline *pipeline,
                                   const struct pgs_graphics_state *state,
                                   const struct pgs_plan_rules *rules,
                                   const struct pgs_draw_plan *plan)
{
    if (!pgs_pipeline_has(pipeline, plan->in_line))
        return PGS_WHY_NO_PIPELINE;
    if (rules->wish == PGS_PLAN_COMPUTE)
        return PGS_WHY_SETTING;
    return pipeline->tessellated ? why_not_inline_tes(pipeline, state, rules, plan)
                                 : why_not_inline_gs(pipeline, state, rules, plan);
}

static enum pgs_raster_path inline_path(const struct pgs_emulated_pipeline *pipeline)
{
    if (!pipeline->tessellated)
        return PGS_RASTER_INLINE_GS;
    return pgs_inline_runs_geometry(pipeline) ? PGS_RASTER_INLINE_TES_GS : PGS_RASTER_INLINE_TES;
}

/* Chooses whether the raster draw runs the shaders: if it can, and if it has to or if that is
 * cheaper. For indirect draws the GPU may still decide. */
static enum pgs_raster_path choose_raster(const struct pgs_emulated_pipeline *pipeline,
                                          const struct pgs_plan_rules *rules,
                                          const struct pgs_draw_plan *plan)
{
    const bool may = pgs_pipeline_has(pipeline, plan->in_line) && rules->wish != PGS_PLAN_COMPUTE;
    const bool unsure =
        pipeline->tessellated ? plan->why == PGS_WHY_SIZE : plan->sizing == PGS_SIZE_GPU;
    if (plan->why == PGS_WHY_CHEAPEST)
        return inline_path(pipeline);
    if (!may || !unsure)
        return plan->raster;
    return plan->raster == PGS_RASTER_TES_STORED ? PGS_RASTER_TES_STORED_OR_INLINE
                                                 : PGS_RASTER_STORED_OR_INLINE;
}

void pgs_plan_note_limited(struct pgs_draw_plan *plan)
{
    const bool is_limited = plan->limit_el && plan->raster == PGS_RASTER_INLINE_GS;
    plan->limited_el =
        is_limited ? (uint32_t)shaded_vertices(plan) : 0; /* a word counts inline draws */
}

/* What the draw costs, for draw/tier.h. */
static void note_cost(const struct pgs_emulated_pipeline *pipeline,
                      const struct pgs_plan_rules *rules, struct pgs_draw_plan *plan)
{
    if (rules->wish != PGS_PLAN_AUTO || !pgs_plan_has_tiers(pipeline))
        return;
    if (plan->raster == PGS_RASTER_INLINE_GS && plan->sizing == PGS_SIZE_CPU)
        plan->extra_ksteps = plan->is_dense ? 0 : extra_ksteps(pipeline, plan);
    else if (!pipeline->prefers_inline)
        plan->watched = pgs_raster_runs_shaders(plan->raster) && !pgs_raster_chooses(plan->raster);
}

void pgs_plan_inline(const struct pgs_emulated_pipeline *pipeline,
                     const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                     const struct pgs_plan_rules *rules, struct pgs_draw_plan *plan)
{
    plan->by_bytes = call->byte_count;
    plan->why = why_not_inline(pipeline, state, rules, plan);
    plan->raster = choose_raster(pipeline, rules, plan);
    plan->is_dense = is_dense(pipeline, state, rules, plan);
    note_cost(pipeline, rules, plan);
    plan->has_short_loops = pgs_loops_are_short(&pipeline->short_loops, state->push);
    if (rules->wish == PGS_PLAN_AUTO) /* others are inline in any case */
        plan->limit_el = pgs_clamp_to_u32(limit_of(pipeline, state, rules, plan));
    pgs_plan_note_limited(plan);
}

bool pgs_plan_stays(const struct pgs_emulated_pipeline *pipeline,
                    const struct pgs_graphics_state *state, const struct pgs_plan_rules *rules,
                    const struct pgs_draw_plan *plan)
{
    return why_not_inline(pipeline, state, rules, plan) == plan->why &&
           !(plan->awaits_listing && pgs_listing_is_made(pipeline)) &&
           !(plan->awaits_pick && pgs_pick_is_made(pipeline));
}

void pgs_plan_by_patch(const struct pgs_emulated_pipeline *pipeline, struct pgs_draw_plan *plan)
{
    const uint32_t stages =
        PGS_STAGE_BIT(VERTEX) | PGS_STAGE_BIT(CONTROL) | PGS_STAGE_BIT(TESS_COUNT);
    plan->by_patch = pgs_raster_evaluates(plan->raster) && pipeline->patch.by_patch &&
                     plan->stages == stages && !plan->patch_count &&
                     pgs_plan_counts_patches_alone(plan) &&
                     pgs_pipeline_has(pipeline, PGS_VARIANT_INLINE);
    if (plan->by_patch)
        plan->in_line = PGS_VARIANT_INLINE;
}

bool pgs_plan_fuses_control(const struct pgs_emulated_pipeline *pipeline,
                            const struct pgs_draw_plan *plan)
{
    const bool few = plan->sizing != PGS_SIZE_GPU && plan->patches <= pipeline->fused_patches;
    return pgs_plan_runs(plan, PGS_STAGE_CONTROL) &&
           pgs_pipeline_has(pipeline, PGS_VARIANT_FUSED_CONTROL) &&
           (few || pipeline->fused_patches == PGS_COST_MOST);
}

bool pgs_plan_is_short(const struct pgs_draw_plan *plan)
{
    if (pgs_plan_runs(plan, PGS_STAGE_INDIRECT_INLINE))
        return plan->subdraw_count == 1;
    const uint32_t allots = PGS_STAGE_BIT(TESS_ALLOT) | PGS_STAGE_BIT(TESS_ROUND);
    return pgs_plan_counts_patches_alone(plan) && !(plan->stages & allots);
}
