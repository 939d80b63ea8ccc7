/* SPDX-License-Identifier: MIT
 *
 * Calls of a tessellation evaluation shader that runs as a compute shader: one invocation per
 * tessellated vertex. Linked into the application's shader, so parameters and results are values,
 * and state is in private variables.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#define PGS_ROOT_KEPT
#include "poly_gs/abi.h"
layout(local_size_x = PGS_SHADER_GROUP_EL) in;

#include "evaluation_inputs.glsl"

uvec2 pgs_e_output; /* address of the vertex that is stored */

/* The first call. False: this invocation has no vertex and must return. Parameters as for
 * pgs_evaluation_at. */
bool pgs_evaluation_begin(const uint patch_stride_w, const uint vertices_w, const uint vertex_stride_w,
                          const uint vertices, const uint out_stride_w)
{
    pgs_keep_root();
    const uint id = pgs_linear_id(PGS_SHADER_GROUP_EL);
    const uvec2 coords = PGS_TESSELLATION.coords;
    bool exists = id < PGS_TESSELLATION.vertex_count;
    exists = exists && coords != uvec2(0u);
    if (exists) {
        const uvec4 coord = pgs_read4(pgs_mul_add(coords, id, PGS_COORD_STRIDE_B));
        pgs_evaluation_at(coord.z, uintBitsToFloat(coord.x), uintBitsToFloat(coord.y), patch_stride_w, vertices_w,
                          vertex_stride_w, vertices);
        pgs_e_output = pgs_mul_add(PGS_TESSELLATION.vertices, id, out_stride_w * 4u);
    }
    return exists;
}

void pgs_evaluation_store(const uint word, const uint value)
{
    pgs_write_near(pgs_e_output, word, value);
}

/* word: a multiple of 4. */
void pgs_evaluation_store4(const uint word, const uvec4 value)
{
    pgs_write4_near(pgs_e_output, word, value);
}

#ifndef PGS_NO_MAIN /* the tests append their own */
void main()
{
}
#endif
