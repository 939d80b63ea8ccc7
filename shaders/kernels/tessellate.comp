/* SPDX-License-Identifier: MIT
 *
 * Writes the vertices and primitives of each patch at the positions that follow from tess_count and
 * tess_allot.
 *
 * One workgroup per patch. Root: draw record. Step STEP_TESSELLATE (layer/draw/record_compute.c).
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
layout(local_size_x = PGS_SHADER_GROUP_EL) in;

#include "patch.glsl"

void main()
{
    const uint number = gl_WorkGroupID.y * PGS_GRID_X + gl_WorkGroupID.x;
    if (number >= PGS_DRAW.primitive_count * PGS_DRAW.instance_count || PGS_TESSELLATION.coords == uvec2(0u))
        return;
    const uvec2 start = pgs_mul_add(PGS_TESSELLATION.starts, number, 8u);
    const uvec2 before = pgs_mul_add(PGS_TESSELLATION.tile_sums, number / PGS_TILE_EL, 8u);
    const uint first_vertex = pgs_read(start) + pgs_read(before);
    const uint first_primitive = pgs_read(pgs_add(start, 4u)) + pgs_read(pgs_add(before, 4u));
    const pgs_tess_patch tess = pgs_patch_read(number);

    const uvec2 coords = pgs_mul_add(PGS_TESSELLATION.coords, first_vertex, PGS_COORD_STRIDE_B);
    for (uint i = PGS_LOCAL_ID; i < tess.vertex_count; i += PGS_SHADER_GROUP_EL) {
        const pgs_tess_point point = pgs_tess_vertex(tess, i);
        pgs_write4(pgs_mul_add(coords, i, PGS_COORD_STRIDE_B),
                   uvec4(floatBitsToUint(pgs_tess_coordinate(point.u)),
                         floatBitsToUint(pgs_tess_coordinate(point.v)), number, 0u));
    }
    const bool stored = (PGS_TESSELLATION.flags & PGS_TESS_STORED) != 0u;
    const bool lines = (PGS_TESSELLATION.flags & PGS_TESS_DOMAIN) == PGS_TESS_ISOLINES;
    const uvec2 primitives = pgs_mul_add(PGS_TESSELLATION.primitives, first_primitive, PGS_TESS_PRIMITIVE_STRIDE_B);
    for (uint i = PGS_LOCAL_ID; i < tess.primitive_count; i += PGS_SHADER_GROUP_EL) {
        const pgs_tess_indices indices = pgs_tess_primitive(tess, i);
        pgs_write4(pgs_mul_add(primitives, i, PGS_TESS_PRIMITIVE_STRIDE_B),
                   uvec4(first_vertex + indices.a, first_vertex + indices.b,
                         stored && lines ? 0xFFFFFFFFu : first_vertex + indices.c, stored ? 0xFFFFFFFFu : number));
    }
}
