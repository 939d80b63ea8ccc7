/* SPDX-License-Identifier: MIT */
#include "draw/patches.h"

#include "base/log.h"
#include "base/numbers.h"
#include "pipeline/tessellation.h"

#include <stddef.h>
#include <string.h>

/* Words that the CPU reads of a command buffer: they may lie behind a bus. */
#define MOST_TELL 8

/* A draw that tells. */
struct pgs_patches_told {
    struct pgs_patches_told *next;
    const void *mapped; /* its pgs_tessellation; NULL: read */
    uint32_t number;    /* of its pipeline, which may be gone */
    uint32_t patches, vertices_each;
};

/* Pipelines whose draws could be either. */
static bool learns(const struct pgs_emulated_pipeline *pipeline, const struct pgs_device *dev)
{
    return pipeline && pipeline->tes_stored && !pgs_runs_on_cpu(dev->physical) &&
           pgs_pipeline_has(pipeline, PGS_VARIANT_INLINE);
}

void pgs_patches_rules(const struct pgs_emulated_pipeline *pipeline, struct pgs_device *dev,
                       struct pgs_plan_rules *rules)
{
    if (learns(pipeline, dev))
        rules->more_each = pgs_learned_of(&dev->learned, PGS_LEARNED_PATCHES, pipeline->number);
}

/* True if it is inline or stored as levels demand, and not a part of a draw. */
static bool depends(const struct pgs_draw_plan *plan)
{
    if (plan->sizing != PGS_SIZE_CPU || plan->patch_count || plan->is_part)
        return false;
    return plan->raster == PGS_RASTER_INLINE_TES || plan->raster == PGS_RASTER_TES_STORED_OR_INLINE;
}

void pgs_patches_note(struct pgs_batch_memory *memory, struct pgs_draw *draw)
{
    if (!learns(draw->pipeline, draw->dev) || !depends(&draw->plan))
        return;
    if (draw->plan.raster == PGS_RASTER_INLINE_TES)
        memory->evaluated_more += pgs_more_evaluated(
            draw->pipeline,
            pgs_learned_of(&draw->dev->learned, PGS_LEARNED_PATCHES, draw->pipeline->number),
            draw->plan.patches);
    if (memory->patches_told_count == MOST_TELL)
        return;
    struct pgs_patches_told *told =
        pgs_arena_alloc(&memory->arena, sizeof(*told), _Alignof(struct pgs_patches_told));
    if (!told)
        return;
    *told = (struct pgs_patches_told){
        .next = memory->patches_told,
        .mapped = draw->subdraws[0].tessellation.mapped,
        .number = draw->pipeline->number,
        .patches = draw->plan.patches,
        .vertices_each = pgs_tessellated_primitive_vertices(draw->pipeline),
    };
    memory->patches_told = told;
    memory->patches_told_count++;
    draw->tells_patches = true;
}

static void learn(struct pgs_device *dev, uint32_t number, uint64_t more, uint64_t patches)
{
    const uint32_t each = pgs_clamp_to_u32(more * PGS_MORE_PATCHES / patches);
    const uint32_t kept = each < UINT32_MAX ? each + 1 : each;
    pgs_log(PGS_LOG_DEBUG,
            "patches of pipeline %u: inline, %u evaluate %u vertices more than stored", number,
            PGS_MORE_PATCHES, each);
    pgs_learn(&dev->learned, PGS_LEARNED_PATCHES, number, kept);
}

/* Adds up what draws of one pipeline tell. One without vertices may not have been executed. */
static void read_pipeline(struct pgs_patches_told *first, struct pgs_device *dev)
{
    uint64_t more = 0, patches = 0;
    const uint32_t number = first->number;
    for (struct pgs_patches_told *told = first; told; told = told->next) {
        struct pgs_tessellation made;
        if (told->number != number || !told->mapped)
            continue;
        memcpy(&made, told->mapped, sizeof(made));
        told->mapped = NULL;
        const uint64_t corners = (uint64_t)made.primitive_count * told->vertices_each;
        if (!made.vertex_count || !made.primitive_count)
            continue;
        more += corners > made.vertex_count ? corners - made.vertex_count : 0;
        patches += told->patches;
    }
    if (patches)
        learn(dev, number, more, patches);
}

void pgs_patches_read(struct pgs_batch_memory *memory, struct pgs_device *dev)
{
    for (struct pgs_patches_told *told = memory->patches_told; told; told = told->next)
        read_pipeline(told, dev);
    memory->patches_told = NULL;
    memory->patches_told_count = 0;
}
