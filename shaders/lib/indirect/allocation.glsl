/* SPDX-License-Identifier: MIT
 *
 * Kernel indirect, second step: the work of each record, and the memory for it.
 */
#ifndef PGS_INDIRECT_ALLOCATION_GLSL
#define PGS_INDIRECT_ALLOCATION_GLSL

#include "indirect/arguments.glsl"
#include "indirect/fallback.glsl"
#include "indirect/grids.glsl"

/* False: the product exceeds PGS_MAX_INVOCATIONS. */
bool multiply(const uint a, const uint b, out uint product)
{
    uint high;
    umulExtended(a, b, high, product);
    return high == 0u && product <= PGS_MAX_INVOCATIONS;
}

/* Work of a draw, over all instances. tess_allot counts the GS invocations of tessellated draws;
 * here they are 0. */
struct work {
    uint vertices;
    uint patches;
    uint gs_invocations;
};

/* False: the draw is too large. */
bool count_work(pgs_allot_draw_ref record, out work counted)
{
    const uint primitives = record.draw.primitive_count;
    const uint instances = record.draw.instance_count;
    const uint flags = record.draw.flags;
    counted = work(0u, 0u, 0u);
    if ((PGS_INDIRECT.flags & PGS_INDIRECT_STORES) == 0u)
        return true;
    uint in_order;
    if (!multiply(record.draw.vertex_count, instances, counted.vertices) ||
        !multiply(primitives, instances, in_order))
        return false;
    if ((flags & PGS_DRAW_TESSELLATED) != 0u) {
        counted.patches = in_order;
        return in_order <= PGS_MAX_PATCHES;
    }
    return multiply(in_order, record.draw.invocations, counted.gs_invocations);
}

/* False: the pool has too little memory left. */
bool take_memory(pgs_allot_draw_ref record, const uvec2 address, const work counted)
{
    const bool tessellated = (record.draw.flags & PGS_DRAW_TESSELLATED) != 0u;
    pgs_tessellation_ref made = pgs_tessellation_ref(record.draw.tessellation);
    const uint vertices = pgs_quads(counted.vertices, record.draw.in_stride_w);
    const uint patches = tessellated ? pgs_quads(counted.patches, made.tessellation.patch_stride_w) : 0u;
    const uint starts = pgs_quads(counted.patches, 2u);
    const uint patch_tiles = pgs_quads(pgs_tiles_of(counted.patches), 2u);
    const uint sum = pgs_quads_add(pgs_quads_add(vertices, patches), pgs_quads_add(starts, patch_tiles));
    uvec2 place;
    if (!pgs_allot(address, counted.gs_invocations, sum, place))
        return false;
    record.draw.vertices = pgs_allot_next(place, vertices);
    if (tessellated) {
        made.tessellation.patches = pgs_allot_next(place, patches);
        made.tessellation.starts = pgs_allot_next(place, starts);
        made.tessellation.tile_sums = pgs_allot_next(place, patch_tiles);
    }
    return true;
}

/* False: the draw is too large, or the pool has too little memory left. */
bool allot(pgs_allot_draw_ref record, const uvec2 address)
{
    work counted;
    record.draw.gs_invocation_first = 0u;
    if (!count_work(record, counted)) {
        pgs_pool_refuse(record.draw.pool);
        return false;
    }
    if (!take_memory(record, address, counted))
        return false;
    atomicMax(pgs_most_vertex, pgs_groups_of(counted.vertices, PGS_SHADER_GROUP_EL));
    atomicMax(pgs_most_patches, counted.patches);
    atomicMax(pgs_most_geometry, pgs_groups_of(counted.gs_invocations, PGS_SHADER_GROUP_EL));
    atomicMax(pgs_most_tiles, pgs_tiles_of(counted.gs_invocations));
    return true;
}

/* Allocates memory for this invocation's records. If one gets none, the call falls back, or the
 * record is left out. */
void pgs_allot_records(const uint first)
{
    for (uint i = first; i < pgs_drawn_end; i += PGS_INDIRECT_GROUP_EL) {
        const uvec2 address = pgs_mul_add(PGS_INDIRECT.records, i, PGS_INDIRECT.record_stride_B);
        pgs_allot_draw_ref record = pgs_allot_draw_ref(address);
        if (record.draw.primitive_count == 0u || allot(record, address))
            continue;
        if (pgs_can_fall_back(record))
            atomicMax(pgs_fallback, 1u);
        else
            pgs_leave_out(record, address);
    }
}

#endif
