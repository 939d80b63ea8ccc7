/* SPDX-License-Identifier: MIT
 *
 * Memory for what the patches of a record become, for the kernels tess_allot and tess_round. The root
 * is the record.
 */
#ifndef PGS_TESS_MADE_GLSL
#define PGS_TESS_MADE_GLSL

#include "allot.glsl"
#include "record.glsl"
#define PGS_SCAN_TYPE uvec2
#include "scan.glsl"
#include "tessellation.glsl"
#include "tessellator.glsl"

/* Returns the vertices and primitives of all patches, each at most PGS_COUNT_MAX. A chunk has fewer
 * than 2^30 of each. Called by the whole workgroup. */
uvec2 pgs_made_scan(const uint tile_count)
{
    const uint local = PGS_LOCAL_ID;
    const uvec2 tile_sums = PGS_TESSELLATION.tile_sums;
    uvec2 total = uvec2(0u);
    for (uint chunk = 0u; chunk < tile_count; chunk += PGS_TILE_EL) {
        const uvec2 at = pgs_mul_add(tile_sums, chunk + local, 8u);
        uvec2 count = uvec2(0u);
        if (chunk + local < tile_count)
            count = uvec2(pgs_read_near(at, 0u), pgs_read_near(at, 1u));
        const uvec2 before = pgs_scan_exclusive(count);
        if (chunk + local < tile_count) {
            pgs_write_near(at, 0u, pgs_add_limited(total.x, before.x));
            pgs_write_near(at, 1u, pgs_add_limited(total.y, before.y));
        }
        total = uvec2(pgs_add_limited(total.x, pgs_scan_total.x), pgs_add_limited(total.y, pgs_scan_total.y));
    }
    return total;
}

/* Writes a grid from PGS_GRID_EVALUATION to PGS_GRID_ONE, or PGS_GRID_CHUNKS. Several records of an indirect call share it:
 * it gets the maximum, and `indirect` wrote z. */
void pgs_made_write_grid(const uint number, const uint vertices, const uint gs_invocations)
{
    const bool shares = (PGS_DRAW.flags & PGS_DRAW_INDIRECT) != 0u;
    uint groups = 1u;
    if (number <= PGS_GRID_GEOMETRY)
        groups = pgs_groups_of(number == PGS_GRID_EVALUATION ? vertices : gs_invocations, PGS_SHADER_GROUP_EL);
    else if (number == PGS_GRID_TILES)
        groups = max(pgs_tiles_of(gs_invocations), shares ? 0u : 1u);
    else if (number == PGS_GRID_CHUNKS) /* which also count an empty draw */
        groups = gs_invocations == 0u ? PGS_CHUNKS : 0u;
    const pgs_grid grid = pgs_grid_of(groups, 1u);
    pgs_words_ref at = pgs_words_ref(pgs_add(PGS_DRAW.grids, number * PGS_GRID_SIZE_B));
    if (shares) {
        atomicMax(at.value[0], grid.x);
        atomicMax(at.value[1], grid.y);
    } else {
        at.value[0] = grid.x;
        at.value[1] = grid.y;
        at.value[2] = 1u;
    }
}

/* Quads of what patches become: `total` vertices and primitives. */
struct pgs_made_quads {
    uint coords, vertices, primitives;
};

pgs_made_quads pgs_made_quads_of(const uvec2 total)
{
    const uint stride_w = PGS_TESSELLATION.vertex_stride_w;
    const bool fetched =
        total.x != 0u && (PGS_TESSELLATION.flags & PGS_TESS_STORED) != 0u && (PGS_DRAW.flags & PGS_DRAW_FETCHED) != 0u;
    pgs_made_quads quads;
    quads.coords = pgs_quads(total.x, PGS_COORD_STRIDE_B / 4u);
    quads.vertices = pgs_quads_add(pgs_quads(total.x, stride_w), fetched ? stride_w / 4u - 1u : 0u);
    quads.primitives = pgs_quads(total.y, pgs_tess_primitive_stride_w(PGS_TESSELLATION.flags));
    return quads;
}

uint pgs_made_sum(const pgs_made_quads quads)
{
    return pgs_quads_add(quads.coords, pgs_quads_add(quads.vertices, quads.primitives));
}

/* False: the pool has too little memory left. */
bool pgs_made_take(const uvec2 total, const uint gs_invocations)
{
    pgs_tessellation_ref made = pgs_tessellation_ref(PGS_DRAW.tessellation);
    pgs_allot_draw_ref record = pgs_allot_draw_ref(pgs_root_address());
    const pgs_made_quads quads = pgs_made_quads_of(total);
    uvec2 place;
    bool fits = gs_invocations <= PGS_DRAW.max_gs_invocations;
    made.tessellation.coords = uvec2(0u);
    pgs_allot_nothing(record);
    if (fits)
        fits = pgs_allot(record, gs_invocations, pgs_made_sum(quads), place);
    else
        pgs_pool_refuse(PGS_DRAW.pool);
    if (fits) {
        const uint flags = made.tessellation.flags;
        const bool fetched = quads.coords != 0u && (flags & PGS_TESS_STORED) != 0u && (PGS_DRAW.flags & PGS_DRAW_FETCHED) != 0u;
        made.tessellation.coords = pgs_allot_next(place, quads.coords);
        const uvec2 stored = pgs_allot_next(place, quads.vertices);
        made.tessellation.vertices = fetched ? pgs_allot_vertices(record, stored, made.tessellation.vertex_stride_w) : stored;
        made.tessellation.primitives = place;
    }
    return fits;
}

/* Arguments of a raster draw whose index list are the tessellated primitives. */
void pgs_made_write_args(const uint primitives)
{
    const uvec2 args = PGS_DRAW.draw_args;
    pgs_write_near(args, 0u, primitives * pgs_tess_primitive_stride_w(PGS_TESSELLATION.flags));
    pgs_write_near(args, 1u, 1u);
    pgs_write_near(args, 2u,
                   pgs_words_between(pgs_pool_ref(PGS_DRAW.pool).pool.index_base, PGS_TESSELLATION.primitives));
    pgs_write_near(args, 3u, pgs_allot_draw_ref(pgs_root_address()).draw.vertex_offset);
}

/* Are all vertex numbers valid indices for the driver? */
bool pgs_made_has_indices(const uint vertices)
{
    return vertices <= pgs_multiply_limited(PGS_DRAW.max_gs_invocations, PGS_DRAW.max_vertices);
}

#endif
