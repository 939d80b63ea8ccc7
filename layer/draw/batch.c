/* SPDX-License-Identifier: MIT
 *
 * The draws of a render pass instance: planned one by one, recorded together.
 */
#include "draw/batch.h"

#include "base/alloc.h"
#include "base/log.h"
#include "draw/bound_buffers.h"
#include "draw/chain.h"
#include "draw/draw_count.h"
#include "draw/emits.h"
#include "draw/explain.h"
#include "draw/indirect_repeat.h"
#include "draw/interval.h"
#include "draw/listing.h"
#include "draw/patches.h"
#include "draw/plan.h"
#include "draw/plan_instanced.h"
#include "draw/plan_variants.h"
#include "draw/query_record.h"
#include "draw/raster_binds.h"
#include "draw/record.h"
#include "draw/record_compute.h"
#include "draw/renew.h"
#include "draw/rounds.h"
#include "draw/setup.h"
#include "draw/slices.h"
#include "draw/tessellation.h"
#include "draw/tier.h"
#include "draw/viewports.h"
#include "draw/xfb_target.h"

#include <stddef.h>
#include <string.h>

#define RECENT 8

struct pgs_batch {
    struct pgs_device *dev;
    struct pgs_batch_memory own;
    struct pgs_batch_memory *memory; /* own, or a sibling's */
    struct pgs_draw *pass;           /* the draws of the pass, in order */
    struct pgs_draw **pass_end;
    struct pgs_repeat recent[RECENT]; /* draws since the reset, by pipeline */
    /* Masks of those that draws since the reset, and of the pass, were looked for. */
    uint32_t touched, in_pass;
    struct pgs_repeat *last;         /* that of the last draw; NULL: there is none */
    struct pgs_indirect_repeat loop; /* the last draw, if it is indirect */
    struct pgs_program program;      /* of the pass */
    struct pgs_kernels kernels;
    struct pgs_raster_binds binds; /* what its draws have left bound */
    /* Of the last draw with by_viewport; NULL: of another pass. */
    const struct pgs_viewport_parts *parts;
    const struct pgs_emulated_pipeline *parts_pipeline;
    uint64_t parts_version, parts_viewport_version;
    bool lacks_pick_memory, lacks_sift_memory; /* the pass found none for what could be drawn so */
    uint32_t explained;                        /* draws of the pass that the log has explained */
};

VkResult pgs_batch_create(struct pgs_device *dev, struct pgs_batch *sibling,
                          struct pgs_commons *commons, struct pgs_batch **batch)
{
    struct pgs_batch *b = pgs_calloc(1, sizeof(*b));
    if (!b)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    b->dev = dev;
    b->pass_end = &b->pass;
    b->memory = sibling ? sibling->memory : &b->own;
    pgs_arena_init(&b->own.arena);
    VkResult result = VK_SUCCESS;
    if (!sibling)
        result = pgs_linear_create(dev, PGS_MEMORY_UPLOAD, &b->own.upload);
    if (!sibling && result == VK_SUCCESS)
        result = pgs_linear_create(dev, PGS_MEMORY_SCRATCH, &b->own.scratch);
    if (!sibling && result == VK_SUCCESS)
        result = pgs_linear_create(dev, PGS_MEMORY_SCRATCH, &b->own.pooled);
    if (result != VK_SUCCESS) {
        pgs_batch_destroy(b);
        return result;
    }
    if (!sibling)
        pgs_linear_share(b->own.pooled, commons);
    b->own.takes_turns = commons != NULL;
    *batch = b;
    return VK_SUCCESS;
}

static void forget_pass(struct pgs_batch *batch)
{
    batch->pass = NULL;
    batch->pass_end = &batch->pass;
    batch->last = NULL;
    pgs_indirect_repeat_end_pass(&batch->loop);
    pgs_raster_binds_forget(&batch->binds);
    batch->parts = NULL;
    batch->own.limited_el = batch->own.dense_el = batch->own.evaluated_more = 0;
    batch->own.has_queries = false;
    batch->explained = 0;
    batch->lacks_sift_memory = batch->lacks_pick_memory = false;
    for (; batch->in_pass; batch->in_pass &= batch->in_pass - 1)
        pgs_repeat_end_pass(&batch->recent[__builtin_ctz(batch->in_pass)]);
    pgs_program_restart(&batch->program);
}

/* The next pass gets new pools. */
static void forget_pools(struct pgs_batch *batch)
{
    for (int kind = 0; kind < PGS_POOL_KINDS; kind++)
        batch->own.pass_pools[kind] = NULL;
}

/* Call it when the GPU is done with the pools. */
static void read_pools(struct pgs_batch *batch)
{
    for (const struct pgs_draw_pool *pool = batch->own.pools; pool; pool = pool->next)
        pgs_draw_pool_read(pool, batch->dev);
    pgs_tier_read(&batch->own, batch->dev);
    pgs_emits_read(&batch->own, batch->dev);
    pgs_patches_read(&batch->own, batch->dev);
    pgs_rounds_read(&batch->own, batch->dev);
    batch->own.pools = NULL;
    forget_pools(batch);
}

void pgs_batch_destroy(struct pgs_batch *batch)
{
    if (!batch)
        return;
    read_pools(batch);
    pgs_program_finish(&batch->program);
    pgs_arena_finish(&batch->own.arena);
    if (batch->own.pooled)
        pgs_draw_pool_release(batch->dev, batch->own.pooled);
    pgs_linear_destroy(batch->own.pooled);
    pgs_linear_destroy(batch->own.scratch);
    pgs_linear_destroy(batch->own.upload);
    pgs_free(batch);
}

static void reset_linear(struct pgs_linear *linear, bool begins)
{
    if (begins)
        pgs_linear_restart(linear);
    else
        pgs_linear_reset(linear);
}

void pgs_batch_reset(struct pgs_batch *batch, bool begins)
{
    forget_pass(batch);
    for (; batch->touched; batch->touched &= batch->touched - 1)
        pgs_renew_keep(&batch->recent[__builtin_ctz(batch->touched)]);
    if (batch->memory != &batch->own) /* a sibling's */
        return;
    read_pools(batch);
    batch->own.tables = (struct pgs_capture_tables){0};
    batch->own.interval = (struct pgs_interval_state){0};
    batch->own.drawn_bind_count = 0;
    pgs_arena_reset(&batch->own.arena);
    pgs_draw_pool_release(batch->dev, batch->own.pooled);
    reset_linear(batch->own.scratch, begins);
    reset_linear(batch->own.upload, begins);
}

void pgs_batch_give_unused(struct pgs_batch *batch)
{
    if (batch->memory != &batch->own) /* a sibling's */
        return;
    pgs_linear_give_unused(batch->own.scratch);
    pgs_linear_give_unused(batch->own.upload);
}

void pgs_batch_next_pass(struct pgs_batch *batch)
{
    forget_pass(batch);
    if (batch->memory != &batch->own) /* a sibling's */
        return;
    forget_pools(batch);
    batch->own.interval.last.draw =
        0; /* a split may have ended a pass within the interval, and the size lies in scratch */
    pgs_linear_rewind(batch->own.scratch);
    pgs_linear_rewind(batch->own.pooled);
}

VkResult pgs_batch_seal(struct pgs_batch *batch)
{
    VkResult result = VK_SUCCESS;
    pgs_draw_pools_prepare(batch->memory->pass_pools, batch->dev, batch->memory->pooled);
    for (int kind = 0; kind < PGS_POOL_KINDS && result == VK_SUCCESS; kind++) {
        struct pgs_draw_pool *pool = batch->memory->pass_pools[kind];
        if (pool)
            result = pgs_draw_pool_seal(pool, batch->dev, batch->memory->pooled);
    }
    if (result == VK_SUCCESS)
        result = pgs_chains_seal(batch->pass, batch->memory->upload);
    if (result == VK_SUCCESS)
        result = pgs_listings_seal(batch->pass, batch->memory->upload);
    pgs_emits_seal(batch->pass, batch->memory);
    pgs_slices_seal(batch->pass, batch->memory);
    return result;
}

bool pgs_batch_is_empty(const struct pgs_batch *batch)
{
    return !batch->pass && !batch->program.ops.count;
}

static struct pgs_plan_rules rules_of(const struct pgs_batch *batch,
                                      const struct pgs_emulated_pipeline *pipeline)
{
    const bool pools = pipeline && pipeline->tessellated;
    return (struct pgs_plan_rules){
        .wish = batch->dev->physical->instance->settings.plan,
        .max_out_vertices = pipeline ? pgs_max_record_vertices(batch->dev, pipeline) : 0,
        .index_range_B = batch->dev->physical->traits.index_range_B,
        .summed_tiles = batch->dev->physical->traits.summed_tiles,
        .spread_from = batch->dev->physical->traits.costs.of[PGS_COST_SPREAD_INVOCATIONS],
        .slice_vertices = pgs_slices_from(batch->dev, batch->memory),
        .inline_patches = batch->dev->physical->traits.costs.of[PGS_COST_INLINE_PATCHES],
        .inline_evaluations = batch->dev->physical->traits.costs.of[PGS_COST_INLINE_EVALUATIONS],
        .reads_arguments = !batch->dev->physical->lacks_first_instance,
        .draws_directly = batch->dev->physical->traits.draws_directly,
        .draws_in_order = batch->dev->physical->traits.draws_in_order,
        .serial = pgs_runs_on_cpu(batch->dev->physical),
        .sift_from = batch->lacks_sift_memory ? 0 : pgs_plan_sift_from(batch->dev->physical),
        .sifts_later = pgs_compiles_ahead(batch->dev->physical) &&
                       batch->dev->physical->instance->settings.cull != PGS_CULL_ALWAYS,
        .pick_from = batch->lacks_pick_memory ? 0 : pgs_picks_from(batch->dev->physical),
        .most_picked_B = pgs_draw_least_share_B(batch->dev, batch->memory->scratch),
        .picks_later = pgs_compiles_ahead(batch->dev->physical),
        .culls_all = batch->dev->physical->instance->settings.cull == PGS_CULL_ALWAYS,
        .limited_el = batch->memory->limited_el,
        .dense_so_far_el = batch->memory->dense_el,
        .evaluated_more = batch->memory->evaluated_more,
        .most_stored_B = pgs_draw_most_stored_B(batch->dev, batch->memory->scratch),
        .byte_count_B = pgs_draw_pool_setting_B(batch->dev),
        .vital_B = pgs_draw_pool_limit_B(batch->dev),
        .sure_B =
            pools ? pgs_draw_pool_left_B(batch->memory->pass_pools[PGS_POOL_SURE], batch->dev) : 0,
    };
}

/* Logs one line for each draw of the layer, numbered within the pass. */
static void explain(struct pgs_batch *batch, const struct pgs_draw_plan *plan, bool work)
{
    char text[PGS_EXPLAIN_MAX_B];
    if (!pgs_log_enabled(PGS_LOG_DEBUG) || (!work && plan->raster == PGS_RASTER_NATIVE))
        return;
    pgs_plan_explain(plan, text);
    pgs_log(PGS_LOG_DEBUG, "draw %u: %s", batch->explained++, work ? text : "nothing to do");
}

/* Where the last draw with the pipeline, for the same view, is, if no other one has taken its
 * place. */
static struct pgs_repeat *recent_of(struct pgs_batch *batch, const struct pgs_graphics_state *state)
{
    const struct pgs_emulated_pipeline *pipeline = state->pipeline;
    const uint32_t view = pipeline && pipeline->view_mask ? state->view_index : 0;
    const uint32_t slot = ((pipeline ? pipeline->number : 0) + view) & (RECENT - 1);
    batch->touched |= UINT32_C(1) << slot;
    batch->in_pass |= UINT32_C(1) << slot;
    return &batch->recent[slot];
}

static VkResult plan_draw(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                          const struct pgs_draw_call *call, struct pgs_draw_plan *plan,
                          bool *wanted)
{
    const struct pgs_emulated_pipeline *pipeline =
        state->pipeline ? state->pipeline : state->counted;
    struct pgs_plan_rules rules = rules_of(batch, pipeline);
    if (pipeline)
        rules.calls_to_come = pgs_repeat_to_come(recent_of(batch, state), pipeline);
    pgs_tier_rules(pipeline, state, batch->dev, &rules);
    pgs_emits_rules(pipeline, batch->dev, &rules);
    pgs_patches_rules(pipeline, batch->dev, &rules);
    const bool sifts = rules.sift_from && pipeline && pgs_pipeline_has(pipeline, PGS_VARIANT_SIFT);
    const bool picks = rules.pick_from && call->count >= rules.pick_from && pipeline &&
                       pgs_pipeline_has(pipeline, PGS_VARIANT_PICK);
    if ((sifts || picks) && !pgs_record_reaches_inputs(batch->dev, pipeline, state, call->indexed))
        rules.sift_from = rules.pick_from = 0;
    const VkResult result = pgs_plan_with_variants(pipeline, state, call, &rules, plan, wanted);
    if (result != VK_SUCCESS)
        return result;
    pgs_tier_charge(pipeline, plan, batch->dev);
    pgs_count_limited(batch->memory, plan, 1);
    explain(batch, plan, *wanted);
    *wanted |= !state->pipeline && call->byte_count; /* the GPU has to write its arguments */
    return VK_SUCCESS;
}

bool pgs_batch_may_round(const struct pgs_batch *batch, const struct pgs_graphics_state *state,
                         const struct pgs_draw_call *call)
{
    const struct pgs_emulated_pipeline *pipeline =
        state->pipeline ? state->pipeline : state->counted;
    return pipeline && pgs_rounds_may_need(batch->memory, batch->dev, pipeline, call);
}

VkResult pgs_batch_rounds(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                          const struct pgs_draw_call *call, struct pgs_rounds *rounds)
{
    const struct pgs_emulated_pipeline *pipeline =
        state->pipeline ? state->pipeline : state->counted;
    struct pgs_draw_plan plan;
    bool wanted;
    *rounds = (struct pgs_rounds){0};
    struct pgs_plan_rules rules = rules_of(batch, pipeline);
    const struct pgs_repeat *recent = recent_of(batch, state);
    rules.calls_to_come = pgs_repeat_to_come(recent, pipeline);
    pgs_tier_rules(pipeline, state, batch->dev, &rules);
    pgs_emits_rules(pipeline, batch->dev, &rules);
    pgs_patches_rules(pipeline, batch->dev, &rules);
    if (!pipeline->tessellated)
        rules.most_stored_B = 0; /* as if there were memory for the draw */
    if (pgs_repeat_matches(recent, state, call) &&
        recent->draw->plan.raster == PGS_RASTER_STORED) /* this one is, too */
        rules.wish = PGS_PLAN_STORED;
    const VkResult result = pgs_plan_with_variants(pipeline, state, call, &rules, &plan, &wanted);
    if (result != VK_SUCCESS || !wanted)
        return result;
    return pgs_rounds_find(batch->memory, batch->dev, state, call, &plan, rounds);
}

/* If all views have the same primitives, the draw is counted once for each view; else it is added
 * once for each. Multiview and transform feedback exclude each other. */
static uint32_t counted_times(const struct pgs_graphics_state *state)
{
    const struct pgs_emulated_pipeline *pipeline =
        state->pipeline ? state->pipeline : state->counted;
    const bool added_for_each = pipeline && pipeline->view_mask;
    return state->interval || added_for_each || !state->view_count ? 1 : state->view_count;
}

/* Appends one step to the program for each subdraw that has to be counted. */
static void count_draw(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                       const struct pgs_draw *draw)
{
    const struct pgs_draw_plan *plan = &draw->plan;
    const bool once = plan->count == PGS_COUNT_STATIC && plan->sizing != PGS_SIZE_GPU;
    const uint32_t some = once ? 1 : plan->subdraw_count;
    const uint32_t subdraws = plan->count == PGS_COUNT_NONE ? 0 : some;
    for (uint32_t i = 0; i < subdraws * counted_times(state); i++)
        pgs_program_add(&batch->program, &(struct pgs_xfb_op){
                                             .kind = PGS_XFB_OP_DRAW,
                                             .interval = state->interval,
                                             .capture = draw->subdraws[i % subdraws].capture,
                                             .queries = draw->queries,
                                         });
}

/* Tells the program what the draw's steps need. */
static void note_steps(struct pgs_program *program, const struct pgs_graphics_state *state,
                       const struct pgs_draw *draw)
{
    program->must_run |= draw->queries || !draw->xfb_target.is_known;
    if (draw->plan.xfb != PGS_XFB_NONE)
        program->open = state->interval;
}

static void link_draw(struct pgs_batch *batch, struct pgs_draw *draw)
{
    *batch->pass_end = draw;
    batch->pass_end = &draw->next;
    draw->query_count = 0; /* of a copy: those of another pass */
    pgs_draw_find_instances(draw);
    pgs_emits_note(draw, batch->memory);
}

/* `recent`: draws like it; its record becomes that of the draw (pgs_compute_prepare). */
static VkResult add_planned(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                            const struct pgs_draw_call *call, const struct pgs_draw_plan *plan,
                            struct pgs_repeat *recent, struct pgs_draw **draw)
{
    VkResult result = pgs_kernels_fetch(batch->dev, plan, &batch->kernels);
    if (result != VK_SUCCESS)
        return result;
    struct pgs_draw *added;
    result = pgs_draw_new(&batch->memory->arena, batch->dev, state, plan, &added);
    if (result != VK_SUCCESS)
        return result;
    pgs_repeat_expect(recent, state, batch->memory, added);
    if (plan->xfb != PGS_XFB_NONE)
        pgs_xfb_target_find(&batch->memory->interval, state, added);
    if (pgs_plan_runs(plan, PGS_STAGE_POOL_CLOSE))
        result = pgs_rounds_pool(batch->memory, batch, state, call, added);
    if (result == VK_SUCCESS)
        result = pgs_compute_prepare(added, state, call, batch->memory, &recent->record);
    if (result == VK_SUCCESS)
        pgs_bound_buffers_find(&batch->memory->arena, state, call, added);
    if (result == VK_SUCCESS && plan->watched)
        result = pgs_tier_watch(batch->memory, added);
    if (result == VK_SUCCESS)
        pgs_patches_note(batch->memory, added);
    if (result == VK_SUCCESS && plan->count != PGS_COUNT_NONE)
        result = pgs_program_reserve(&batch->program, batch->memory->upload,
                                     (size_t)plan->subdraw_count * counted_times(state));
    if (result != VK_SUCCESS)
        return result;
    count_draw(batch, state, added);
    if (added->counter && batch->program.ended)
        pgs_compute_count_first(added);
    if (plan->count != PGS_COUNT_NONE)
        note_steps(&batch->program, state, added);
    if (plan->xfb != PGS_XFB_NONE)
        pgs_xfb_target_pass(&batch->memory->interval, call, added);
    link_draw(batch, added);
    *draw = added;
    return VK_SUCCESS;
}

/* As add_planned, but what finds no memory to be sifted is drawn whole, which takes none, and what
 * finds none to be picked is stored, maybe in rounds. planned: the call of *plan. */
static VkResult add_or_draw_whole(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                                  const struct pgs_draw_call *call,
                                  const struct pgs_draw_call *planned, struct pgs_draw_plan *plan,
                                  struct pgs_repeat *recent, struct pgs_draw **draw)
{
    bool wanted;
    VkResult result = add_planned(batch, state, call, plan, recent, draw);
    const bool sifts = plan->raster == PGS_RASTER_SIFTED, picks = plan->raster == PGS_RASTER_PICKED;
    if (result != VK_ERROR_OUT_OF_DEVICE_MEMORY || !(sifts || picks))
        return result;
    batch->lacks_sift_memory |= sifts;
    batch->lacks_pick_memory |= picks;
    result = plan_draw(batch, state, planned, plan, &wanted);
    return result == VK_SUCCESS ? add_planned(batch, state, call, plan, recent, draw) : result;
}

/* What a draw with by_viewport is repeated for: most draws have the viewports of the last one.
 * NULL: out of memory. */
static const struct pgs_viewport_parts *parts_of(struct pgs_batch *batch,
                                                 const struct pgs_graphics_state *state)
{
    if (batch->parts && state->version && batch->parts_pipeline == state->pipeline &&
        batch->parts_version == state->version &&
        batch->parts_viewport_version == state->viewport_version)
        return batch->parts;
    batch->parts = pgs_viewport_parts_new(batch->dev, batch->memory, state);
    batch->parts_pipeline = state->pipeline;
    batch->parts_version = state->version;
    batch->parts_viewport_version = state->viewport_version;
    return batch->parts;
}

/* Replaces the last call of the draw, which has these sets. NULL: out of memory. */
static struct pgs_replacement *replacement_new(struct pgs_batch *batch,
                                               const struct pgs_graphics_state *state,
                                               const struct pgs_draw *draw,
                                               const struct pgs_draw_sets *sets,
                                               const struct pgs_bound_sets *sets_before)
{
    struct pgs_replacement *made =
        pgs_arena_alloc(&batch->memory->arena, sizeof(*made), _Alignof(struct pgs_replacement));
    if (!made)
        return NULL;
    *made = (struct pgs_replacement){.draw = draw,
                                     .first = draw->call_count - 1,
                                     .count = 1,
                                     .sets = sets,
                                     .sets_before = sets_before};
    if (state->pipeline && state->pipeline->by_viewport) {
        made->parts = parts_of(batch, state);
        if (!made->parts)
            return NULL;
    }
    if (pgs_chains_add(&batch->memory->arena, made) != VK_SUCCESS)
        return NULL;
    if (state->pipeline) {
        pgs_raster_binds_choose(&batch->binds, state,
                                batch->memory->drawn_bind_count != state->bind_count, made);
        batch->memory->drawn_bind_count = state->bind_count;
    }
    return made;
}

/* Adds a draw that no recent one is like. loops: an indirect one that goes on from the last one. */
static VkResult add_new(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                        const struct pgs_draw_call *call, bool loops,
                        struct pgs_replacement **replacement)
{
    const struct pgs_emulated_pipeline *pipeline =
        state->pipeline ? state->pipeline : state->counted;
    struct pgs_repeat *recent = recent_of(batch, state);
    struct pgs_draw_call bounded = *call;
    if (call->byte_count)
        bounded.count = pipeline ? pgs_byte_count_bound(batch->dev, pipeline, state, call) : 0;
    struct pgs_draw_plan plan;
    bool wanted;
    pgs_repeat_end(recent);
    batch->last = NULL;
    batch->loop.draw = NULL;
    const struct pgs_draw_call planned = pgs_indirect_repeat_planned(&batch->loop, &bounded, loops);
    VkResult result = plan_draw(batch, state, &planned, &plan, &wanted);
    if (result != VK_SUCCESS || !wanted)
        return result;
    const uint32_t room = pgs_indirect_repeat_room(&batch->loop, state, &bounded, &plan, loops);
    struct pgs_draw *added;
    result = add_or_draw_whole(batch, state, &bounded, &planned, &plan, recent, &added);
    /* The application's own draw stays, unless the GPU writes its arguments or it would draw
     * nothing. */
    if (result != VK_SUCCESS || (plan.raster == PGS_RASTER_NATIVE && !call->byte_count))
        return result;
    result = pgs_repeat_note(recent, added, state, &bounded, batch->memory);
    if (result != VK_SUCCESS)
        return result;
    *replacement =
        replacement_new(batch, state, added, added->sets[PGS_GROUP_RASTER], added->sets_before);
    if (!*replacement)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    recent->replacement = *replacement;
    pgs_indirect_repeat_note(&batch->loop, added, room, state, &bounded);
    batch->last = recent;
    return VK_SUCCESS;
}

/* Adds a draw like a recent one. `follows`: as pgs_batch_add. */
static VkResult add_like(struct pgs_batch *batch, struct pgs_repeat *recent,
                         const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                         bool follows, struct pgs_replacement **replacement)
{
    struct pgs_draw *draw = recent->draw;
    bool sets;
    VkResult result = pgs_repeat_find_sets(recent, state, batch->memory, &sets);
    if (result != VK_SUCCESS)
        return result;
    const bool continues = follows && !sets && batch->last == recent &&
                           batch->binds.bind_count == state->bind_count &&
                           !pgs_chain_is_full(draw, recent->replacement);
    const bool added = pgs_repeat_add(recent, state, call, continues, batch->memory);
    batch->last = recent;
    batch->loop.draw = NULL;
    if (!added) {
        result = pgs_repeat_copy(recent, state, call, batch->memory, &draw);
        if (result == VK_SUCCESS && !draw)
            return add_new(batch, state, call, false, replacement);
        if (result == VK_SUCCESS) /* a larger draw takes more of them */
            result = pgs_kernels_fetch(batch->dev, &draw->plan, &batch->kernels);
        if (result != VK_SUCCESS)
            return result;
        link_draw(batch, draw);
        if (draw->tells)
            recent->room = 1; /* of several calls nobody reads counts */
    }
    explain(batch, &draw->plan, true);
    if (added && continues) {
        recent->replacement->count++;
        return VK_SUCCESS;
    }
    *replacement = replacement_new(batch, state, draw, recent->sets, recent->sets_before);
    if (!*replacement)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    recent->replacement = *replacement;
    return VK_SUCCESS;
}

/* Adds an indirect draw. `follows`: as pgs_batch_add. */
static VkResult add_indirect(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                             const struct pgs_draw_call *call, bool follows,
                             struct pgs_replacement **replacement)
{
    const bool matches = pgs_indirect_repeat_matches(&batch->loop, state, call, follows);
    if (matches && pgs_indirect_repeat_add(&batch->loop, state, call->indexed, call->args)) {
        explain(batch, &batch->loop.draw->plan, true);
        return VK_SUCCESS;
    }
    return add_new(batch, state, call, matches, replacement);
}

VkResult pgs_batch_add(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                       const struct pgs_draw_call *call, bool follows,
                       struct pgs_replacement **replacement)
{
    struct pgs_repeat *recent = recent_of(batch, state);
    *replacement = NULL;
    /* Before the draw takes memory, which grows in place for draws that repeat it. */
    if (state->pipeline && state->pipeline->by_viewport && !parts_of(batch, state))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (call->indirect)
        return add_indirect(batch, state, call, follows, replacement);
    bool like = pgs_repeat_matches(recent, state, call);
    if (!like) {
        const VkResult result = pgs_renew(recent, state, call, batch->memory, &like);
        if (result != VK_SUCCESS)
            return result;
    }
    return like ? add_like(batch, recent, state, call, follows, replacement)
                : add_new(batch, state, call, false, replacement);
}

VkResult pgs_batch_add_draw_count(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                                  const struct pgs_draw_call *call,
                                  struct pgs_replacement **replacement)
{
    const struct pgs_draw_plan plan = {.raster = PGS_RASTER_NATIVE,
                                       .stages = PGS_STAGE_BIT(DRAW_COUNT)};
    struct pgs_draw *draw;
    *replacement = NULL;
    batch->last = NULL;
    batch->loop.draw = NULL;
    VkResult result = pgs_kernels_fetch(batch->dev, &plan, &batch->kernels);
    if (result == VK_SUCCESS)
        result = pgs_draw_new(&batch->memory->arena, batch->dev, state, &plan, &draw);
    if (result != VK_SUCCESS)
        return result;
    draw->pipeline = NULL; /* the bound one draws, as it does without the layer */
    result = pgs_draw_count_prepare(draw, call, batch->memory);
    if (result != VK_SUCCESS)
        return result;
    link_draw(batch, draw);
    *replacement = replacement_new(batch, state, draw, NULL, NULL);
    return *replacement ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

bool pgs_batch_add_next(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                        const struct pgs_direct_call *call)
{
    struct pgs_repeat *last = batch->last;
    return last && batch->binds.bind_count == state->bind_count &&
           pgs_repeat_add_next(last, state, call);
}

/* The last replacement has left bound what this one needs, except sets. */
static struct pgs_replacement *replacement_next(struct pgs_batch *batch,
                                                const struct pgs_repeat *repeat)
{
    struct pgs_replacement *made =
        pgs_arena_alloc(&batch->memory->arena, sizeof(*made), _Alignof(struct pgs_replacement));
    const bool is_inline = batch->binds.inline_buffer != VK_NULL_HANDLE;
    if (made)
        *made = (struct pgs_replacement){
            .draw = repeat->draw,
            .first = repeat->replacement->first + repeat->replacement->count,
            .has_vertices = batch->binds.vertices == repeat->draw || is_inline,
            .has_indices = is_inline,
        };
    return made;
}

bool pgs_batch_add_changed(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                           const struct pgs_direct_call *call, struct pgs_replacement **replacement)
{
    struct pgs_repeat *last = batch->last;
    *replacement = NULL;
    if (!last || pgs_log_enabled(PGS_LOG_DEBUG) || batch->binds.bind_count != state->bind_count ||
        !pgs_repeat_takes_changed(last, state, call))
        return false;
    if (last->set_order != state->next_set_order) {
        *replacement = replacement_next(batch, last);
        if (!*replacement) /* the caller tries otherwise, and gets the error */
            return false;
        last->replacement = *replacement;
    }
    last->replacement->count++;
    pgs_repeat_add_changed(last, state, call);
    return true;
}

VkResult pgs_batch_add_back(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                            const struct pgs_direct_call *call,
                            struct pgs_replacement **replacement)
{
    struct pgs_repeat *recent = recent_of(batch, state);
    *replacement = NULL;
    if (pgs_log_enabled(PGS_LOG_DEBUG) || !pgs_repeat_takes_changed(recent, state, call) ||
        recent->draw->pipeline != state->pipeline || !recent->draw->instances)
        return VK_SUCCESS;
    pgs_repeat_add_changed(recent, state, call);
    batch->last = recent;
    batch->loop.draw = NULL;
    *replacement = replacement_new(batch, state, recent->draw, recent->sets, recent->sets_before);
    recent->replacement = *replacement;
    return *replacement ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

bool pgs_batch_add_next_indirect(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                                 bool indexed, struct pgs_counter args)
{
    return !pgs_log_enabled(PGS_LOG_DEBUG) &&
           pgs_indirect_repeat_add(&batch->loop, state, indexed, args);
}

/* Copies the data to upload memory. */
static VkResult upload(struct pgs_batch *batch, const void *data, size_t size_B,
                       VkDeviceAddress *address)
{
    struct pgs_range range;
    const VkResult result = pgs_linear_alloc(batch->memory->upload, size_B, 16, &range);
    if (result != VK_SUCCESS)
        return result;
    memcpy(range.mapped, data, size_B);
    *address = range.address;
    return VK_SUCCESS;
}

VkResult pgs_batch_begin_xfb(struct pgs_batch *batch,
                             const struct pgs_xfb_binding bindings[PGS_MAX_XFB_BUFFERS],
                             const struct pgs_counter counters[PGS_MAX_XFB_BUFFERS],
                             VkDeviceAddress *interval)
{
    struct pgs_xfb_interval filled;
    pgs_interval_fill(&filled, batch->dev, bindings, counters);
    struct pgs_xfb_op op = {.kind = PGS_XFB_OP_BEGIN};
    *interval = 0;
    VkResult result = upload(batch, &filled, sizeof(filled), &op.interval);
    if (result == VK_SUCCESS)
        result = pgs_program_append(&batch->program, batch->memory->upload, &op);
    if (result != VK_SUCCESS)
        return result;
    *interval = op.interval;
    pgs_interval_begin(&batch->memory->interval, op.interval, &filled);
    batch->program.must_run |= !batch->memory->interval.known;
    batch->program.open = op.interval;
    return VK_SUCCESS;
}

/* Draws that read a counter have to read it before it is stored. */
static void order_counters(struct pgs_batch *batch, const struct pgs_xfb_end *stores)
{
    for (struct pgs_draw *draw = batch->pass; draw; draw = draw->next)
        for (uint32_t i = 0; i < PGS_MAX_XFB_BUFFERS; i++)
            if (draw->counter && draw->counter == stores->store[i])
                pgs_compute_count_first(draw);
}

VkResult pgs_batch_end_xfb(struct pgs_batch *batch, VkDeviceAddress interval,
                           const struct pgs_counter counters[PGS_MAX_XFB_BUFFERS])
{
    struct pgs_xfb_end filled;
    pgs_interval_fill_end(&filled, batch->dev, counters);
    struct pgs_xfb_op op = {.kind = PGS_XFB_OP_END, .interval = interval};
    struct pgs_interval_end known;
    order_counters(batch, &filled);
    batch->program.ended = true;
    VkResult result = upload(batch, &filled, sizeof(filled), &op.queries);
    if (result == VK_SUCCESS)
        result = pgs_program_append(&batch->program, batch->memory->upload, &op);
    if (result == VK_SUCCESS &&
        pgs_interval_end(&batch->memory->interval, interval, &filled, &known))
        result = pgs_program_end(&batch->program, batch->memory->upload, &known);
    else
        batch->program.must_run = true;
    batch->program.open = 0;
    return result;
}

VkResult pgs_batch_end_query(struct pgs_batch *batch, VkDeviceAddress query)
{
    batch->program.must_run = true;
    const struct pgs_xfb_op op = {.kind = PGS_XFB_OP_AVAILABLE, .queries = query};
    return pgs_program_append(&batch->program, batch->memory->upload, &op);
}

VkResult pgs_batch_record(const struct pgs_batch *batch, VkCommandBuffer cb,
                          enum pgs_batch_place place, struct pgs_linear *own, uint64_t *invocations)
{
    if (pgs_batch_is_empty(batch))
        return VK_SUCCESS;
    struct pgs_kernels kernels = batch->kernels; /* several threads may execute a secondary */
    const VkResult result = pgs_kernels_fetch_program(batch->dev, &batch->program, &kernels);
    if (result != VK_SUCCESS)
        return result;
    const struct pgs_draw_pool *close[PGS_POOL_KINDS] = {NULL};
    for (int kind = 0; kind < PGS_POOL_KINDS; kind++) {
        const struct pgs_draw_pool *pool = batch->memory->pass_pools[kind];
        if (pool && pool->last_user == batch)
            close[kind] = pool;
    }
    pgs_slices_reset(batch->pass, cb);
    *invocations += pgs_compute_record(batch->dev, cb, batch->pass, &batch->program, &kernels,
                                       close, place, own);
    return VK_SUCCESS;
}

VkResult pgs_batch_count_grids(struct pgs_batch *batch, VkCommandBuffer cb, VkDeviceAddress value,
                               struct pgs_linear *linear, uint64_t *invocations)
{
    struct pgs_query_grids counted = {.value = value};
    for (const struct pgs_draw *draw = batch->pass; draw; draw = draw->next)
        counted.use_count += draw->grids.buffer != VK_NULL_HANDLE;
    if (!counted.use_count)
        return VK_SUCCESS;
    struct pgs_range range;
    const VkResult result = pgs_linear_alloc(
        linear, (uint64_t)counted.use_count * sizeof(struct pgs_grids_use), 16, &range);
    if (result != VK_SUCCESS)
        return result;
    counted.uses = range.address;
    unsigned char *next = range.mapped;
    for (const struct pgs_draw *draw = batch->pass; draw; draw = draw->next) {
        struct pgs_grids_use use = {.grids = draw->grids.address};
        if (!draw->grids.buffer)
            continue;
        pgs_compute_weigh(draw, &batch->kernels, use.weights);
        memcpy(next, &use, sizeof(use));
        next += sizeof(use);
    }
    return pgs_query_record_grids(batch->dev, cb, &counted, linear, invocations);
}
