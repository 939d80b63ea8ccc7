/* SPDX-License-Identifier: MIT */
#include "draw/compute.h"

#include "memory/memory.h"

#include <string.h>

#define PGS_SCRATCH_ALIGN_B 16

static uint32_t layout_sets(const struct pgs_emulated_pipeline *pipeline)
{
    const uint32_t count = pipeline->layout->set_count;
    return count < PGS_MAX_SETS ? count : PGS_MAX_SETS;
}

struct pgs_draw *pgs_draw_new(struct pgs_arena *arena, struct pgs_device *dev,
                              const struct pgs_graphics_state *state,
                              const struct pgs_draw_plan *plan)
{
    const uint32_t set_count = layout_sets(state->pipeline);
    uint32_t offset_count = 0;
    for (uint32_t i = 0; i < set_count; i++)
        offset_count += state->dynamic_count[i];

    struct pgs_draw *draw = pgs_arena_alloc(arena, sizeof(*draw), _Alignof(struct pgs_draw));
    struct pgs_draw_part *parts =
        pgs_arena_alloc(arena, plan->part_count * sizeof(*parts), _Alignof(struct pgs_draw_part));
    VkDescriptorSet *sets =
        pgs_arena_alloc(arena, set_count * sizeof(*sets), _Alignof(VkDescriptorSet));
    uint32_t *numbers =
        pgs_arena_alloc(arena, (set_count + offset_count) * sizeof(*numbers), _Alignof(uint32_t));
    if (!draw || !parts || !sets || !numbers)
        return NULL;
    *draw = (struct pgs_draw){
        .dev = dev,
        .pipeline = state->pipeline,
        .plan = *plan,
        .parts = parts,
        .set_count = set_count,
        .sets = sets,
        .dynamic_counts = numbers,
        .dynamic_offsets = numbers + set_count,
    };
    memset(parts, 0, plan->part_count * sizeof(*parts));
    for (uint32_t i = 0; i < set_count; i++) {
        sets[i] = state->sets[i];
        draw->dynamic_counts[i] = state->dynamic_count[i];
        memcpy(draw->dynamic_offsets + draw->dynamic_offset_count, state->dynamic_offsets[i],
               state->dynamic_count[i] * sizeof(*draw->dynamic_offsets));
        draw->dynamic_offset_count += state->dynamic_count[i];
    }
    return draw;
}

/* One array of scratch; nothing for an empty one. */
static VkResult take(struct pgs_linear *scratch, uint64_t size_B, struct pgs_range *range)
{
    *range = (struct pgs_range){0};
    return size_B ? pgs_linear_alloc(scratch, size_B, PGS_SCRATCH_ALIGN_B, range) : VK_SUCCESS;
}

static VkResult take_draw_ranges(const struct pgs_draw *draw, struct pgs_linear *scratch,
                                 struct pgs_draw_ranges *ranges)
{
    struct pgs_draw_sizes sizes;
    pgs_draw_sizes(draw->pipeline, &draw->plan, draw->vertex_count, &sizes);
    VkResult result = take(scratch, sizes.vertices_B, &ranges->vertices);
    if (result == VK_SUCCESS)
        result = take(scratch, sizes.primitive_list_B, &ranges->primitive_list);
    if (result == VK_SUCCESS)
        result = take(scratch, sizes.restart_tiles_B, &ranges->restart_tiles);
    if (result == VK_SUCCESS)
        result = take(scratch, sizes.restart_count_B, &ranges->restart_count);
    return result;
}

static VkResult take_part_ranges(const struct pgs_draw *draw, uint32_t units,
                                 struct pgs_linear *scratch, struct pgs_part_ranges *ranges)
{
    struct pgs_part_sizes sizes;
    pgs_part_sizes(&draw->pipeline->gs, units, &sizes);
    VkResult result = take(scratch, sizes.slots_B, &ranges->slots);
    if (result == VK_SUCCESS)
        result = take(scratch, sizes.cuts_B, &ranges->cuts);
    if (result == VK_SUCCESS)
        result = take(scratch, sizes.counts_B, &ranges->counts);
    if (result == VK_SUCCESS)
        result = take(scratch, sizes.tile_sums_B, &ranges->tile_sums);
    if (result == VK_SUCCESS)
        result = take(scratch, sizes.indices_B, &ranges->indices);
    if (result == VK_SUCCESS)
        result = take(scratch, sizes.draw_args_B, &ranges->draw_args);
    return result;
}

VkResult pgs_compute_prepare(struct pgs_draw *draw, const struct pgs_graphics_state *state,
                             const struct pgs_draw_call *call, struct pgs_linear *upload,
                             struct pgs_linear *scratch)
{
    draw->vertex_count = call->count;
    struct pgs_draw_ranges shared;
    VkResult result = take_draw_ranges(draw, scratch, &shared);
    if (result != VK_SUCCESS)
        return result;
    struct pgs_draw_record record;
    pgs_record_fill_draw(&record, draw->dev, state, call, &draw->plan, &shared);
    const size_t record_B = pgs_record_size(draw->pipeline);
    for (uint32_t i = 0; i < draw->plan.part_count; i++) {
        struct pgs_draw_part *part = &draw->parts[i];
        struct pgs_part_ranges ranges;
        part->units = pgs_part_unit_count(&draw->plan, i);
        result = take_part_ranges(draw, part->units, scratch, &ranges);
        if (result == VK_SUCCESS)
            result = pgs_linear_alloc(upload, record_B, PGS_SCRATCH_ALIGN_B, &part->record);
        if (result != VK_SUCCESS)
            return result;
        part->indices = ranges.indices;
        part->draw_args = ranges.draw_args;
        pgs_record_fill_part(&record, &draw->plan, i, &ranges);
        /* In one go: the memory may be write-combined. */
        memcpy(part->record.mapped, &record, record_B);
    }
    return VK_SUCCESS;
}

/* The first part is the largest, so what it does without, all do. */
static bool needs_kernel(const struct pgs_draw_plan *plan, enum pgs_kernel kernel)
{
    switch (kernel) {
    case PGS_KERNEL_RESTART_TILES:
    case PGS_KERNEL_RESTART_SCAN:
    case PGS_KERNEL_RESTART_EMIT:
        return plan->restart;
    case PGS_KERNEL_COUNT_TILES:
        return !plan->discard && pgs_needs_count_tiles(plan->part_units);
    case PGS_KERNEL_SCAN_TILES:
        return !plan->discard && pgs_needs_scan_tiles(plan->part_units);
    case PGS_KERNEL_SETUP:
    case PGS_KERNEL_CAPTURE_TILES:
    case PGS_KERNEL_CAPTURE_SCAN:
    case PGS_KERNEL_FEEDBACK:
    case PGS_KERNEL_CAPTURE_GEOMETRY:
    case PGS_KERNEL_CAPTURE_VERTICES:
    case PGS_KERNEL_QUERY_COPY:
        return false;
    default:
        return !plan->discard;
    }
}

VkResult pgs_kernels_fetch(struct pgs_device *dev, const struct pgs_draw_plan *plan,
                           struct pgs_kernels *kernels)
{
    for (int k = 0; k < PGS_KERNEL_COUNT; k++) {
        if (!needs_kernel(plan, k) || kernels->pipelines[k])
            continue;
        const VkResult result = pgs_kernel_get(dev, k, &kernels->pipelines[k], &kernels->layout);
        if (result != VK_SUCCESS)
            return result;
    }
    return VK_SUCCESS;
}
