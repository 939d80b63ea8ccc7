/* SPDX-License-Identifier: MIT
 *
 * Finds a tessellated primitive of a draw, and the coordinates of its vertices, without any memory
 * for them: the prefix sums of tess_count and tess_allot give its patch.
 */
#ifndef PGS_PATCH_FIND_GLSL
#define PGS_PATCH_FIND_GLSL

#include "evaluation_inputs.glsl"
#include "patch.glsl"

uint pgs_pf_patch;    /* numbered over all instances */
uint pgs_pf_in_patch; /* number of the primitive in it */

/* Primitives before the tile. */
uint pgs_pf_of_tile(const uint tile)
{
    return pgs_read_at(PGS_TESSELLATION.tile_sums, 2u * tile + 1u);
}

/* Primitives before the patch in its tile. */
uint pgs_pf_in_tile(const uint number)
{
    return pgs_read(pgs_add(pgs_mul_add(PGS_TESSELLATION.starts, number, 8u), 4u));
}

/* The last tile in [first, end) that begins at or before the primitive; with in_tile the last
 * patch. */
uint pgs_pf_last(const uint primitive, const uint first, const uint end, const bool in_tile)
{
    uint low = first;
    uint high = end;
    [[dont_unroll]] while (high - low > 1u) {
        const uint middle = low + (high - low) / 2u;
        const uint begin = in_tile ? pgs_pf_in_tile(middle) : pgs_pf_of_tile(middle);
        low = begin <= primitive ? middle : low;
        high = begin <= primitive ? high : middle;
    }
    return low;
}

/* Finds a primitive, which must exist. */
void pgs_patch_find(const uint primitive)
{
    const uint patches = PGS_DRAW.primitive_count * PGS_DRAW.instance_count;
    const uint tile = pgs_pf_last(primitive, 0u, (patches + PGS_TILE_EL - 1u) / PGS_TILE_EL, false);
    const uint in_tile = primitive - pgs_pf_of_tile(tile);
    const uint first = tile * PGS_TILE_EL;
    pgs_pf_patch = pgs_pf_last(in_tile, first, min(first + PGS_TILE_EL, patches), true);
    pgs_pf_in_patch = in_tile - pgs_pf_in_tile(pgs_pf_patch);
}

/* Selects a vertex of the primitive that was found last. modes: PGS_TESS_MODES of the draw; constant, so that only the
 * code for one domain and spacing remains. The rest as for pgs_evaluation_at. */
void pgs_patch_choose_vertex(const uint vertex, const uint patch_stride_w, const uint vertices_w, const uint vertex_stride_w,
                             const uint vertices, const uint modes)
{
    const pgs_tess_patch tess = pgs_patch_read_as(pgs_pf_patch, modes);
    const pgs_tess_indices made = pgs_tess_primitive(tess, pgs_pf_in_patch);
    /* The order of winding may be dynamic. The other one exchanges the last two vertices of a triangle. */
    const bool exchanged = (PGS_TESSELLATION.flags & PGS_TESS_CCW) != 0u && pgs_tess_vertices_per_primitive(modes) == 3u;
    const uint last = exchanged ? made.b : made.c;
    const uint middle = exchanged ? made.c : made.b;
    const pgs_tess_point point = pgs_tess_vertex(tess, vertex == 0u ? made.a : vertex == 1u ? middle : last);
    pgs_evaluation_at(pgs_pf_patch, pgs_tess_coordinate(point.u), pgs_tess_coordinate(point.v), patch_stride_w, vertices_w,
                      vertex_stride_w, vertices);
}

#endif
