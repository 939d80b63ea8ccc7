/* SPDX-License-Identifier: MIT
 *
 * What an evaluation shader reads, for a vertex of the tessellation that has been found.
 */
#ifndef PGS_EVALUATION_INPUTS_GLSL
#define PGS_EVALUATION_INPUTS_GLSL

#include "tessellation.glsl"

float pgs_e_u;
float pgs_e_v;
uint pgs_e_patch;         /* of all instances */
uvec2 pgs_e_patch_at;     /* address of the patch */
uvec2 pgs_e_input;        /* address of its first vertex */
uint pgs_e_in_stride_B;
uint pgs_e_last_vertex;

/* The vertex at (u, v) of a patch. Strides and places as in struct pgs_spv_patch; vertex_stride_w: of a vertex of the
 * patch, which has so many vertices. */
void pgs_evaluation_at(const uint patch_number, const float u, const float v, const uint patch_stride_w,
                       const uint vertices_w, const uint vertex_stride_w, const uint vertices)
{
    pgs_e_u = u;
    pgs_e_v = v;
    pgs_e_patch = patch_number;
    pgs_e_patch_at = pgs_mul_add(PGS_TESSELLATION.patches, patch_number, patch_stride_w * 4u);
    pgs_e_input = pgs_add(pgs_e_patch_at, vertices_w * 4u);
    pgs_e_in_stride_B = vertex_stride_w * 4u;
    pgs_e_last_vertex = vertices - 1u;
}

/* corners of the domain: 3, or else the third coordinate is 0. Where the tessellator's coordinates are multiples of a
 * power of two, the sum of the three is 1 exactly. */
vec3 pgs_tess_coord(const uint vertices_per_primitive)
{
    return vec3(pgs_e_u, pgs_e_v, vertices_per_primitive == 3u ? (1.0 - pgs_e_u) - pgs_e_v : 0.0);
}

uint pgs_evaluation_primitive_id()
{
    return pgs_e_patch % max(PGS_DRAW.primitive_count, 1u);
}

/* A word of vertex `vertex` of the patch. The application may compute that number; beyond the last it reads the last. */
uint pgs_evaluation_load(const uint vertex, const uint word)
{
    return pgs_read(pgs_add(pgs_e_input, min(vertex, pgs_e_last_vertex) * pgs_e_in_stride_B + word * 4u));
}

/* word: a multiple of 4. */
uvec4 pgs_evaluation_load4(const uint vertex, const uint word)
{
    return pgs_read4(pgs_add(pgs_e_input, min(vertex, pgs_e_last_vertex) * pgs_e_in_stride_B + word * 4u));
}

/* Words count from the begin of the patch. */
uint pgs_evaluation_patch_load(const uint word)
{
    return pgs_read(pgs_add(pgs_e_patch_at, word * 4u));
}

/* word: a multiple of 4. */
uvec4 pgs_evaluation_patch_load4(const uint word)
{
    return pgs_read4(pgs_add(pgs_e_patch_at, word * 4u));
}

#endif
