/* SPDX-License-Identifier: MIT */
#include "draw/chain.h"

#include "draw/listing.h"
#include "draw/plan.h"
#include "draw/sizes.h"

#include <stddef.h>
#include <string.h>

#define MEMBER(name) offsetof(struct pgs_draw_record, name)

/* Two arrays of vertices, places by a counter, and primitives by stream lie across all GS
 * invocations of a record, and stipples go on from one to the next. Where vertices are spread only
 * shaders that list themselves know the place. Records of further calls lack what lies behind
 * PGS_CHAIN_LIST_B, such as the viewport of draws that look for what covers nothing. */
bool pgs_can_chain(const struct pgs_draw *draw)
{
    const struct pgs_draw_plan *plan = &draw->plan;
    const uint32_t gs_invocations = draw->subdraws[0].gs_invocations;
    return plan->raster == PGS_RASTER_STORED && !plan->direct_indices && !plan->packed &&
           !(plan->spread && !plan->self_listed) && !plan->gathered && !plan->finds_uncovered &&
           !pgs_plan_lists_primitives(plan) && !pgs_plan_runs(plan, PGS_STAGE_TESS_COUNT) &&
           !draw->pipeline->gs.out_head_w && draw->pipeline->gs.max_vertices &&
           !draw->pipeline->joins_lines && gs_invocations && gs_invocations <= PGS_TILE_EL;
}

static void note(struct pgs_chain_arrays *arrays, size_t member, uint64_t call_B)
{
    if (!call_B)
        return;
    arrays->members[arrays->count] = (uint16_t)member;
    arrays->call_B[arrays->count++] = call_B;
}

void pgs_chain_arrays_find(const struct pgs_draw *draw, struct pgs_chain_arrays *arrays)
{
    const struct pgs_spv_geometry_info *gs = &draw->pipeline->gs;
    const uint32_t gs_invocations = draw->subdraws[0].gs_invocations;
    struct pgs_draw_sizes shared;
    struct pgs_subdraw_sizes own;
    pgs_draw_sizes(draw->pipeline, &draw->plan, draw->vertex_count, &shared);
    pgs_subdraw_sizes(gs, &draw->plan, gs_invocations, &own);
    arrays->count = 0;
    note(arrays, MEMBER(vertices), shared.vertices_B);
    note(arrays, MEMBER(primitive_list), shared.primitive_list_B);
    note(arrays, MEMBER(restart_tiles), shared.restart_tiles_B);
    note(arrays, MEMBER(restart_count), shared.restart_count_B);
    note(arrays, MEMBER(out_vertices),
         (uint64_t)gs_invocations * gs->max_vertices * gs->out_stride_w * sizeof(uint32_t));
    note(arrays, MEMBER(strip_ends), own.strip_ends_B);
    note(arrays, MEMBER(counts), own.counts_B);
    note(arrays, MEMBER(tile_sums), own.tile_sums_B);
    note(arrays, MEMBER(indices), own.indices_B);
    note(arrays, MEMBER(draw_args), own.draw_args_B);
}

static VkDeviceSize array_size(const struct pgs_chain_arrays *arrays, uint32_t i, uint32_t calls)
{
    const VkDeviceSize size_B = arrays->call_B[i] * calls;
    return (size_B + PGS_SCRATCH_ALIGN_B - 1) / PGS_SCRATCH_ALIGN_B * PGS_SCRATCH_ALIGN_B;
}

VkDeviceSize pgs_chain_size(const struct pgs_chain_arrays *arrays, uint32_t calls)
{
    VkDeviceSize size_B = 0;
    for (uint32_t i = 0; i < arrays->count; i++)
        size_B += array_size(arrays, i, calls);
    return size_B;
}

/* The range of the subdraw that the array is; NULL: it has none. */
static struct pgs_range *range_of(struct pgs_subdraw *subdraw, size_t member)
{
    switch (member) {
    case MEMBER(out_vertices):
        return &subdraw->out_vertices;
    case MEMBER(indices):
        return &subdraw->indices;
    case MEMBER(draw_args):
        return &subdraw->draw_args;
    default:
        return NULL;
    }
}

void pgs_chain_place(struct pgs_draw *draw, const struct pgs_chain_arrays *arrays, uint32_t calls,
                     struct pgs_draw_record *record)
{
    VkDeviceSize at_B = 0;
    for (uint32_t i = 0; i < arrays->count; i++) {
        const VkDeviceAddress address = draw->scratch.address + at_B;
        const VkDeviceSize size_B = array_size(arrays, i, calls);
        struct pgs_range *range = range_of(draw->subdraws, arrays->members[i]);
        memcpy((unsigned char *)record + arrays->members[i], &address, sizeof(address));
        if (range) {
            range->buffer = draw->scratch.buffer;
            range->offset_B = draw->scratch.offset_B + at_B;
            range->size_B = size_B;
            range->address = address;
        }
        at_B += size_B;
    }
    const struct pgs_range *indices = &draw->subdraws[0].indices;
    record->first_index = (uint32_t)((indices->offset_B - pgs_index_bind_offset(indices)) / 4);
    record->vertex_offset = record->raster_instance = 0;
}

/* Calls that one list can have. One of more tiles needs a kernel that counts them, which takes the
 * GPU more time than one raster draw saves. */
static uint32_t calls_of_list(const struct pgs_draw *draw)
{
    const uint32_t gs_invocations = draw->subdraws[0].gs_invocations;
    const uint32_t summed = draw->plan.summed_tiles * PGS_TILE_EL / gs_invocations;
    const uint32_t listed = PGS_LISTING_GROUPS / pgs_listing_groups(gs_invocations);
    return draw->plan.self_listed && listed < summed ? listed : summed;
}

/* Calls of a chain, if the draw may have so many. Chains of equal lengths share a dispatch, so
 * those of all calls are as many as they must be, but none is a short rest. */
static uint32_t max_calls_of(const struct pgs_draw *draw, uint32_t calls)
{
    const uint32_t few = calls_of_list(draw);
    if (few >= calls)
        return calls;
    const uint32_t chains = (calls + few - 1) / few;
    return (calls + chains - 1) / chains;
}

VkResult pgs_chains_begin(struct pgs_draw *draw, struct pgs_arena *arena,
                          const struct pgs_draw_record *record,
                          const uint64_t steps[PGS_CHAIN_WORDS], uint32_t calls)
{
    struct pgs_chains *made = pgs_arena_alloc(arena, sizeof(*made), _Alignof(struct pgs_chains));
    if (!made)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    made->first = NULL;
    made->end = &made->first;
    memcpy(made->record, record, sizeof(made->record));
    memcpy(made->steps, steps, sizeof(made->steps));
    made->max_calls = max_calls_of(draw, calls);
    draw->chains = made;
    return VK_SUCCESS;
}

VkResult pgs_chains_add(struct pgs_arena *arena, const struct pgs_replacement *replacement)
{
    struct pgs_chains *chains = replacement->draw->chains;
    if (!chains)
        return VK_SUCCESS;
    struct pgs_chain *made = pgs_arena_alloc(arena, sizeof(*made), _Alignof(struct pgs_chain));
    if (!made)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    *made = (struct pgs_chain){.replacement = replacement};
    *chains->end = made;
    chains->end = &made->next;
    return VK_SUCCESS;
}

static_assert(PGS_CHAIN_LIST_B <= MEMBER(vertex_offset) && PGS_CHAIN_LIST_B <= MEMBER(grids) &&
                  PGS_CHAIN_LIST_B <= MEMBER(raster_instance) &&
                  MEMBER(vertices) + sizeof(pgs_address) <= PGS_CHAIN_LIST_B,
              "what the kernels before the lists read lies in front of PGS_CHAIN_LIST_B");

/* Writes the record of the chain's first call, with the GS invocations of all, from a byte on. */
static void write_record(const struct pgs_draw *draw, const struct pgs_chain *chain, size_t from_B,
                         VkDeviceAddress listing, void *mapped)
{
    const struct pgs_chains *chains = draw->chains;
    const uint32_t gs_invocations = pgs_chain_gs_invocations(draw, chain);
    unsigned char *to = mapped;
    for (size_t i = from_B / 8; i < PGS_CHAIN_WORDS; i++) {
        const uint64_t moved = chains->record[i] + chain->replacement->first * chains->steps[i];
        const uint64_t word = i == MEMBER(grids) / 8 ? listing : moved;
        memcpy(to + 8 * i, &word, sizeof(word));
    }
    if (!from_B)
        memcpy(to + MEMBER(gs_invocation_bound), &gs_invocations, sizeof(gs_invocations));
}

/* The first call's own record will do. */
static void seal_own(const struct pgs_draw *draw, struct pgs_chain *chain, VkDeviceAddress listing)
{
    const size_t own_B = (size_t)chain->replacement->first * draw->record_stride_B;
    chain->record = draw->records.address + own_B;
    write_record(draw, chain, PGS_CHAIN_LIST_B, listing,
                 (unsigned char *)draw->records.mapped + own_B);
}

static VkResult seal_self_listed(const struct pgs_draw *draw, struct pgs_chain *chain,
                                 struct pgs_linear *upload)
{
    const uint32_t groups = pgs_listing_groups(draw->subdraws[0].gs_invocations);
    VkDeviceAddress listing;
    const VkResult result = pgs_listing_new(upload, groups * chain->replacement->count, &listing);
    if (result == VK_SUCCESS)
        seal_own(draw, chain, listing);
    return result;
}

static VkResult seal(const struct pgs_draw *draw, struct pgs_chain *chain,
                     struct pgs_linear *upload)
{
    struct pgs_range range;
    if (draw->plan.self_listed)
        return seal_self_listed(draw, chain, upload);
    if (chain->replacement->count == 1) {
        seal_own(draw, chain, 0);
        return VK_SUCCESS;
    }
    const VkResult result = pgs_linear_alloc(upload, PGS_RECORD_PUSH_B, PGS_RECORD_LINE_B, &range);
    if (result != VK_SUCCESS)
        return result;
    write_record(draw, chain, 0, 0, range.mapped);
    chain->record = range.address;
    return VK_SUCCESS;
}

VkResult pgs_chains_seal(const struct pgs_draw *draws, struct pgs_linear *upload)
{
    VkResult result = VK_SUCCESS;
    for (; draws; draws = draws->next) {
        struct pgs_chain *chain = draws->chains ? draws->chains->first : NULL;
        for (; chain && result == VK_SUCCESS; chain = chain->next)
            if (!chain->record)
                result = seal(draws, chain, upload);
    }
    return result;
}
