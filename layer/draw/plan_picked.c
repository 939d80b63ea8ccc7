/* SPDX-License-Identifier: MIT */
#include "draw/plan_picked.h"

#include "draw/plan_instanced.h"
#include "draw/plan_listing.h"
#include "draw/sizes.h"
#include "pipeline/stored_ahead.h"

/* The reasons that no other size would remove. */
static enum pgs_uninstanced why_never(const struct pgs_emulated_pipeline *pipeline,
                                      const struct pgs_graphics_state *state,
                                      const struct pgs_draw_call *call, bool counts, bool restarts,
                                      const struct pgs_plan_rules *rules)
{
    if (!pipeline->gs.may_pick || pipeline->unpicked)
        return pipeline->unpicked ? pipeline->unpicked : PGS_UNINSTANCED_VERTICES;
    if (!pgs_pipeline_has(pipeline, PGS_VARIANT_PICK) ||
        !pgs_pipeline_has(pipeline, PGS_VARIANT_PICKED))
        return PGS_UNINSTANCED_SHADERS;
    if (!pgs_picked_indices(&pipeline->gs, 1)) /* its strips are too short for any primitive */
        return PGS_UNINSTANCED_FEW;
    const enum pgs_uninstanced why = pgs_plan_uninstanced_call(state, call, counts, rules);
    if (why != PGS_UNINSTANCED_NO)
        return why;
    if (call->indirect)
        return PGS_UNINSTANCED_ARGUMENTS;
    if (call->part_count) /* it goes in rounds */
        return PGS_UNINSTANCED_MEMORY;
    if (restarts)
        return PGS_UNINSTANCED_RESTART;
    if (call->instance_count != 1)
        return PGS_UNINSTANCED_SEVERAL;
    return rules->pick_from ? PGS_UNINSTANCED_NO : PGS_UNINSTANCED_FETCH;
}

static enum pgs_uninstanced why_not_now(const struct pgs_emulated_pipeline *pipeline,
                                        const struct pgs_draw_call *call,
                                        const struct pgs_plan_rules *rules,
                                        const struct pgs_draw_plan *picked)
{
    if (pgs_picked_indices(&pipeline->gs, picked->primitives) > PGS_MOST_LISTED_EL ||
        (!call->indexed && call->count > rules->max_out_vertices))
        return PGS_UNINSTANCED_TOO_MANY;
    if (pgs_scratch_B(pipeline, picked, call->count) > rules->most_picked_B)
        return PGS_UNINSTANCED_MEMORY;
    return rules->picks_later && !pgs_pick_is_made(pipeline) ? PGS_UNINSTANCED_COMPILING
                                                             : PGS_UNINSTANCED_NO;
}

bool pgs_plan_pick(const struct pgs_emulated_pipeline *pipeline,
                   const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                   bool counts, bool restarts, const struct pgs_plan_rules *rules,
                   struct pgs_draw_plan *plan)
{
    plan->unpicked = why_never(pipeline, state, call, counts, restarts, rules);
    if (plan->unpicked != PGS_UNINSTANCED_NO)
        return false;
    plan->pick_from = rules->pick_from;
    if (plan->primitives < rules->pick_from) { /* as a rule, whatever the shader does */
        plan->unpicked = PGS_UNINSTANCED_FEW;
        return false;
    }
    struct pgs_draw_plan picked = *plan;
    picked.raster = PGS_RASTER_PICKED;
    picked.sizing = PGS_SIZE_CPU;
    picked.subdraw_count = 1;
    picked.stages = PGS_STAGE_BIT(GEOMETRY) | PGS_STAGE_BIT(SCAN_TILES) | PGS_STAGE_BIT(EXPAND);
    picked.gs_invocations = picked.subdraw_gs_invocations = picked.primitives;
    picked.slices = pgs_plan_slices(pipeline, state, &picked);
    plan->unpicked = why_not_now(pipeline, call, rules, &picked);
    plan->awaits_pick = plan->unpicked == PGS_UNINSTANCED_COMPILING;
    if (plan->unpicked != PGS_UNINSTANCED_NO)
        return false;
    *plan = picked;
    return true;
}
