/* SPDX-License-Identifier: MIT
 *
 * Stores what patches become: for the kernels tessellate and tessellate_each. The root is the record.
 */
#ifndef PGS_TESS_STORE_GLSL
#define PGS_TESS_STORE_GLSL

#include "patch.glsl"

/* Vertices and primitives in front of a patch. */
uvec2 pgs_tess_start(const uint number)
{
    const uvec2 in_tile = pgs_mul_add(PGS_TESSELLATION.starts, number, 8u);
    const uvec2 before = pgs_mul_add(PGS_TESSELLATION.tile_sums, number / PGS_TILE_EL, 8u);
    return uvec2(pgs_read_near(in_tile, 0u) + pgs_read_near(before, 0u),
                 pgs_read_near(in_tile, 1u) + pgs_read_near(before, 1u));
}

/* Vertex i of the patch. coords: those of its vertices. */
void pgs_tess_store_vertex(const uvec2 coords, const pgs_tess_patch tess, const uint number, const uint i)
{
    const pgs_tess_point point = pgs_tess_vertex(tess, i);
    pgs_write4(pgs_mul_add(coords, i, PGS_COORD_STRIDE_B),
               uvec4(floatBitsToUint(pgs_tess_coordinate(point.u)), floatBitsToUint(pgs_tess_coordinate(point.v)),
                     number, 0u));
}

/* Primitive i of the patch. primitives: its own; flags: PGS_TESS_*. */
void pgs_tess_store_primitive(const uvec2 primitives, const pgs_tess_patch tess, const uint number,
                              const uint first_vertex, const uint i, const uint flags)
{
    const uint stride_w = pgs_tess_primitive_stride_w(flags);
    const pgs_tess_indices indices = pgs_tess_primitive(tess, i);
    const uvec2 at = pgs_mul_add(primitives, i, stride_w * 4u);
    const uvec3 vertices = first_vertex + uvec3(indices.a, indices.b, indices.c);
    if ((flags & PGS_TESS_STORED) == 0u) {
        pgs_write4(at, uvec4(vertices, number));
        return;
    }
    pgs_write_near(at, 0u, vertices.x);
    pgs_write_near(at, 1u, vertices.y);
    if (stride_w > 2u)
        pgs_write_near(at, 2u, vertices.z);
}

#endif
