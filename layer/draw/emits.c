/* SPDX-License-Identifier: MIT */
#include "draw/emits.h"

#include "base/log.h"
#include "pipeline/inline_list.h"

#include <stddef.h>
#include <string.h>

/* What a device learns of a pipeline: the recordings since one was to tell, how many may pass
 * before the next one is to, as a power of two, and the share + 1, 0: not known. */
#define PASSED_SHIFT 16
#define EVERY_SHIFT 8

/* A stored draw where inline ones are faster costs a few per cent, and so do inline draws the other
 * way round until one is stored again. So the first ones follow each other soon. */
#define EVERY_LEAST_LOG2 2
#define EVERY_MOST_LOG2 4

/* Words that the CPU reads of a command buffer: they may lie behind a bus. */
#define MOST_TELL 8

/* So many per cent more, and draws gain from being inline that are so many times as large
 * (PGS_COST_PASS_DENSE). */
#define DENSER_PERCENT 20
#define DENSER_TIMES 10

/* Points to strips of up to 64 triangles, of lengths that differ, took an H200 so many us, stored
 * and as joined strips, which shade all that may come:
 *
 *   drawn    2000        5000        10 000      30 000       100 000 points
 *    30 %    67,  94     141, 223    264, 441     763, 1314   2550, 4366
 *    41 %    90,  98     196, 223    375, 442    1109, 1314   3686, 4366
 *    48 %   102, 104     227, 223    434, 442    1294, 1314   4292, 4366
 *    53 %   112, 110     252, 237    486, 466    1457, 1386   4826, 4619
 *    62 %   130, 121     295, 280    575, 554    1725, 1649   5714, 5493
 *    76 %   157, 144     362, 346    710, 685    2130, 2045   7045, 6804
 *
 * So they must emit more than lists, but then any number that was measured takes less. */
#define JOINED_PERCENT 5
#define JOINED_TIMES 12

/* Emits that are static, in a draw with an index list, shade what a stored draw does, or less of it
 * if much is left out. The rig's points to quads, all of which come, took an H200 0.827, 0.994 and
 * 0.999 of the native time inline for 100 000, 64 draws of 1000 and 1 000 000, stored 0.886, 1.080
 * and 1.049. */
#define INDEXED_PERCENT 90
#define INDEXED_TIMES 100

struct known {
    uint32_t number, passed, every_log2;
    uint32_t share; /* percent + 1; 0: not known */
};

/* A draw that tells. */
struct pgs_emits_told {
    struct pgs_emits_told *next;
    const void *mapped; /* arguments, with its indices or what the CPU wrote: UINT32_MAX */
    uint32_t slices;    /* of them, for parts of it (slices.h) */
    uint32_t number;    /* of its pipeline, which may be gone */
    uint32_t strip_el, kind;
    enum pgs_emits_inline in_line;
    bool lists;
    uint64_t most; /* primitives */
};

static struct known known_of(struct pgs_device *dev, uint32_t number)
{
    const uint32_t word = pgs_learned_of(&dev->learned, PGS_LEARNED_EMITS, number);
    return (struct known){
        .number = number,
        .passed = word >> PASSED_SHIFT,
        .every_log2 = word >> EVERY_SHIFT & 0xFF,
        .share = word & 0xFF,
    };
}

static void put(struct pgs_device *dev, const struct known *known)
{
    pgs_learn(&dev->learned, PGS_LEARNED_EMITS, known->number,
              known->passed << PASSED_SHIFT | known->every_log2 << EVERY_SHIFT | known->share);
}

static bool is_due(const struct known *known)
{
    return !known->share || known->passed >> known->every_log2;
}

uint64_t pgs_emits_most_el(const struct pgs_costs *costs, uint32_t percent,
                           enum pgs_emits_inline in_line)
{
    const uint64_t most_el = costs->of[PGS_COST_PASS_DENSE];
    const uint32_t least = costs->of[PGS_COST_DENSE_SHARE];
    switch (in_line) {
    case PGS_EMITS_LISTS:
        break;
    case PGS_EMITS_JOINED:
        return percent < least + JOINED_PERCENT ? 0 : JOINED_TIMES * most_el;
    case PGS_EMITS_INDEXED:
        return percent < INDEXED_PERCENT ? 0 : INDEXED_TIMES * most_el;
    }
    if (percent < least)
        return 0;
    return percent < least + DENSER_PERCENT ? most_el : DENSER_TIMES * most_el;
}

static enum pgs_emits_inline inline_of(const struct pgs_emulated_pipeline *pipeline)
{
    if (pipeline->indexed_el)
        return PGS_EMITS_INDEXED;
    return pipeline->joined_el && pipeline->gs.skips_emits ? PGS_EMITS_JOINED : PGS_EMITS_LISTS;
}

void pgs_emits_rules(const struct pgs_emulated_pipeline *pipeline, struct pgs_device *dev,
                     struct pgs_plan_rules *rules)
{
    if (!pipeline || !pipeline->learns_emits)
        return;
    const struct known known = known_of(dev, pipeline->number);
    if (!is_due(&known))
        rules->dense_el =
            pgs_emits_most_el(&dev->physical->traits.costs, known.share - 1, inline_of(pipeline));
}

static bool would_gain(const struct pgs_draw_plan *plan)
{
    return plan->why == PGS_WHY_DYNAMIC || (plan->why == PGS_WHY_LONG && plan->has_short_loops);
}

/* True if it would be inline if more were emitted, or is since much is. Of a draw in rounds that is
 * its first part. */
static bool depends(const struct pgs_draw *draw)
{
    const struct pgs_draw_plan *plan = &draw->plan;
    if (plan->raster == PGS_RASTER_INLINE_GS)
        return plan->is_dense;
    if (plan->expand == PGS_EXPAND_CUT && pgs_plan_lists_primitives(plan))
        return false; /* what is left out would not count, and it stays stored */
    return plan->raster == PGS_RASTER_STORED && plan->sizing == PGS_SIZE_CPU &&
           plan->subdraw_count == 1 && (plan->is_part ? !plan->gs_first : would_gain(plan));
}

/* True if it has counts to tell. Small ones are chained, so their counts are those of several. */
static bool can_tell(const struct pgs_draw *draw)
{
    const struct pgs_draw_plan *plan = &draw->plan;
    const uint64_t most_el =
        pgs_emits_most_el(&draw->dev->physical->traits.costs, 100, inline_of(draw->pipeline));
    return plan->raster == PGS_RASTER_STORED && !plan->direct_indices &&
           plan->gs_invocations > PGS_TILE_EL && plan->inline_vertices &&
           (uint64_t)plan->gs_invocations * plan->inline_vertices <= most_el;
}

/* True the first time since the reset of the memory. */
static bool is_first(struct pgs_batch_memory *memory, uint32_t number)
{
    const uint32_t slot = number % PGS_TIER_SLOTS;
    uint64_t *noted = &memory->emits_noted[slot / 64];
    const uint64_t bit = UINT64_C(1) << slot % 64;
    const bool first = !(*noted & bit);
    *noted |= bit;
    return first;
}

void pgs_emits_note(struct pgs_draw *draw, struct pgs_batch_memory *memory)
{
    draw->tells = false;
    if (!draw->pipeline || !draw->pipeline->learns_emits || !depends(draw))
        return;
    struct known known = known_of(draw->dev, draw->pipeline->number);
    draw->tells = is_due(&known) && can_tell(draw);
    const bool first = is_first(memory, known.number);
    if (!known.share || (!draw->tells && !first))
        return;
    if (draw->tells)
        known.passed = 0;
    else if (known.passed < UINT16_MAX)
        known.passed++;
    put(draw->dev, &known);
}

static uint32_t longest_strip_el(const struct pgs_emulated_pipeline *pipeline)
{
    const struct pgs_spv_geometry_info *gs = &pipeline->gs;
    const uint32_t dynamic_el = gs->longest_strip_el ? gs->longest_strip_el : gs->max_vertices;
    return pipeline->indexed_el ? pipeline->indexed_el : dynamic_el;
}

/* Of a GS invocation. */
static uint32_t most_primitives(const struct pgs_emulated_pipeline *pipeline)
{
    const struct pgs_spv_geometry_info *gs = &pipeline->gs;
    return gs->pattern.is_known ? gs->pattern.primitives[pipeline->raster_stream]
                                : pgs_spv_most_primitives(gs);
}

static VkResult seal(struct pgs_draw *draw, struct pgs_batch_memory *memory)
{
    static const size_t at_B = offsetof(struct pgs_draw_record, draw_args);
    const struct pgs_spv_geometry_info *gs = &draw->pipeline->gs;
    struct pgs_emits_told *told =
        pgs_arena_alloc(&memory->arena, sizeof(*told), _Alignof(struct pgs_emits_told));
    if (!told)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const uint32_t slices = draw->plan.slices ? draw->plan.slices : 1;
    const size_t args_B = slices * sizeof(VkDrawIndexedIndirectCommand);
    struct pgs_range range;
    const VkResult result = pgs_linear_try(memory->upload, args_B, PGS_SCRATCH_ALIGN_B, &range);
    if (result != VK_SUCCESS)
        return result;
    memset(range.mapped, 0xFF, args_B);
    memcpy((unsigned char *)draw->subdraws[0].record.mapped + at_B, &range.address,
           sizeof(range.address));
    draw->told_args = range;
    *told = (struct pgs_emits_told){
        .next = memory->told,
        .mapped = range.mapped,
        .slices = slices,
        .number = draw->pipeline->number,
        .strip_el = longest_strip_el(draw->pipeline),
        .kind = gs->output_kind,
        .in_line = inline_of(draw->pipeline),
        .lists = pgs_plan_lists_primitives(&draw->plan),
        .most = (uint64_t)draw->plan.gs_invocations * most_primitives(draw->pipeline),
    };
    memory->told = told;
    return VK_SUCCESS;
}

void pgs_emits_seal(struct pgs_draw *draws, struct pgs_batch_memory *memory)
{
    uint32_t count = 0;
    for (const struct pgs_emits_told *told = memory->told; told; told = told->next)
        count++;
    for (; draws && count < MOST_TELL; draws = draws->next)
        if (draws->tells && !draws->told_args.buffer && draws->call_count == 1 && !draws->chains)
            count += seal(draws, memory) == VK_SUCCESS;
}

/* Primitives of so many indices, if strips are as long as they may be. Each ends in an index. */
static uint64_t primitives_of(const struct pgs_emits_told *told, uint64_t indices)
{
    if (told->kind < 2)
        return indices;
    if (told->lists)
        return indices / told->kind;
    return indices * (told->strip_el + 1 - told->kind) / (told->strip_el + 1);
}

static void learn(struct pgs_device *dev, const struct pgs_emits_told *told, uint64_t primitives,
                  uint64_t most)
{
    struct known known = known_of(dev, told->number);
    const struct pgs_costs *costs = &dev->physical->traits.costs;
    const uint32_t percent = primitives < most ? (uint32_t)(100 * primitives / most) : 100;
    const uint64_t most_el = pgs_emits_most_el(costs, percent, told->in_line);
    const bool stays =
        known.share && pgs_emits_most_el(costs, known.share - 1, told->in_line) == most_el;
    if (!stays)
        pgs_log(PGS_LOG_DEBUG, "draws of pipeline %u emit %u %% of what they may: %s", told->number,
                percent, most_el ? "inline" : "not inline if they are many");
    if (!stays)
        known.every_log2 = EVERY_LEAST_LOG2;
    else if (known.every_log2 < EVERY_MOST_LOG2)
        known.every_log2++;
    known.share = percent + 1;
    put(dev, &known);
}

/* UINT64_MAX: it was not executed. */
static uint64_t indices_of(const struct pgs_emits_told *told)
{
    const unsigned char *args = told->mapped;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < told->slices; i++) {
        uint32_t indices;
        memcpy(&indices, args + i * sizeof(VkDrawIndexedIndirectCommand), sizeof(indices));
        if (indices == UINT32_MAX)
            return UINT64_MAX;
        sum += indices;
    }
    return sum;
}

/* Adds up what draws of one pipeline tell. */
static void read_pipeline(struct pgs_emits_told *first, struct pgs_device *dev)
{
    uint64_t primitives = 0, most = 0;
    const uint32_t number = first->number;
    for (struct pgs_emits_told *told = first; told; told = told->next) {
        if (told->number != number || !told->mapped)
            continue;
        const uint64_t indices = indices_of(told);
        told->mapped = NULL;
        if (indices == UINT64_MAX)
            continue;
        primitives += primitives_of(told, indices);
        most += told->most;
    }
    if (most)
        learn(dev, first, primitives, most);
}

void pgs_emits_read(struct pgs_batch_memory *memory, struct pgs_device *dev)
{
    for (struct pgs_emits_told *told = memory->told; told; told = told->next)
        read_pipeline(told, dev);
    memory->told = NULL;
    memset(memory->emits_noted, 0, sizeof(memory->emits_noted));
}
