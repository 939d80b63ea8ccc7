/* SPDX-License-Identifier: MIT
 *
 * Calls of a tessellation evaluation shader that runs as the vertex shader of an inline raster
 * draw. Raster vertex n belongs to primitive n / vertices_per_primitive. The prefix sums of
 * tess_count and tess_allot give its patch, and the tessellator its coordinates; nothing is stored
 * per vertex.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#define PGS_ROOT_GIVEN
#include "evaluation_inputs.glsl"
#include "patch.glsl"

/* Primitives before the tile. */
uint pgs_er_of_tile(const uint tile)
{
    return pgs_read_at(PGS_TESSELLATION.tile_sums, 2u * tile + 1u);
}

/* Primitives before the patch in its tile. */
uint pgs_er_in_tile(const uint number)
{
    return pgs_read(pgs_add(pgs_mul_add(PGS_TESSELLATION.starts, number, 8u), 4u));
}

/* The last tile in [first, end) that begins at or before the primitive; with in_tile the last
 * patch. */
uint pgs_er_find(const uint primitive, const uint first, const uint end, const bool in_tile)
{
    uint low = first;
    uint high = end;
    [[dont_unroll]] while (high - low > 1u) {
        const uint middle = low + (high - low) / 2u;
        const uint begin = in_tile ? pgs_er_in_tile(middle) : pgs_er_of_tile(middle);
        low = begin <= primitive ? middle : low;
        high = begin <= primitive ? high : middle;
    }
    return low;
}

/* The first call. record: address of the draw record, a vertex attribute. The rest as for
 * pgs_evaluation_at. */
void pgs_evaluation_raster_begin(const uvec2 record, const uint vertex_index, const uint vertices_per_primitive,
                                 const uint patch_stride_w, const uint vertices_w, const uint vertex_stride_w,
                                 const uint vertices)
{
    pgs_given_root = record;
    const uint patches = PGS_DRAW.primitive_count * PGS_DRAW.instance_count;
    const uint primitive = vertex_index / vertices_per_primitive;
    const uint in_primitive = vertex_index - primitive * vertices_per_primitive;
    const uint tile = pgs_er_find(primitive, 0u, (patches + PGS_TILE_EL - 1u) / PGS_TILE_EL, false);
    const uint in_tile = primitive - pgs_er_of_tile(tile);
    const uint first = tile * PGS_TILE_EL;
    const uint number = pgs_er_find(in_tile, first, min(first + PGS_TILE_EL, patches), true);

    const pgs_tess_patch tess = pgs_patch_read(number);
    const pgs_tess_indices made = pgs_tess_primitive(tess, in_tile - pgs_er_in_tile(number));
    const pgs_tess_point point =
        pgs_tess_vertex(tess, in_primitive == 0u ? made.a : in_primitive == 1u ? made.b : made.c);
    pgs_evaluation_at(number, pgs_tess_coordinate(point.u), pgs_tess_coordinate(point.v), patch_stride_w, vertices_w,
                      vertex_stride_w, vertices);
}

#ifndef PGS_NO_MAIN /* the tests append their own */
void main()
{
}
#endif
