/* SPDX-License-Identifier: MIT */
#include "draw/renew.h"

#include "draw/emits.h"
#include "draw/plan.h"
#include "draw/plan_inline.h"
#include "draw/tier.h"

void pgs_renew_keep(struct pgs_repeat *repeat)
{
    struct pgs_draw *kept = &repeat->kept;
    const bool known = pgs_repeat_is_kept(repeat);
    repeat->kept_lives = false;
    if (!repeat->draw || !repeat->key.pipeline) {
        repeat->draw = NULL;
        return;
    }
    if (repeat->draw != kept) {
        *kept = *repeat->draw;
        repeat->kept_subdraw = kept->subdraws[0];
    }
    if (!known)
        repeat->kept_chained = kept->chains;
    for (int group = 0; group < PGS_GROUP_COUNT; group++)
        kept->sets[group] = NULL;
    kept->sets_before = repeat->sets_before = NULL;
    repeat->sets = NULL;
    kept->next = NULL;
    kept->chains = NULL;
    kept->bound = NULL;
    kept->subdraws = &repeat->kept_subdraw;
    repeat->draw = kept;
    repeat->replacement = NULL;
    repeat->version = 0;
    repeat->next = PGS_NEXT_NONE;
}

/* True if the numbers of the call, and attributes that are not in the key, could have to do with
 * the plan. */
static bool depends_on_more(const struct pgs_draw_plan *plan)
{
    return plan->uninstanced == PGS_UNINSTANCED_INSTANCES ||
           plan->uninstanced == PGS_UNINSTANCED_TOO_MANY;
}

/* True if there is memory for what the draw stores, and for that of a somewhat larger one. */
static bool has_memory(const struct pgs_repeat *repeat, uint64_t most_stored_B)
{
    return !most_stored_B || repeat->scratch_B <= most_stored_B / 4;
}

/* True if the draw would be planned as it was, as far as it depends on what the pass and the device
 * have drawn so far. */
static bool stays(const struct pgs_repeat *repeat, const struct pgs_graphics_state *state,
                  const struct pgs_draw_plan *plan, const struct pgs_batch_memory *memory)
{
    const struct pgs_emulated_pipeline *pipeline = state->pipeline;
    struct pgs_device *dev = repeat->draw->dev;
    struct pgs_plan_rules rules = {
        .wish = dev->physical->instance->settings.plan,
        .limited_el = memory->limited_el,
        .dense_so_far_el = memory->dense_el,
        .calls_to_come = pgs_repeat_to_come(repeat, pipeline),
    };
    pgs_tier_rules(pipeline, state, dev, &rules);
    pgs_emits_rules(pipeline, dev, &rules);
    return pgs_plan_stays(pipeline, state, &rules, plan);
}

/* Likewise, with the numbers of the call. */
static bool is_like(const struct pgs_repeat *repeat, const struct pgs_graphics_state *state,
                    const struct pgs_draw_call *call, const struct pgs_batch_memory *memory)
{
    const struct pgs_draw_plan *plan = &repeat->draw->plan;
    const uint64_t most_B = pgs_draw_most_stored_B(repeat->draw->dev, memory->scratch);
    struct pgs_draw_plan sized;
    if (!pgs_plan_key_is_of(&repeat->key, state) || depends_on_more(plan) ||
        !has_memory(repeat, most_B))
        return false;
    if (repeat->count != call->count || repeat->instance_count != call->instance_count) {
        if (!pgs_draw_plan_like(state->pipeline, state, call, plan, most_B, &sized))
            return false;
        plan = &sized;
    }
    return stays(repeat, state, plan, memory);
}

VkResult pgs_renew(struct pgs_repeat *repeat, const struct pgs_graphics_state *state,
                   const struct pgs_draw_call *call, struct pgs_batch_memory *memory, bool *renewed)
{
    *renewed = repeat->draw && repeat->indexed == call->indexed && !call->indirect &&
               !call->byte_count && !call->part_count && is_like(repeat, state, call, memory);
    if (!*renewed)
        return VK_SUCCESS;
    repeat->version = state->version;
    if (!pgs_repeat_is_kept(repeat))
        return VK_SUCCESS;
    if (repeat->buffers_since != pgs_count_destroyed(&repeat->draw->dev->destroyed.buffers))
        pgs_repeat_forget_buffers(repeat, repeat->draw->dev);
    const VkResult result = pgs_draw_find_sets(&memory->arena, state, &repeat->kept);
    repeat->sets = repeat->kept.sets[PGS_GROUP_RASTER];
    repeat->sets_before = repeat->kept.sets_before;
    repeat->set_order = state->next_set_order;
    return result;
}
