/* SPDX-License-Identifier: MIT
 *
 * What a tessellation evaluation shader calls once it is a compute shader. One invocation per vertex of the
 * tessellation. Linked into the application's shader, so parameters and results are values; what lasts is private
 * here.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/abi.h"
layout(local_size_x = PGS_SHADER_GROUP_EL) in;

#include "tessellation.glsl"

float pgs_e_u;
float pgs_e_v;
uint pgs_e_patch;         /* of all instances */
uvec2 pgs_e_patch_at;     /* address of the patch */
uvec2 pgs_e_input;        /* address of its first vertex */
uint pgs_e_in_stride_B;
uvec2 pgs_e_output;       /* address of the vertex that is stored */

/* First of all. False: this invocation has no vertex and returns at once. Strides and places as in struct
 * pgs_spv_patch; vertex_stride_w: of a vertex of the patch. */
bool pgs_evaluation_begin(const uint patch_stride_w, const uint vertices_w, const uint vertex_stride_w,
                          const uint out_stride_w)
{
    const uint id = pgs_linear_id(PGS_SHADER_GROUP_EL);
    if (id >= PGS_TESSELLATION.vertex_count)
        return false;
    const uvec4 coord = pgs_read4(pgs_mul_add(PGS_TESSELLATION.coords, id, PGS_COORD_STRIDE_B));
    pgs_e_u = uintBitsToFloat(coord.x);
    pgs_e_v = uintBitsToFloat(coord.y);
    pgs_e_patch = coord.z;
    pgs_e_patch_at = pgs_mul_add(PGS_TESSELLATION.patches, pgs_e_patch, patch_stride_w * 4u);
    pgs_e_input = pgs_add(pgs_e_patch_at, vertices_w * 4u);
    pgs_e_in_stride_B = vertex_stride_w * 4u;
    pgs_e_output = pgs_mul_add(PGS_TESSELLATION.vertices, id, out_stride_w * 4u);
    return true;
}

/* corners of the domain: 3, or else the third coordinate is 0. Where the tessellator's coordinates are multiples of a
 * power of two, the sum of the three is 1 exactly. */
vec3 pgs_tess_coord(const uint corners)
{
    return vec3(pgs_e_u, pgs_e_v, corners == 3u ? (1.0 - pgs_e_u) - pgs_e_v : 0.0);
}

uint pgs_evaluation_primitive_id()
{
    return pgs_e_patch % max(PGS_DRAW.primitive_count, 1u);
}

/* A word of vertex `vertex` of the patch. */
uint pgs_evaluation_load(const uint vertex, const uint word)
{
    return pgs_read(pgs_add(pgs_e_input, vertex * pgs_e_in_stride_B + word * 4u));
}

/* word: a multiple of 4. */
uvec4 pgs_evaluation_load4(const uint vertex, const uint word)
{
    return pgs_read4(pgs_add(pgs_e_input, vertex * pgs_e_in_stride_B + word * 4u));
}

/* Words count from the begin of the outputs of the patch. */
uint pgs_evaluation_patch_load(const uint word)
{
    return pgs_read(pgs_add(pgs_e_patch_at, (PGS_PATCH_OUTPUTS_W + word) * 4u));
}

uvec4 pgs_evaluation_patch_load4(const uint word)
{
    return pgs_read4(pgs_add(pgs_e_patch_at, (PGS_PATCH_OUTPUTS_W + word) * 4u));
}

/* word: PGS_PATCH_OUTER_W or PGS_PATCH_INNER_W and what follows them. */
uint pgs_evaluation_level_load(const uint word)
{
    return pgs_read(pgs_add(pgs_e_patch_at, word * 4u));
}

void pgs_evaluation_store(const uint word, const uint value)
{
    pgs_write(pgs_add(pgs_e_output, word * 4u), value);
}

/* word: a multiple of 4. */
void pgs_evaluation_store4(const uint word, const uvec4 value)
{
    pgs_write4(pgs_add(pgs_e_output, word * 4u), value);
}

#ifndef PGS_NO_MAIN /* the tests append their own */
void main()
{
}
#endif
