/* SPDX-License-Identifier: MIT */
#include "draw/tier.h"

#include "draw/plan_inline.h"
#include "pipeline/stored_ahead.h"

#include <stddef.h>
#include <string.h>

/* Records of one call that are read: the others will be like them. */
#define MOST_READ 256

/* A draw whose size the CPU does not know. */
struct pgs_tier_watch {
    struct pgs_tier_watch *next;
    const struct pgs_draw *draw;
    uint32_t number, inline_steps, small; /* of its pipeline, which may be gone */
    bool tessellated;
};

static _Atomic uint32_t *spent_of(struct pgs_device *dev, uint32_t number)
{
    return &dev->inline_ksteps[number % PGS_TIER_SLOTS];
}

/* Thousands of steps that draws of a pipeline may have inline. */
static uint32_t most_ksteps(const struct pgs_device *dev)
{
    return dev->physical->traits.costs.of[PGS_COST_CPU_KSTEPS];
}

static uint32_t spent(struct pgs_device *dev, uint32_t number)
{
    return atomic_load_explicit(spent_of(dev, number), memory_order_relaxed);
}

/* What exceeds the limit does not matter. */
static void add(struct pgs_device *dev, uint32_t number, uint64_t ksteps)
{
    const uint32_t most = most_ksteps(dev);
    if (spent(dev, number) < most)
        atomic_fetch_add_explicit(spent_of(dev, number), ksteps < most ? (uint32_t)ksteps : most,
                                  memory_order_relaxed);
}

void pgs_tier_rules(const struct pgs_emulated_pipeline *pipeline,
                    const struct pgs_graphics_state *state, struct pgs_device *dev,
                    struct pgs_plan_rules *rules)
{
    if (!pipeline || !pgs_plan_has_tiers(pipeline))
        return;
    const uint32_t so_far = spent(dev, pipeline->number), most = most_ksteps(dev);
    if (so_far >= most / 2)
        pgs_stored_expect(pipeline);
    if (so_far >= most)
        return;
    rules->trusts_size = true;
    if (state->is_once && !pgs_stored_is_made(pipeline))
        rules->spare_ksteps = most - so_far;
}

void pgs_tier_charge(const struct pgs_emulated_pipeline *pipeline, const struct pgs_draw_plan *plan,
                     struct pgs_device *dev)
{
    if (plan->extra_ksteps)
        add(dev, pipeline->number, plan->extra_ksteps);
}

VkResult pgs_tier_watch(struct pgs_batch_memory *memory, const struct pgs_draw *draw)
{
    struct pgs_tier_watch *watch =
        pgs_arena_alloc(&memory->arena, sizeof(*watch), _Alignof(struct pgs_tier_watch));
    if (!watch)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    *watch = (struct pgs_tier_watch){
        .next = memory->watched,
        .draw = draw,
        .number = draw->pipeline->number,
        .inline_steps = draw->pipeline->inline_steps,
        .small = draw->pipeline->small_gs_invocations,
        .tessellated = draw->pipeline->tessellated,
    };
    memory->watched = watch;
    return VK_SUCCESS;
}

static uint32_t word_at(const struct pgs_range *range, size_t offset_B)
{
    uint32_t word;
    memcpy(&word, (const unsigned char *)range->mapped + offset_B, sizeof(word));
    return word;
}

/* Primitives of a draw by patch. */
static uint64_t size_of_patches(const struct pgs_tier_watch *watch,
                                const struct pgs_subdraw *subdraw)
{
    const uint32_t each =
        word_at(&subdraw->tessellation, offsetof(struct pgs_tessellation, inline_vertices));
    uint64_t vertices = 0;
    for (uint32_t i = 0; i < watch->draw->plan.patches; i++)
        vertices += word_at(&subdraw->inline_args, i * sizeof(VkDrawIndirectCommand));
    return vertices / each;
}

/* GS invocations, or tessellated primitives. */
static uint64_t size_of(const struct pgs_tier_watch *watch, const struct pgs_subdraw *subdraw)
{
    if (watch->draw->plan.by_patch)
        return size_of_patches(watch, subdraw);
    if (watch->tessellated)
        return word_at(&subdraw->tessellation, offsetof(struct pgs_tessellation, primitive_count));
    const struct pgs_range *record = &subdraw->record;
    const uint64_t primitives =
        (uint64_t)word_at(record, offsetof(struct pgs_draw_record, primitive_count)) *
        word_at(record, offsetof(struct pgs_draw_record, instance_count));
    const uint64_t most = UINT32_MAX; /* of draws that the layer draws */
    return (primitives < most ? primitives : most) *
           word_at(record, offsetof(struct pgs_draw_record, invocations));
}

static void read_draw(const struct pgs_tier_watch *watch, struct pgs_device *dev)
{
    const struct pgs_draw *draw = watch->draw;
    uint64_t size = 0;
    for (uint32_t i = 0; i < draw->plan.subdraw_count && i < MOST_READ && size < UINT32_MAX; i++) {
        const struct pgs_subdraw subdraw = pgs_draw_subdraw(draw, i);
        size += size_of(watch, &subdraw);
    }
    if (size <= watch->small)
        return;
    const uint64_t ksteps = (size < UINT32_MAX ? size : UINT32_MAX) * watch->inline_steps / 1000;
    add(dev, watch->number, ksteps);
}

void pgs_tier_read(struct pgs_batch_memory *memory, struct pgs_device *dev)
{
    for (const struct pgs_tier_watch *watch = memory->watched; watch; watch = watch->next)
        read_draw(watch, dev);
    memory->watched = NULL;
}
