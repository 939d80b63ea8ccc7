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

#include "tess_store.glsl"

void main()
{
    const uint number = gl_WorkGroupID.y * PGS_GRID_X + gl_WorkGroupID.x;
    const uint patches = PGS_DRAW.primitive_count * PGS_DRAW.instance_count;
    if (number >= patches || PGS_TESSELLATION.coords == uvec2(0u))
        return;
    const uvec2 first = pgs_tess_start(number);
    uvec2 end = uvec2(PGS_TESSELLATION.vertex_count, PGS_TESSELLATION.primitive_count);
    if (number + 1u < patches)
        end = pgs_tess_start(number + 1u);
    const uvec2 count = end - first;
    if (PGS_LOCAL_ID >= max(count.x, count.y)) /* most, of small patches */
        return;
    const uint flags = PGS_TESSELLATION.flags;
    const pgs_tess_patch tess = pgs_patch_read(number);
    const uvec2 coords = pgs_mul_add(PGS_TESSELLATION.coords, first.x, PGS_COORD_STRIDE_B);
    for (uint i = PGS_LOCAL_ID; i < tess.vertex_count; i += PGS_SHADER_GROUP_EL)
        pgs_tess_store_vertex(coords, tess, number, i);
    const uvec2 primitives =
        pgs_mul_add(PGS_TESSELLATION.primitives, first.y, pgs_tess_primitive_stride_w(flags) * 4u);
    for (uint i = PGS_LOCAL_ID; i < tess.primitive_count; i += PGS_SHADER_GROUP_EL)
        pgs_tess_store_primitive(primitives, tess, number, first.x, i, flags);
}
