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

#include "tess_made.glsl"

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
bool do_without_memory(const uint flags, const uint primitives, const uint gs_invocations)
{
    const bool raster = PGS_DRAW.draw_args != uvec2(0u);
    const bool captured = PGS_DRAW.capture != uvec2(0u);
    const bool chunks = (flags & PGS_TESS_CHUNKS) != 0u && gs_invocations <= PGS_CHUNKS_MAX_GS_INVOCATIONS;
    bool drawn = (flags & PGS_TESS_INLINE) != 0u;
    if (drawn && (flags & PGS_TESS_STORED) != 0u) /* else it is drawn in any case */
        draw_inline(flags, primitives);
    if ((flags & PGS_TESS_INLINE_GS) != 0u)
        drawn = draw_geometry_inline(flags, gs_invocations);
    const bool missed = raster || !captured; /* who neither draws nor counts may store */
    if ((missed && !drawn) || (captured && !chunks))
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
    const bool stored = (flags & PGS_TESS_STORED) != 0u;
    if ((flags & PGS_TESS_INLINE) != 0u && !stored)
        draw_inline(flags, total.y);
    else if ((flags & (PGS_TESS_INLINE | PGS_TESS_INLINE_GS)) != 0u)
        pgs_write_inline_args(0u, 0u);
    if ((flags & PGS_TESS_COUNT_ONLY) == 0u) {
        gs_invocations = pgs_multiply_limited(total.y, PGS_DRAW.invocations);
        const bool indexable = !stored || pgs_made_has_indices(total.x); /* else force the allocation to fail */
        if (pgs_made_take(uvec2(indexable ? total.x : PGS_COUNT_MAX, total.y), gs_invocations)) {
            stored_vertices = total.x;
            if (stored && total.y != 0u)
                pgs_made_write_args(total.y);
        } else {
            if (!do_without_memory(flags, total.y, gs_invocations))
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
    const uvec2 total = pgs_made_scan(pgs_tiles_of(patches));
    if (PGS_LOCAL_ID == 0u)
        allot(total);
    barrier();
    const uint grid = PGS_GRID_EVALUATION + PGS_LOCAL_ID;
    const uint flags = PGS_TESSELLATION.flags;
    const bool chunks = grid == PGS_GRID_CHUNKS && (flags & PGS_TESS_CHUNKS) != 0u;
    if ((grid <= PGS_GRID_ONE || chunks) && (flags & PGS_TESS_COUNT_ONLY) == 0u)
        pgs_made_write_grid(grid, allotted_vertices, allotted_gs_invocations);
}
