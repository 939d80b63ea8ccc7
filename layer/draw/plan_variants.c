/* SPDX-License-Identifier: MIT */
#include "draw/plan_variants.h"

#include "base/log.h"
#include "draw/sizes.h"
#include "pipeline/generic.h"
#include "pipeline/make_variants.h"
#include "pipeline/stored_ahead.h"

/* Draws that take from a pool learn from it whether primitives were left out. */
static void warn_of_lost_primitives(const struct pgs_emulated_pipeline *pipeline,
                                    const struct pgs_draw_plan *plan)
{
    if (plan->raster == PGS_RASTER_INLINE_TES && !pgs_plan_runs(plan, PGS_STAGE_POOL_CLOSE) &&
        pgs_tess_worst_vertices(pipeline, plan) > UINT32_MAX)
        pgs_log_once(PGS_LOG_WARN,
                     "a draw tessellates %u patches, which may become more than 2^32 vertices: "
                     "primitives beyond these are not drawn",
                     plan->patches);
}

static VkResult refuse_too_large(const struct pgs_draw_call *call)
{
    pgs_log(PGS_LOG_ERROR,
            "a draw of %u vertices and %u instances is too large for the layer (more than 2^32 "
            "shader invocations): vkEndCommandBuffer fails",
            call->count, call->instance_count);
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

static uint32_t available_of(const struct pgs_emulated_pipeline *pipeline)
{
    return pipeline ? atomic_load(&pipeline->variants->available) : 0;
}

/* Of what vkEndCommandBuffer may return. */
static VkResult compile_error(VkResult result)
{
    if (result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY)
        return result;
    pgs_log(PGS_LOG_ERROR,
            "the shaders of a draw cannot be compiled (VkResult %d): vkEndCommandBuffer fails",
            (int)result);
    return VK_ERROR_UNKNOWN;
}

/* -- while a thread compiles -- */

static bool has_made(const struct pgs_emulated_pipeline *pipeline, uint32_t variants)
{
    return !(variants &
             ~atomic_load_explicit(&pipeline->variants->made_mask, memory_order_acquire));
}

/* Plans a draw that would wait for its inline variant as a stored one, if that need not wait. */
static void bridge(const struct pgs_emulated_pipeline *pipeline,
                   const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                   const struct pgs_plan_rules *rules, struct pgs_draw_plan *plan)
{
    struct pgs_plan_rules storing = *rules;
    struct pgs_draw_plan stored;
    bool too_large;
    if (!pipeline->bridges || rules->wish != PGS_PLAN_AUTO || has_made(pipeline, plan->variants))
        return;
    /* The inline variant may be made between two views, and one draw is to be done in one way. */
    if (pipeline->view_mask || state->view_count > 1)
        return;
    storing.wish = PGS_PLAN_STORED;
    if (!pgs_draw_plan(pipeline, state, call, &storing, &stored, &too_large))
        return;
    pgs_generic_await(pipeline, plan->variants, stored.variants);
    if (has_made(pipeline, plan->variants) || !has_made(pipeline, stored.variants))
        return;
    *plan = stored;
    plan->why = PGS_WHY_COMPILING;
}

/* A draw that is stored in any case takes generic variants, too, unless its own are there before,
 * but it had better have shaders for its formats soon. */
static void expect_own(const struct pgs_emulated_pipeline *pipeline,
                       const struct pgs_draw_plan *plan)
{
    const struct pgs_variants *variants = pipeline->variants;
    pgs_generic_await(pipeline, plan->variants, plan->variants);
    const uint32_t generic =
        plan->variants & atomic_load_explicit(&variants->generic_mask, memory_order_relaxed);
    if (generic && plan->why != PGS_WHY_COMPILING)
        pgs_generic_replace(pipeline, generic);
}

VkResult pgs_plan_with_variants(const struct pgs_emulated_pipeline *pipeline,
                                const struct pgs_graphics_state *state,
                                const struct pgs_draw_call *call,
                                const struct pgs_plan_rules *rules, struct pgs_draw_plan *plan,
                                bool *wanted)
{
    bool again = true;
    while (again) {
        bool too_large, lost = false;
        const uint32_t available = available_of(pipeline);
        *wanted = pgs_draw_plan(pipeline, state, call, rules, plan, &too_large);
        if (too_large)
            return refuse_too_large(call);
        if (!*wanted)
            break;
        bridge(pipeline, state, call, rules, plan);
        expect_own(pipeline, plan);
        if (plan->awaits_listing)
            pgs_listing_expect(pipeline);
        if (plan->awaits_sift)
            pgs_sift_expect(pipeline);
        if (plan->awaits_pick)
            pgs_pick_expect(pipeline);
        const VkResult result = pgs_variants_make(pipeline, plan->variants, &lost);
        if (result != VK_SUCCESS)
            return compile_error(result);
        again = lost || available_of(pipeline) != available;
    }
    warn_of_lost_primitives(pipeline, plan);
    return VK_SUCCESS;
}
