/* SPDX-License-Identifier: MIT */
#include "draw/xfb_target.h"

#include "draw/plan.h"

/* True if the draw can capture to addresses that the CPU knows. A geometry shader without static
 * emits has to count what precedes each primitive, which only small draws do themselves. */
static bool captures_by_itself(const struct pgs_draw *draw)
{
    const struct pgs_draw_plan *plan = &draw->plan;
    const struct pgs_spv_geometry_info *gs = &draw->pipeline->gs;
    if (pgs_plan_runs(plan, PGS_STAGE_XFB_SHADER)) /* all draws of one call cannot */
        return plan->sizing != PGS_SIZE_GPU || plan->subdraw_count == 1;
    return plan->subdraw_count == 1 && !pgs_gs_invocations_unknown(plan) &&
           !pgs_needs_count_tiles(plan->gs_invocations) &&
           pgs_spv_stream_count(gs->stream_mask) == 1;
}

/* Primitives that an input primitive becomes in stream 0; 1 if that is not static. */
static uint32_t gives_el(const struct pgs_draw *draw)
{
    const struct pgs_spv_geometry_info *gs = &draw->pipeline->gs;
    return draw->plan.count == PGS_COUNT_STATIC ? gs->invocations * gs->pattern.primitives[0] : 1;
}

/* True if nothing is captured of the other streams, whose room the target does not know. */
static bool captures_first_stream(const struct pgs_spv_xfb *xfb)
{
    for (uint32_t i = 0; i < PGS_MAX_XFB_BUFFERS; i++)
        if (xfb->stride_B[i] && xfb->stream[i])
            return false;
    return true;
}

/* Runs no more invocations than the target has room for. The draws of an indirect call may be of
 * any size, and of what does not fit nobody asks for the vertices. */
static void limit_xfb_invocations(struct pgs_draw *draw)
{
    const struct pgs_emulated_pipeline *pipeline = draw->pipeline;
    struct pgs_draw_plan *plan = &draw->plan;
    uint32_t most = UINT32_MAX;
    if (plan->xfb == PGS_XFB_VS) {
        const uint32_t vertices_per_primitive = pgs_xfb_vertices_per_primitive(pipeline, plan);
        most = draw->xfb_target.space_el < UINT32_MAX / vertices_per_primitive
                   ? draw->xfb_target.space_el * vertices_per_primitive
                   : most;
    } else if (captures_first_stream(&pipeline->gs.xfb) && pipeline->gs.pattern.primitives[0] &&
               !pipeline->has_effects) {
        const uint32_t each_el = pipeline->gs.pattern.primitives[0];
        most = draw->xfb_target.space_el / each_el + (draw->xfb_target.space_el % each_el != 0);
    }
    if (plan->xfb_invocations > most)
        plan->xfb_invocations = most;
}

void pgs_xfb_target_find(const struct pgs_interval_state *interval,
                         const struct pgs_graphics_state *state, struct pgs_draw *draw)
{
    const uint32_t vertices_per_primitive =
        pgs_xfb_vertices_per_primitive(draw->pipeline, &draw->plan);
    pgs_interval_target(interval, state->interval, &draw->pipeline->gs.xfb, vertices_per_primitive,
                        &draw->xfb_target);
    draw->xfb_target.is_known &= captures_by_itself(draw);
    if (pgs_plan_runs(&draw->plan, PGS_STAGE_XFB_SHADER))
        limit_xfb_invocations(draw);
}

void pgs_xfb_target_pass(struct pgs_interval_state *interval, const struct pgs_draw_call *call,
                         const struct pgs_draw *draw)
{
    const struct pgs_draw_plan *plan = &draw->plan;
    const struct pgs_spv_xfb *xfb = &draw->pipeline->gs.xfb;
    const uint32_t vertices_per_primitive = pgs_xfb_vertices_per_primitive(draw->pipeline, plan);
    const uint32_t each_el = gives_el(draw);
    const bool by_shader = pgs_plan_runs(plan, PGS_STAGE_XFB_SHADER);
    const bool unknown =
        pgs_plan_runs(plan, PGS_STAGE_RESTART_EMIT) || plan->sizing != PGS_SIZE_CPU;
    if (!by_shader || (unknown && each_el))
        pgs_interval_follow(interval, xfb, vertices_per_primitive, &draw->xfb_target,
                            draw->subdraws[0].record.address, by_shader ? each_el : 0);
    else
        pgs_interval_advance(interval, xfb, vertices_per_primitive, &draw->xfb_target,
                             (uint64_t)call->instance_count * plan->primitives * each_el);
}
