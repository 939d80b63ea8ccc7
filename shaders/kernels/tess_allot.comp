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
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/xfb.h"
layout(local_size_x = PGS_TILE_EL) in;

#include "allot.glsl"
#include "record.glsl"
#define PGS_SCAN_TYPE uvec2
#include "scan.glsl"
#include "tessellation.glsl"
#include "tessellator.glsl"

/* Returns the vertices and primitives of all patches, each at most PGS_COUNT_MAX. A chunk has fewer
 * than 2^30 of each. Called by the whole workgroup. */
uvec2 scan_patches(const uint tile_count)
{
    const uint local = gl_LocalInvocationIndex;
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
void write_grid(const uint number, const uint vertices, const uint gs_invocations)
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

/* False: the pool has too little memory left. */
bool take_memory(const uvec2 total, const uint gs_invocations)
{
    pgs_tessellation_ref made = pgs_tessellation_ref(PGS_DRAW.tessellation);
    pgs_allot_draw_ref record = pgs_allot_draw_ref(pgs_root_address());
    const uint coords = pgs_quads(total.x, PGS_COORD_STRIDE_B / 4u);
    const uint stride_w = made.tessellation.vertex_stride_w;
    const bool fetched =
        total.x != 0u && (made.tessellation.flags & PGS_TESS_STORED) != 0u && (PGS_DRAW.flags & PGS_DRAW_FETCHED) != 0u;
    const uint vertices = pgs_quads_add(pgs_quads(total.x, stride_w), fetched ? stride_w / 4u - 1u : 0u);
    const uint primitives = pgs_quads(total.y, PGS_TESS_PRIMITIVE_STRIDE_B / 4u);
    uvec2 place;
    bool fits = gs_invocations <= PGS_DRAW.max_gs_invocations;
    made.tessellation.coords = uvec2(0u);
    pgs_allot_nothing(record);
    if (fits)
        fits = pgs_allot(record, gs_invocations, pgs_quads_add(coords, pgs_quads_add(vertices, primitives)), place);
    else
        pgs_pool_refuse(PGS_DRAW.pool);
    if (fits) {
        made.tessellation.coords = pgs_allot_next(place, coords);
        const uvec2 stored = pgs_allot_next(place, vertices);
        made.tessellation.vertices = fetched ? pgs_allot_vertices(record, stored, stride_w) : stored;
        made.tessellation.primitives = place;
    }
    return fits;
}

/* Arguments of a raster draw whose index list are the tessellated primitives. */
void write_direct_args(const uint primitives)
{
    const uvec2 args = PGS_DRAW.draw_args;
    pgs_write_near(args, 0u, primitives * (PGS_TESS_PRIMITIVE_STRIDE_B / 4u));
    pgs_write_near(args, 1u, 1u);
    pgs_write_near(args, 2u,
                   pgs_words_between(pgs_pool_ref(PGS_DRAW.pool).pool.index_base, PGS_TESSELLATION.primitives));
    pgs_write_near(args, 3u, pgs_allot_draw_ref(pgs_root_address()).draw.vertex_offset);
}

/* Are all vertex numbers valid indices for the driver? */
bool has_indices(const uint vertices)
{
    return vertices <= pgs_multiply_limited(PGS_DRAW.max_gs_invocations, PGS_DRAW.max_vertices);
}

/* Arguments of the inline draw, which needs no memory: each primitive has its own vertices. The
 * draw ends at the last whole primitive whose vertices a word can count. */
void draw_inline(const uint flags, const uint primitives)
{
    const uint vertices_per_primitive = pgs_tess_vertices_per_primitive(flags);
    const uint most = PGS_COUNT_MAX / vertices_per_primitive;
    if (primitives > most)
        pgs_pool_refuse(PGS_DRAW.pool);
    pgs_write_inline_args(min(primitives, most) * vertices_per_primitive, 1u);
}

/* The same if a geometry shader runs in it, too. False: there are more vertices than a draw can
 * have. */
bool draw_geometry_inline(const uint flags, const uint gs_invocations)
{
    const bool list = (flags & PGS_TESS_INLINE_LIST) != 0u;
    const uint each = PGS_TESSELLATION.inline_vertices;
    const uint vertices = list ? pgs_multiply_limited(gs_invocations, each) : each;
    const bool can = max(gs_invocations, vertices) != PGS_COUNT_MAX;
    if (can)
        pgs_write_inline_args(vertices, list ? 1u : gs_invocations);
    else
        pgs_pool_refuse(PGS_DRAW.pool);
    return can;
}

/* Does without memory what can be done without. True: that is something, so that later stages have
 * to find the draw's primitives. */
bool do_without_memory(const uint flags, const uint gs_invocations)
{
    const bool raster = PGS_DRAW.draw_args != uvec2(0u);
    const bool captured = PGS_DRAW.capture != uvec2(0u);
    const bool chunks = (flags & PGS_TESS_CHUNKS) != 0u && gs_invocations <= PGS_CHUNKS_MAX_GS_INVOCATIONS;
    bool drawn = (flags & PGS_TESS_INLINE) != 0u;
    if ((flags & PGS_TESS_INLINE_GS) != 0u)
        drawn = draw_geometry_inline(flags, gs_invocations);
    if ((raster && !drawn) || (captured && !chunks))
        pgs_pool_leave_out(PGS_DRAW.pool);
    return drawn || (captured && chunks);
}

/* The record's vertices that are stored, and its GS invocations; without memory both are 0. */
shared uint allotted_vertices;
shared uint allotted_gs_invocations;

/* Called by one invocation. */
void allot(uvec2 total)
{
    pgs_tessellation_ref made = pgs_tessellation_ref(PGS_DRAW.tessellation);
    const uint flags = made.tessellation.flags;
    uint gs_invocations = 0u;
    uint stored_vertices = 0u;
    if ((flags & PGS_TESS_INLINE) != 0u)
        draw_inline(flags, total.y);
    if ((flags & PGS_TESS_INLINE_GS) != 0u)
        pgs_write_inline_args(0u, 0u);
    if ((flags & PGS_TESS_COUNT_ONLY) == 0u) {
        gs_invocations = pgs_multiply_limited(total.y, PGS_DRAW.invocations);
        const bool stored = (flags & PGS_TESS_STORED) != 0u;
        const bool indexable = !stored || has_indices(total.x); /* else force the allocation to fail */
        if (take_memory(uvec2(indexable ? total.x : PGS_COUNT_MAX, total.y), gs_invocations)) {
            stored_vertices = total.x;
            if (stored && total.y != 0u)
                write_direct_args(total.y);
        } else {
            if (!do_without_memory(flags, gs_invocations))
                total = uvec2(0u);
            gs_invocations = 0u;
        }
    }
    made.tessellation.vertex_count = total.x;
    made.tessellation.primitive_count = total.y;
    allotted_vertices = stored_vertices;
    allotted_gs_invocations = gs_invocations;
}

void main()
{
    const uint patches = PGS_DRAW.instance_count * PGS_DRAW.primitive_count;
    const uvec2 total = scan_patches(pgs_tiles_of(patches));
    if (gl_LocalInvocationIndex == 0u)
        allot(total);
    barrier();
    const uint grid = PGS_GRID_EVALUATION + gl_LocalInvocationIndex;
    const uint flags = PGS_TESSELLATION.flags;
    const bool chunks = grid == PGS_GRID_CHUNKS && (flags & PGS_TESS_CHUNKS) != 0u;
    if ((grid <= PGS_GRID_ONE || chunks) && (flags & PGS_TESS_COUNT_ONLY) == 0u)
        write_grid(grid, allotted_vertices, allotted_gs_invocations);
}
