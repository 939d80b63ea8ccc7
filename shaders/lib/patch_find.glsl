/* SPDX-License-Identifier: MIT
 *
 * Finds a tessellated primitive of a draw, and the coordinates of its vertices, without any memory
 * for them: the prefix sums of tess_count and tess_allot give its patch.
 */
#ifndef PGS_PATCH_FIND_GLSL
#define PGS_PATCH_FIND_GLSL

#include "evaluation_inputs.glsl"
#include "patch.glsl"
#include "tess_corner.glsl"

uint pgs_pf_patch;    /* numbered over all instances */
uint pgs_pf_in_patch; /* number of the primitive in it */

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_tile_sums_ref
{
    uvec2 before[]; /* vertices and primitives in front of a tile of patches */
};

/* Finds a primitive, which must exist: that of the last patch that begins at or before it. */
void pgs_patch_find(const uint primitive)
{
    const uvec2 tile_sums = PGS_TESSELLATION.tile_sums;
    const uvec2 starts = PGS_TESSELLATION.starts;
    uint low = 0u;
    uint high = PGS_DRAW.primitive_count * PGS_DRAW.instance_count;
    uint before = 0u; /* that of patch 0 */
    [[dont_unroll]] while (high - low > 1u) {
        const uint middle = low + (high - low) / 2u;
        const uint of_tile = pgs_tile_sums_ref(tile_sums).before[middle / PGS_TILE_EL].y;
        const uint in_tile = pgs_read_near(pgs_mul_add(starts, middle, 8u), 1u); /* there may be 2^31 patches */
        const bool begun = of_tile <= primitive && in_tile <= primitive - of_tile; /* the sum may be too large */
        low = begun ? middle : low;
        before = begun ? of_tile + in_tile : before;
        high = begun ? high : middle;
    }
    pgs_pf_patch = low;
    pgs_pf_in_patch = primitive - before;
}

/* With PGS_TESS_BY_PATCH, where the vertex tells its patch: finds its primitive, and returns which vertex of that it is. */
uint pgs_patch_take(const uint vertex_index, const uint vertices_per_primitive)
{
    const uint vertex = vertex_index & ((1u << PGS_PATCH_DRAW_LOG2) - 1u);
    pgs_pf_patch = vertex_index >> PGS_PATCH_DRAW_LOG2;
    pgs_pf_in_patch = pgs_tess_small_quotient(vertex, vertices_per_primitive);
    return vertex - pgs_pf_in_patch * vertices_per_primitive;
}

/* Selects a vertex of the primitive that was found last. modes: PGS_TESS_MODES of the draw; constant, so that only the
 * code for one domain and spacing remains. The rest as for pgs_evaluation_at. */
void pgs_patch_choose_vertex(const uint vertex, const uint patch_stride_w, const uint vertices_w, const uint vertex_stride_w,
                             const uint vertices, const uint modes)
{
    const pgs_tess_ruled ruled =
        pgs_tess_ruled_at(pgs_mul_add(PGS_TESSELLATION.patches, pgs_pf_patch, patch_stride_w * 4u));
    uint corner = vertex;
    if (pgs_tess_vertices_per_primitive(modes) == 3u) { /* the last two are exchanged with PGS_TESS_CCW, which may be dynamic */
        const uint moved = vertex << (ruled.inner >> 31);
        corner = mix(moved, 1u, moved > 2u);
    }
    const pgs_tess_point point = pgs_tess_corner(modes, ruled, pgs_pf_in_patch, corner);
    pgs_evaluation_at(pgs_pf_patch, pgs_tess_coordinate(point.u), pgs_tess_coordinate(point.v), patch_stride_w, vertices_w,
                      vertex_stride_w, vertices);
}

#endif
