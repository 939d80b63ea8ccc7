/* SPDX-License-Identifier: MIT */
#include "draw/rounds.h"

#include "base/log.h"
#include "base/numbers.h"
#include "draw/plan_rounds.h"
#include "draw/probable.h"
#include "draw/sizes.h"
#include "memory/limit.h"

#include <string.h>

/* As many are recorded at first. */
#define PGS_ROUNDS 64u
/* Likewise of an indirect draw of unknown size, if no draw has needed several yet, or if the
 * commands may be executed again and again: each costs a part of a pass. */
#define PGS_ROUNDS_UNKNOWN 8u
/* Rounds of all indirect draws of a command buffer. */
#define PGS_ROUNDS_MOST 256u
/* A call has a record for each of its draws in each round. */
#define PGS_ROUNDS_RECORDS 16384u
#define PGS_ROUNDS_ALL_RECORDS 65536u /* of all calls of a command buffer */
/* Draws may grow so much from one execution to the next. */
#define PGS_ROUNDS_GROWTH 4u

/* The most that a draw of plan->patches takes for what these become. */
static uint64_t worst_of_B(struct pgs_device *dev, const struct pgs_emulated_pipeline *pipeline,
                           const struct pgs_draw_plan *plan)
{
    return pgs_tess_worst_B(pgs_max_record_vertices(dev, pipeline), pipeline, plan);
}

/* The most that the draw can take from its pool. */
static uint64_t worst_B(struct pgs_device *dev, const struct pgs_emulated_pipeline *pipeline,
                        const struct pgs_draw_plan *plan)
{
    return plan->sizing == PGS_SIZE_GPU ? PGS_POOL_UNKNOWN_B : worst_of_B(dev, pipeline, plan);
}

/* What the pool for rounds holds already. */
static uint64_t taken_B(const struct pgs_batch_memory *memory)
{
    const struct pgs_draw_pool *pool = memory->pass_pools[PGS_POOL_ROUND];
    return pool ? pool->wanted_B : 0;
}

/* True if the pass has memory for the worst case of one more draw that would be lost. A round takes
 * what it takes. */
static bool fits(const struct pgs_batch_memory *memory, struct pgs_device *dev,
                 const struct pgs_draw_plan *plan, uint64_t size_B)
{
    const uint64_t room_B = pgs_draw_pool_round_B(dev, memory->pooled), used_B = taken_B(memory);
    return plan->patch_count || (used_B <= room_B && size_B <= room_B - used_B);
}

/* What the largest draw of the pipeline in rounds needed, and a quarter more; 0: none was executed
 * yet, as far as is known. */
static uint64_t needed_B(struct pgs_device *dev, const struct pgs_emulated_pipeline *pipeline)
{
    const uint64_t needed_B =
        (uint64_t)pgs_learned_of(&dev->learned, PGS_LEARNED_ROUNDS, pipeline->number) *
        PGS_POOL_UNIT_B;
    return needed_B + needed_B / 4;
}

/* What an indirect draw may take, about; 0: nobody knows. */
static uint64_t likely_B(struct pgs_device *dev, const struct pgs_emulated_pipeline *pipeline,
                         const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                         const struct pgs_draw_plan *plan)
{
    const uint64_t known_B = needed_B(dev, pipeline);
    if (known_B)
        return known_B;
    const bool unsure = atomic_load_explicit(&dev->bounds_unsure, memory_order_relaxed);
    return pipeline->reads_instances || unsure ? 0 : pgs_bound_B(dev, pipeline, state, call, plan);
}

/* What a pool must hold so that the largest patch finds memory beside what control shaders store.
 */
static uint64_t least_share_B(struct pgs_device *dev, const struct pgs_emulated_pipeline *pipeline,
                              const struct pgs_draw_plan *plan)
{
    struct pgs_draw_plan patch = *plan;
    if (!pipeline->tessellated || !pgs_plan_stores_patches(pipeline, plan))
        return 0;
    patch.patches = 1;
    const uint64_t size_B = worst_of_B(dev, pipeline, &patch);
    return size_B == PGS_POOL_UNKNOWN_B ? 0 : size_B * 2 + PGS_POOL_UNIT_B;
}

/* Adds a round to the pool of all rounds. */
static VkResult share_pool(struct pgs_batch_memory *memory, const void *batch,
                           const struct pgs_draw_call *call, struct pgs_draw *draw)
{
    const VkResult result =
        pgs_compute_pool(memory, batch, PGS_POOL_SHARE, call->share_B, &draw->pool);
    if (result == VK_SUCCESS)
        memory->pass_pools[PGS_POOL_SHARE]->least_B =
            least_share_B(draw->dev, draw->pipeline, &draw->plan);
    return result;
}

VkResult pgs_rounds_pool(struct pgs_batch_memory *memory, const void *batch,
                         const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                         struct pgs_draw *draw)
{
    const struct pgs_draw_plan *plan = &draw->plan;
    uint64_t wanted_B = worst_B(draw->dev, draw->pipeline, plan);
    if (call->progress)
        return share_pool(memory, batch, call, draw);
    enum pgs_pool_kind kind =
        pgs_draw_pool_kind(memory->pass_pools[PGS_POOL_SURE], draw->dev, wanted_B);
    const bool known = kind == PGS_POOL_LARGE || plan->patch_count > 1;
    if (known && plan->vital_pool && fits(memory, draw->dev, plan, wanted_B)) {
        const uint64_t room_B = pgs_draw_pool_round_B(draw->dev, memory->pooled);
        kind = PGS_POOL_ROUND;
        if (plan->patch_count > 1 && wanted_B > room_B)
            wanted_B = room_B;
    }
    if (kind == PGS_POOL_OPEN && plan->vital_lists) {
        kind = PGS_POOL_VITAL;
        wanted_B = pgs_probable_lists_B(draw->dev, state);
    } else if (kind == PGS_POOL_OPEN && plan->vital_pool) {
        const struct pgs_draw_pool *vital = memory->pass_pools[PGS_POOL_VITAL];
        kind = PGS_POOL_VITAL;
        wanted_B = pgs_probable_B(draw->dev, draw->pipeline, state, call, plan,
                                  vital ? vital->wanted_B : 0);
        const uint64_t known_B = needed_B(draw->dev, draw->pipeline);
        wanted_B = wanted_B < known_B ? known_B : wanted_B;
    }
    return pgs_compute_pool(memory, batch, kind, wanted_B, &draw->pool);
}

/* Patches of a round: those whose worst case fits, at least one. Each round begins a pass, so there
 * are not so many as thousands of patches with the highest levels would take, unless that was too
 * few before. */
static uint32_t patches_in(uint64_t room_B, struct pgs_device *dev,
                           const struct pgs_emulated_pipeline *pipeline,
                           const struct pgs_draw_plan *plan)
{
    struct pgs_draw_plan part = *plan;
    part.patch_count = 1;
    /* Rounding makes n patches take no more than n times one patch. */
    const uint64_t most = room_B / worst_B(dev, pipeline, &part);
    part.patch_count = !most ? 1 : most < plan->patches ? (uint32_t)most : plan->patches;
    while (part.patch_count > 1 && worst_B(dev, pipeline, &part) == PGS_POOL_UNKNOWN_B)
        part.patch_count /= 2; /* more vertices than a record may have */
    const uint32_t more_log2 = atomic_load_explicit(&dev->rounds_log2, memory_order_relaxed);
    const uint32_t least = plan->patches / (PGS_ROUNDS << more_log2) + 1;
    return part.patch_count < least ? least : part.patch_count;
}

static void find_tessellated(const struct pgs_batch_memory *memory, struct pgs_device *dev,
                             const struct pgs_emulated_pipeline *pipeline,
                             const struct pgs_draw_plan *plan, struct pgs_rounds *rounds)
{
    if (!plan->vital_pool || plan->sizing == PGS_SIZE_GPU || !plan->patches)
        return;
    const uint64_t whole_B = worst_B(dev, pipeline, plan);
    if (pgs_draw_pool_kind(memory->pass_pools[PGS_POOL_SURE], dev, whole_B) == PGS_POOL_SURE ||
        fits(memory, dev, plan, whole_B))
        return;
    *rounds = (struct pgs_rounds){
        .all = plan->patches,
        .each = patches_in(pgs_draw_pool_round_B(dev, memory->pooled), dev, pipeline, plan),
        .begins_anew = taken_B(memory) != 0,
    };
}

/* More than a GS invocation takes of all arrays but its vertices, for each of these. */
#define OTHERS_B 32u

/* More than the draw stores, whatever its plan is. */
static uint64_t most_B(const struct pgs_emulated_pipeline *pipeline,
                       const struct pgs_draw_call *call)
{
    const struct pgs_spv_geometry_info *gs = &pipeline->gs;
    const uint64_t vertices = (uint64_t)call->count * call->instance_count;
    const uint64_t each_B =
        (gs->in.stride_w * 4 + sizeof(struct pgs_primitive)) +
        (uint64_t)gs->invocations * (gs->max_vertices + 1) * (gs->out_stride_w * 4 + OTHERS_B);
    uint64_t all_B;
    return __builtin_mul_overflow(vertices, each_B, &all_B) ? UINT64_MAX : all_B;
}

static uint64_t used_B(const struct pgs_linear *linear)
{
    return pgs_linear_held_B(linear) - pgs_linear_left_B(linear);
}

/* What the pass may still store before it has to be split. */
static uint64_t room_left_B(const struct pgs_batch_memory *memory, const struct pgs_device *dev)
{
    const uint64_t stored_B = used_B(memory->scratch);
    const uint64_t share_B = pgs_draw_share_B(dev, memory->scratch);
    return stored_B < share_B ? share_B - stored_B : 0;
}

/* What a draw may take although more is left: lines are drawn sooner if they are in caches still.
 */
static uint64_t near_B(const struct pgs_device *dev, const struct pgs_emulated_pipeline *pipeline)
{
    const uint32_t heap_MiB = dev->physical->traits.costs.of[PGS_COST_LINES_HEAP];
    const bool may = dev->physical->traits.heap_B && !dev->physical->traits.keeps_passes;
    return may && heap_MiB && pipeline->gs.output_kind == 2 ? (uint64_t)heap_MiB << 20 : UINT64_MAX;
}

/* True if the pass has memory for the draw. Nearly all need less than is left, even of the least
 * share. */
static bool surely_fits(const struct pgs_batch_memory *memory, const struct pgs_device *dev,
                        const struct pgs_emulated_pipeline *pipeline,
                        const struct pgs_draw_call *call)
{
    const uint64_t draw_B = most_B(pipeline, call);
    uint64_t all_B;
    if (draw_B > near_B(dev, pipeline))
        return false;
    if (!__builtin_add_overflow(used_B(memory->scratch), draw_B, &all_B) &&
        all_B <= pgs_draw_least_share_B(dev, memory->scratch))
        return true;
    return draw_B <= room_left_B(memory, dev);
}

bool pgs_rounds_may_need(const struct pgs_batch_memory *memory, const struct pgs_device *dev,
                         const struct pgs_emulated_pipeline *pipeline,
                         const struct pgs_draw_call *call)
{
    if (call->indirect || call->byte_count)
        return pipeline->goes_in_rounds && call->indirect;
    return pipeline->tessellated ||
           (pgs_pipeline_has_geometry(pipeline) && !surely_fits(memory, dev, pipeline, call));
}

/* True if nobody captures or counts, or what each part emits: a part of static emits would be taken
 * for the draw. */
static bool counts_parts(const struct pgs_draw_plan *plan)
{
    return plan->count == PGS_COUNT_NONE ||
           (plan->count == PGS_COUNT_EMITS &&
            (plan->xfb == PGS_XFB_NONE || plan->xfb == PGS_XFB_COPY));
}

/* True if the draw may be cut: each part may run some of the vertex shader again, unless the
 * geometry shader runs it, and begins the pattern of stippled lines anew. */
static bool may_cut(const struct pgs_emulated_pipeline *pipeline, const struct pgs_draw_plan *plan)
{
    const bool stores = plan->raster == PGS_RASTER_STORED || plan->raster == PGS_RASTER_POLYGONS ||
                        plan->raster == PGS_RASTER_NONE;
    const bool joins = pipeline->joins_lines || pipeline->stipple.joins;
    return stores && pgs_plan_runs(plan, PGS_STAGE_GEOMETRY) && !joins &&
           plan->sizing == PGS_SIZE_CPU && counts_parts(plan) && !pipeline->vertex_has_effects;
}

/* Bytes of scratch that so many GS invocations take. */
static uint64_t part_B(const struct pgs_emulated_pipeline *pipeline,
                       const struct pgs_draw_call *call, const struct pgs_draw_plan *plan,
                       uint32_t gs_invocations)
{
    struct pgs_draw_plan part = *plan;
    part.gs_invocations = gs_invocations;
    part.vertices =
        pgs_plan_part_vertices(plan, call->count, pipeline->gs.invocations, gs_invocations);
    return pgs_scratch_B(pipeline, &part, call->count);
}

/* A round may have as much, whatever is left, so that there are not thousands. */
static uint64_t least_round_B(const struct pgs_device *dev)
{
    const uint64_t limit_B = pgs_memory_limit_B(dev->physical);
    return limit_B == UINT64_MAX ? 0 : limit_B / 16;
}

/* GS invocations of a round, which has half of the share, since the next command buffer needs some,
 * too. What parts have in common, such as vertices that the vertex shader stores, each makes again,
 * so a part has no less of its own than that. */
static uint64_t each_of(const struct pgs_device *dev, const struct pgs_emulated_pipeline *pipeline,
                        const struct pgs_draw_call *call, const struct pgs_draw_plan *plan,
                        uint64_t whole_B, uint64_t share_B)
{
    const uint64_t least_B = least_round_B(dev);
    const uint64_t room_B = share_B / 2 > least_B ? share_B / 2 : least_B;
    const uint64_t common_B = part_B(pipeline, call, plan, 0);
    const uint64_t each_B = (whole_B - common_B) / plan->gs_invocations + 1;
    const uint64_t own_B = room_B > 2 * common_B ? room_B - common_B : common_B;
    return own_B > each_B ? own_B / each_B : 1;
}

/* True if a part of this size keeps within VK_POLY_GS_MEMORY, or nothing else can draw it. */
static bool keeps_limit(const struct pgs_batch_memory *memory, const struct pgs_device *dev,
                        const struct pgs_emulated_pipeline *pipeline, uint64_t size_B)
{
    const uint64_t left_B = pgs_heap_left_B(dev), held_B = pgs_linear_held_B(memory->scratch);
    return left_B == UINT64_MAX || pipeline->has_effects || size_B <= left_B + held_B ||
           size_B <= least_round_B(dev);
}

static void log_rounds(uint64_t size_B, const struct pgs_rounds *rounds)
{
    const uint32_t count = (rounds->all - 1) / rounds->each + 1;
    if (count > 1)
        pgs_log_once(
            PGS_LOG_INFO,
            "a draw could store %llu MiB, so it goes in %u rounds, each with a part of its "
            "pass (VK_POLY_GS_HEAP)",
            (unsigned long long)(size_B >> 20), count);
}

static void find_stored(const struct pgs_batch_memory *memory, const struct pgs_device *dev,
                        const struct pgs_emulated_pipeline *pipeline,
                        const struct pgs_draw_call *call, const struct pgs_draw_plan *plan,
                        struct pgs_rounds *rounds)
{
    const uint64_t whole_B = part_B(pipeline, call, plan, plan->gs_invocations);
    const uint64_t near = near_B(dev, pipeline);
    if (!may_cut(pipeline, plan) || whole_B <= pgs_least_of(room_left_B(memory, dev), near))
        return;
    const uint64_t share_B = pgs_least_of(pgs_draw_share_B(dev, memory->scratch), near);
    const uint64_t most =
        whole_B <= share_B ? UINT32_MAX : each_of(dev, pipeline, call, plan, whole_B, share_B);
    const uint32_t each = most < plan->gs_invocations ? (uint32_t)most : plan->gs_invocations;
    if (!keeps_limit(memory, dev, pipeline, part_B(pipeline, call, plan, each)))
        return;
    *rounds = (struct pgs_rounds){
        .all = plan->gs_invocations,
        .each = each,
        .begins_anew = pgs_linear_left_B(memory->scratch) < pgs_linear_held_B(memory->scratch),
    };
    log_rounds(whole_B, rounds);
}

/* An indirect draw in rounds whose needs are read when it has been executed. */
struct pgs_rounds_watch {
    struct pgs_rounds_watch *next;
    const struct pgs_indirect_progress *progress;
    uint32_t number; /* of the pipeline, which may be gone */
};

/* Makes what the rounds of an indirect draw share. */
static VkResult watch(struct pgs_batch_memory *memory, uint32_t number, uint32_t draws,
                      VkDeviceAddress *progress)
{
    const size_t size_B =
        sizeof(struct pgs_indirect_progress) + draws * sizeof(struct pgs_indirect_kept);
    struct pgs_rounds_watch *made =
        pgs_arena_alloc(&memory->arena, sizeof(*made), _Alignof(struct pgs_rounds_watch));
    struct pgs_range range;
    if (!made)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const VkResult result = pgs_linear_alloc(memory->upload, size_B, PGS_SCRATCH_ALIGN_B, &range);
    if (result != VK_SUCCESS)
        return result;
    memset(range.mapped, 0, sizeof(struct pgs_indirect_progress));
    *made = (struct pgs_rounds_watch){
        .next = memory->in_rounds, .progress = range.mapped, .number = number};
    memory->in_rounds = made;
    *progress = range.address;
    return VK_SUCCESS;
}

/* Takes so many rounds of a call of `draws`, or as many as the command buffer may still have. One
 * is none. */
static uint32_t spend(struct pgs_batch_memory *memory, uint64_t wish, uint32_t draws)
{
    const uint32_t left = PGS_ROUNDS_MOST - memory->rounds_spent;
    const uint32_t records_left = PGS_ROUNDS_ALL_RECORDS - memory->records_spent;
    const uint32_t records = records_left < PGS_ROUNDS_RECORDS ? records_left : PGS_ROUNDS_RECORDS;
    const uint32_t of_call = records / draws;
    uint32_t most = left < PGS_ROUNDS ? left : PGS_ROUNDS;
    most = of_call < most ? of_call : most;
    const uint32_t count = wish < most ? (uint32_t)wish : most;
    if (count < 2)
        return 0;
    memory->rounds_spent += count;
    memory->records_spent += count * draws;
    return count;
}

/* Rounds in which a draw of unknown size could be done. What is lost of patches that need no other
 * memory than their own is too rare for what rounds cost that are executed again and again. */
static uint32_t rounds_of_unknown(struct pgs_device *dev, bool is_once, bool only_patches)
{
    const bool many = is_once && atomic_load_explicit(&dev->rounds_needed, memory_order_relaxed);
    if (only_patches && !is_once)
        return 0;
    return many ? PGS_ROUNDS : PGS_ROUNDS_UNKNOWN;
}

/* True if something of an indirect draw is lost without memory, and each round may draw a part. */
static bool may_share(const struct pgs_emulated_pipeline *pipeline,
                      const struct pgs_draw_plan *plan)
{
    const bool stores = plan->raster == PGS_RASTER_STORED || plan->raster == PGS_RASTER_POLYGONS ||
                        plan->raster == PGS_RASTER_NONE;
    if (!pipeline->goes_in_rounds || plan->sizing != PGS_SIZE_GPU || !plan->vital_pool)
        return false;
    if (!pipeline->tessellated)
        return stores && pgs_plan_runs(plan, PGS_STAGE_GEOMETRY);
    return plan->raster != PGS_RASTER_NATIVE &&
           !(pgs_raster_runs_shaders(plan->raster) && pgs_plan_stores_patches(pipeline, plan));
}

/* Rounds that an indirect draw should have. The worst case of patches is far from what comes true;
 * other guesses may be too low. Patches that need no other memory than their own were known to fit
 * before there were rounds: draws that have it have no more of them. */
static uint64_t wish_of(struct pgs_device *dev, const struct pgs_emulated_pipeline *pipeline,
                        bool is_once, const struct pgs_draw_plan *plan, uint64_t size_B,
                        uint64_t share_B)
{
    const bool patches = pipeline->tessellated, stores = pgs_plan_stores_patches(pipeline, plan);
    const uint32_t unknown = rounds_of_unknown(dev, is_once, patches && !stores);
    if (!size_B)
        return unknown;
    const bool known = needed_B(dev, pipeline);
    if (!patches || stores == known)
        return size_B / (share_B / PGS_ROUNDS_GROWTH) + 1;
    const uint64_t just = size_B / share_B + (size_B % share_B != 0);
    return known || just < unknown ? just : unknown;
}

/* What the pool should hold. Patches have as much as they had without rounds: a draw may be far
 * larger than those before it. */
static uint64_t room_of_B(struct pgs_device *dev, const struct pgs_emulated_pipeline *pipeline,
                          const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                          const struct pgs_draw_plan *plan, uint64_t size_B)
{
    if (!pipeline->tessellated)
        return size_B;
    const uint64_t probable_B = pgs_probable_B(dev, pipeline, state, call, plan, 0);
    return size_B > probable_B ? size_B : probable_B;
}

static VkResult find_shared(struct pgs_batch_memory *memory, struct pgs_device *dev,
                            const struct pgs_emulated_pipeline *pipeline,
                            const struct pgs_graphics_state *state,
                            const struct pgs_draw_call *call, const struct pgs_draw_plan *plan,
                            struct pgs_rounds *rounds)
{
    if (!may_share(pipeline, plan))
        return VK_SUCCESS;
    const uint64_t size_B = likely_B(dev, pipeline, state, call, plan);
    const uint64_t room_B = room_of_B(dev, pipeline, state, call, plan, size_B);
    const uint64_t least_B = least_share_B(dev, pipeline, plan);
    const uint64_t share_B = pgs_draw_pool_share_B(dev, memory->pooled, room_B, least_B);
    const uint64_t wish = wish_of(dev, pipeline, state->is_once, plan, size_B, share_B);
    const uint32_t count = spend(memory, wish, plan->subdraw_count);
    if (!count)
        return VK_SUCCESS;
    const VkResult result = watch(memory, pipeline->number, plan->subdraw_count, &rounds->progress);
    if (result != VK_SUCCESS)
        return result;
    rounds->all = count;
    rounds->each = 1;
    rounds->share_B = share_B;
    rounds->begins_anew = memory->pass_pools[PGS_POOL_SHARE];
    return VK_SUCCESS;
}

VkResult pgs_rounds_find(struct pgs_batch_memory *memory, struct pgs_device *dev,
                         const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                         const struct pgs_draw_plan *plan, struct pgs_rounds *rounds)
{
    const struct pgs_emulated_pipeline *pipeline =
        state->pipeline ? state->pipeline : state->counted;
    if (call->indirect)
        return find_shared(memory, dev, pipeline, state, call, plan, rounds);
    if (pipeline->tessellated)
        find_tessellated(memory, dev, pipeline, plan, rounds);
    else
        find_stored(memory, dev, pipeline, call, plan, rounds);
    return VK_SUCCESS;
}

void pgs_rounds_read(struct pgs_batch_memory *memory, struct pgs_device *dev)
{
    for (const struct pgs_rounds_watch *watch = memory->in_rounds; watch; watch = watch->next) {
        struct pgs_indirect_progress progress;
        memcpy(&progress, watch->progress, sizeof(progress));
        if (pgs_learned_of(&dev->learned, PGS_LEARNED_ROUNDS, watch->number) <
            progress.needed_units)
            pgs_learn(&dev->learned, PGS_LEARNED_ROUNDS, watch->number, progress.needed_units);
        if (progress.rounds > 1)
            atomic_store_explicit(&dev->rounds_needed, true, memory_order_relaxed);
    }
    memory->in_rounds = NULL;
    memory->rounds_spent = 0;
    memory->records_spent = 0;
}
