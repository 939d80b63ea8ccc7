/* SPDX-License-Identifier: MIT
 *
 * As tessellate, for CPUs: an invocation does all of one patch, since drivers of CPUs run some invocations as one
 * vector, and would divide each patch for all invocations of a workgroup. No invocation does several: lavapipe leaves
 * loops after 65535 rounds in all, and a patch takes up to 12417.
 *
 * One workgroup per tile of the patches.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
layout(local_size_x = PGS_TILE_EL) in;

#include "tess_store.glsl"

void main()
{
    const uint number = pgs_linear_id(PGS_TILE_EL);
    const uvec2 made = PGS_TESSELLATION.coords;
    if (number >= PGS_DRAW.primitive_count * PGS_DRAW.instance_count || made == uvec2(0u))
        return;
    const uint flags = PGS_TESSELLATION.flags;
    const uvec2 first = pgs_tess_start(number);
    const pgs_tess_patch tess = pgs_patch_read(number);
    const uvec2 coords = pgs_mul_add(made, first.x, PGS_COORD_STRIDE_B);
    [[dont_unroll]] for (uint i = 0u; i < tess.vertex_count; i++)
        pgs_tess_store_vertex(coords, tess, number, i);
    const uvec2 primitives =
        pgs_mul_add(PGS_TESSELLATION.primitives, first.y, pgs_tess_primitive_stride_w(flags) * 4u);
    [[dont_unroll]] for (uint i = 0u; i < tess.primitive_count; i++)
        pgs_tess_store_primitive(primitives, tess, number, first.x, i, flags);
}
