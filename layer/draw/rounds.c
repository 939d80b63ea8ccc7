/* SPDX-License-Identifier: MIT */
#include "draw/rounds.h"

#include "draw/probable.h"
#include "draw/sizes.h"

/* As many are recorded at first. */
#define PGS_ROUNDS 64u

/* The most that the draw can take from its pool. */
static uint64_t worst_B(struct pgs_device *dev, const struct pgs_emulated_pipeline *pipeline,
                        const struct pgs_draw_plan *plan)
{
    return plan->sizing == PGS_SIZE_GPU
               ? PGS_POOL_UNKNOWN_B
               : pgs_tess_worst_B(pgs_max_record_vertices(dev, pipeline), pipeline, plan);
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

VkResult pgs_rounds_pool(struct pgs_batch_memory *memory, const void *batch,
                         const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                         struct pgs_draw *draw)
{
    const struct pgs_draw_plan *plan = &draw->plan;
    uint64_t wanted_B = worst_B(draw->dev, draw->pipeline, plan);
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

void pgs_rounds_find(const struct pgs_batch_memory *memory, struct pgs_device *dev,
                     const struct pgs_emulated_pipeline *pipeline, const struct pgs_draw_plan *plan,
                     struct pgs_rounds *rounds)
{
    if (!plan->vital_pool || plan->sizing == PGS_SIZE_GPU || !plan->patches)
        return;
    const uint64_t whole_B = worst_B(dev, pipeline, plan);
    if (pgs_draw_pool_kind(memory->pass_pools[PGS_POOL_SURE], dev, whole_B) == PGS_POOL_SURE ||
        fits(memory, dev, plan, whole_B))
        return;
    *rounds = (struct pgs_rounds){
        .patches = plan->patches,
        .each = patches_in(pgs_draw_pool_round_B(dev, memory->pooled), dev, pipeline, plan),
        .begins_anew = taken_B(memory) != 0,
    };
}
