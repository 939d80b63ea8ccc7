/* SPDX-License-Identifier: MIT
 *
 * Kernel indirect, second step: the work of each record, and the memory for it.
 */
#ifndef PGS_INDIRECT_ALLOCATION_GLSL
#define PGS_INDIRECT_ALLOCATION_GLSL

#include "indirect/arguments.glsl"
#include "indirect/fallback.glsl"
#include "indirect/grids.glsl"

/* Work of a draw, over all instances. tess_allot counts the GS invocations of tessellated draws;
 * here they are 0. */
struct work {
    uint vertices;
    uint patches;
    uint gs_invocations;
};

/* False: the draw is too large. */
bool count_work(pgs_allot_draw_ref record, const bool tessellated, out work counted)
{
    const uint instances = record.draw.instance_count;
    const uint stores = (pgs_call.flags & PGS_INDIRECT_STORES) != 0u ? 0xFFFFFFFFu : 0u;
    uint high, high_in_order, high_of_all, in_order, of_all;
    umulExtended(record.draw.vertex_count, instances, high, counted.vertices);
    umulExtended(record.draw.primitive_count, instances, high_in_order, in_order);
    umulExtended(in_order, record.draw.invocations, high_of_all, of_all);
    const uint overflow = high | high_in_order | (tessellated ? 0u : high_of_all);
    const uint most = max(max(counted.vertices, in_order), tessellated ? 0u : of_all);
    counted.vertices &= stores;
    counted.patches = tessellated ? in_order & stores : 0u;
    counted.gs_invocations = tessellated ? 0u : of_all & stores;
    return stores == 0u || overflow == 0u && most <= PGS_MAX_INVOCATIONS && counted.patches <= PGS_MAX_PATCHES;
}

/* False: the pool has too little memory left. */
bool take_memory(pgs_allot_draw_ref record, const bool tessellated, const work counted)
{
    pgs_tessellation_ref made = pgs_tessellation_ref(record.draw.tessellation);
    const uint vertices = pgs_quads(counted.vertices, record.draw.in_stride_w);
    const uint patches = tessellated ? pgs_quads(counted.patches, made.tessellation.patch_stride_w) : 0u;
    const uint starts = pgs_quads(counted.patches, 2u);
    const uint patch_tiles = pgs_quads(pgs_tiles_of(counted.patches), 2u);
    const uint sum = pgs_quads_add(pgs_quads_add(vertices, patches), pgs_quads_add(starts, patch_tiles));
    uvec2 place;
    const bool fits = pgs_allot(record, counted.gs_invocations, sum, place);
    if (fits)
        record.draw.vertices = pgs_allot_next(place, vertices);
    if (fits && tessellated) {
        made.tessellation.patches = pgs_allot_next(place, patches);
        made.tessellation.starts = pgs_allot_next(place, starts);
        made.tessellation.tile_sums = place;
    }
    return fits;
}

/* False: the draw is too large, or the pool has too little memory left. */
bool allot(pgs_allot_draw_ref record)
{
    const bool tessellated = (record.draw.flags & PGS_DRAW_TESSELLATED) != 0u;
    work counted;
    bool fits = count_work(record, tessellated, counted) && counted.gs_invocations <= record.draw.max_gs_invocations;
    if (!fits)
        pgs_refused = true;
    else
        fits = take_memory(record, tessellated, counted);
    if (fits) {
        pgs_raise_grid(PGS_GRID_VERTEX, pgs_groups_of(counted.vertices, PGS_SHADER_GROUP_EL));
        pgs_raise_grid(PGS_GRID_CONTROL, counted.patches);
        pgs_raise_grid(PGS_GRID_PATCHES, pgs_tiles_of(counted.patches));
        pgs_raise_grid(PGS_GRID_GEOMETRY, pgs_groups_of(counted.gs_invocations, PGS_SHADER_GROUP_EL));
        pgs_raise_grid(PGS_GRID_TILES, pgs_tiles_of(counted.gs_invocations));
    }
    return fits;
}

/* Allocates memory for this invocation's records. If one gets none, the call falls back, or the
 * next step leaves out the record. */
void pgs_allot_records(const uint first)
{
    for (uint i = first; i < pgs_drawn_end; i += PGS_INDIRECT_GROUP_EL) {
        pgs_allot_draw_ref record = pgs_allot_draw_ref(pgs_record_address(i));
        bool fits = true;
        if (record.draw.primitive_count != 0u)
            fits = allot(record);
        record.draw.gs_invocation_first = fits ? 0u : PGS_WITHOUT_MEMORY;
        if (!fits && pgs_can_fall_back(gs_invocations_of_draw(record)))
            atomicMax(pgs_fallback, 1u);
    }
}

#endif
