/* SPDX-License-Identifier: MIT
 *
 * Replaces tile_sums of the tessellation by its exclusive prefix sum. From the total it allocates
 * memory from the pool and writes the grids of the later dispatches.
 *
 * One workgroup per record, which loops over the tiles: no invocation waits for another workgroup.
 * Root: draw record. Step STEP_TESS_ALLOT (layer/draw/record_compute.c).
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/xfb.h"
layout(local_size_x = PGS_TILE_EL) in;

#include "allot.glsl"
#include "record.glsl"
#include "scan.glsl"
#include "tessellation.glsl"

layout(buffer_reference, std430, buffer_reference_align = 4) buffer pgs_grids_ref
{
    pgs_grids grids;
};

#define COUNT_MAX 0xFFFFFFFFu

uint add_limited(const uint a, const uint b)
{
    const uint sum = a + b;
    return sum < a ? COUNT_MAX : sum;
}

uint multiply_limited(const uint a, const uint b)
{
    uint high, low;
    umulExtended(a, b, high, low);
    return high != 0u ? COUNT_MAX : low;
}

/* Returns the vertices and primitives of all patches, each at most COUNT_MAX. A chunk has fewer
 * than 2^30 of each. Called by the whole workgroup. */
uvec2 scan_patches(const uint tile_count)
{
    const uvec2 tile_sums = PGS_TESSELLATION.tile_sums;
    uvec2 total = uvec2(0u);
    for (uint chunk = 0u; chunk < tile_count; chunk += PGS_TILE_EL) {
        const uint tile = chunk + gl_LocalInvocationIndex;
        const uvec2 at = pgs_mul_add(tile_sums, tile, 8u);
        uvec2 count = uvec2(0u);
        if (tile < tile_count)
            count = uvec2(pgs_read_at(at, 0u), pgs_read_at(at, 1u));
        const uint vertices = pgs_scan_inclusive(count.x);
        const uint chunk_vertices = pgs_scan_sums[PGS_TILE_EL - 1];
        const uint primitives = pgs_scan_inclusive(count.y);
        const uint chunk_primitives = pgs_scan_sums[PGS_TILE_EL - 1];
        if (tile < tile_count) {
            pgs_write_at(at, 0u, add_limited(total.x, vertices - count.x));
            pgs_write_at(at, 1u, add_limited(total.y, primitives - count.y));
        }
        total = uvec2(add_limited(total.x, chunk_vertices), add_limited(total.y, chunk_primitives));
    }
    return total;
}

uint groups_of(const uint count, const uint group_el)
{
    return count / group_el + (count % group_el != 0u ? 1u : 0u);
}

/* Several records share the grid: keeps the maximum. `indirect` wrote z. */
#define RAISE(grid, groups)                                                                                            \
    {                                                                                                                  \
        const pgs_grid own = pgs_grid_of(groups, 1u);                                                                  \
        atomicMax(grid.x, own.x);                                                                                      \
        atomicMax(grid.y, own.y);                                                                                      \
    }

/* Writes the grids of evaluation, geometry and the later stages. */
void write_grids(const uint vertices, const uint gs_invocations)
{
    pgs_grids_ref at = pgs_grids_ref(PGS_DRAW.grids);
    if ((PGS_DRAW.flags & PGS_DRAW_INDIRECT) != 0u) {
        RAISE(at.grids.evaluation, groups_of(vertices, PGS_SHADER_GROUP_EL))
        RAISE(at.grids.geometry, groups_of(gs_invocations, PGS_SHADER_GROUP_EL))
        RAISE(at.grids.tiles, pgs_tiles_of(gs_invocations))
        return;
    }
    at.grids.evaluation = pgs_grid_of(groups_of(vertices, PGS_SHADER_GROUP_EL), 1u);
    at.grids.geometry = pgs_grid_of(groups_of(gs_invocations, PGS_SHADER_GROUP_EL), 1u);
    at.grids.tiles = pgs_grid_of(max(pgs_tiles_of(gs_invocations), 1u), 1u);
    at.grids.one = pgs_grid_of(1u, 1u);
}

/* False: the pool has too little memory left. */
bool take_memory(const uvec2 total, const uint gs_invocations)
{
    pgs_tessellation_ref made = pgs_tessellation_ref(PGS_DRAW.tessellation);
    const uint coords = pgs_quads(total.x, PGS_COORD_STRIDE_B / 4u);
    const uint vertices = pgs_quads(total.x, made.tessellation.vertex_stride_w);
    const uint primitives = pgs_quads(total.y, PGS_TESS_PRIMITIVE_STRIDE_B / 4u);
    uvec2 place;
    if (!pgs_allot(pgs_root_address(), gs_invocations, pgs_quads_add(coords, pgs_quads_add(vertices, primitives)), place))
        return false;
    made.tessellation.coords = pgs_allot_next(place, coords);
    made.tessellation.vertices = pgs_allot_next(place, vertices);
    made.tessellation.primitives = pgs_allot_next(place, primitives);
    return true;
}

/* Arguments of a raster draw whose index list are the tessellated primitives. */
void write_direct_args(const uint primitives)
{
    const uvec2 args = PGS_DRAW.draw_args;
    pgs_write_at(args, 0u, primitives * (PGS_TESS_PRIMITIVE_STRIDE_B / 4u));
    pgs_write_at(args, 1u, 1u);
    pgs_write_at(args, 2u,
                 pgs_words_between(pgs_pool_ref(PGS_DRAW.pool).pool.index_base, PGS_TESSELLATION.primitives));
}

/* Are all vertex numbers valid indices for the driver? */
bool has_indices(const uint vertices)
{
    return vertices <= multiply_limited(PGS_DRAW.max_gs_invocations, PGS_DRAW.max_vertices);
}

/* Arguments of the inline draw, which needs no memory: each primitive has its own vertices. The
 * draw ends at the last whole primitive whose vertices a word can count. */
void draw_inline(pgs_tessellation_ref made, const uint primitives)
{
    const uint flags = made.tessellation.flags;
    const uint vertices_per_primitive = (flags & PGS_TESS_POINT_MODE) != 0u                   ? 1u
                         : (flags & PGS_TESS_DOMAIN) == PGS_TESS_ISOLINES ? 2u
                                                                               : 3u;
    const uint most = COUNT_MAX / vertices_per_primitive;
    if (primitives > most && PGS_DRAW.pool != uvec2(0u))
        pgs_pool_refuse(PGS_DRAW.pool);
    const uvec2 args = made.tessellation.inline_args;
    pgs_write_at(args, 0u, min(primitives, most) * vertices_per_primitive);
    pgs_write_at(args, 1u, 1u);
    pgs_write_at(args, 2u, 0u);
    pgs_write_at(args, 3u, 0u);
}

void allot(uvec2 total)
{
    pgs_tessellation_ref made = pgs_tessellation_ref(PGS_DRAW.tessellation);
    uint gs_invocations = 0u;
    if ((made.tessellation.flags & PGS_TESS_INLINE) != 0u)
        draw_inline(made, total.y);
    if ((made.tessellation.flags & PGS_TESS_COUNT_ONLY) == 0u) {
        gs_invocations = multiply_limited(total.y, PGS_DRAW.invocations);
        const bool stored = (made.tessellation.flags & PGS_TESS_STORED) != 0u;
        if (stored && !has_indices(total.x))
            total.x = COUNT_MAX; /* force the allocation to fail */
        if (!take_memory(total, gs_invocations)) {
            pgs_pool_leave_out(PGS_DRAW.pool);
            total = uvec2(0u);
            gs_invocations = 0u;
        } else if (stored && total.y != 0u) {
            write_direct_args(total.y);
        }
        write_grids(total.x, gs_invocations);
    }
    made.tessellation.vertex_count = total.x;
    made.tessellation.primitive_count = total.y;
}

void main()
{
    const uint patches = PGS_DRAW.instance_count * PGS_DRAW.primitive_count;
    const uvec2 total = scan_patches(pgs_tiles_of(patches));
    if (gl_LocalInvocationIndex == 0u)
        allot(total);
}
