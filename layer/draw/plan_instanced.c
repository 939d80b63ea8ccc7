/* SPDX-License-Identifier: MIT */
#include "draw/plan_instanced.h"

/* The numbers of instances must have room for those of strips. */
static bool has_room(const struct pgs_direct_call *call, uint32_t strips)
{
    return ((uint64_t)call->first_instance + call->instance_count) * strips <= UINT32_MAX;
}

/* The driver reads the arguments of the application. It cannot multiply them. */
static bool reads_arguments(const struct pgs_draw_call *call, const struct pgs_plan_rules *rules,
                            uint32_t strips)
{
    return rules->reads_arguments && strips == 1 && !call->draw_count.buffer &&
           call->max_draws == 1;
}

bool pgs_plan_is_instanced(const struct pgs_emulated_pipeline *pipeline,
                           const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                           const struct pgs_plan_rules *rules)
{
    const uint32_t strips = pipeline->gs.one_vertex.strips;
    if (!pgs_pipeline_has(pipeline, PGS_VARIANT_INSTANCED) || rules->wish != PGS_PLAN_AUTO ||
        state->view_count > 1 || call->byte_count || state->condition.buffer ||
        state->inherited_condition)
        return false;
    return call->indirect ? reads_arguments(call, rules, strips) : has_room(&call->direct, strips);
}
