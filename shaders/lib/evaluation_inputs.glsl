/* SPDX-License-Identifier: MIT
 *
 * Inputs of an evaluation shader, in whichever stage it runs. pgs_evaluation_at selects the vertex.
 */
#ifndef PGS_EVALUATION_INPUTS_GLSL
#define PGS_EVALUATION_INPUTS_GLSL

#include "tessellation.glsl"

float pgs_e_u;
float pgs_e_v;
uint pgs_e_patch;     /* numbered over all instances */
uvec2 pgs_e_patch_at; /* address of the patch */
uvec2 pgs_e_input;    /* address of its first vertex */
uint pgs_e_in_stride_w;
uint pgs_e_last_vertex;

/* Selects the vertex at (u, v) of a patch. Strides and offsets as in struct pgs_spv_patch;
 * vertex_stride_w: of the patch's vertices. */
void pgs_evaluation_at(const uint patch_number, const float u, const float v, const uint patch_stride_w,
                       const uint vertices_w, const uint vertex_stride_w, const uint vertices)
{
    pgs_e_u = u;
    pgs_e_v = v;
    pgs_e_patch = patch_number;
    pgs_e_patch_at = pgs_mul_add(PGS_TESSELLATION.patches, patch_number, patch_stride_w * 4u);
    pgs_e_input = pgs_add(pgs_e_patch_at, vertices_w * 4u);
    pgs_e_in_stride_w = vertex_stride_w;
    pgs_e_last_vertex = vertices - 1u;
}

/* gl_TessCoord. vertices_per_primitive of the domain: 3, else the third coordinate is 0. The
 * coordinates are multiples of a power of two, so that their sum is exactly 1. */
vec3 pgs_tess_coord(const uint vertices_per_primitive)
{
    return vec3(pgs_e_u, pgs_e_v, vertices_per_primitive == 3u ? (1.0 - pgs_e_u) - pgs_e_v : 0.0);
}

uint pgs_evaluation_primitive_id()
{
    return pgs_e_patch % max(PGS_DRAW.primitive_count, 1u);
}

/* A word of a vertex of the patch. An index out of range, which the application may compute,
 * selects the last vertex. */
uint pgs_evaluation_load(const uint vertex, const uint word)
{
    return pgs_read_near(pgs_e_input, min(vertex, pgs_e_last_vertex) * pgs_e_in_stride_w + word);
}

/* word: a multiple of 4. */
uvec4 pgs_evaluation_load4(const uint vertex, const uint word)
{
    return pgs_quads_ref(pgs_e_input).value[min(vertex, pgs_e_last_vertex) * (pgs_e_in_stride_w / 4u) + word / 4u];
}

/* word: offset in the patch. */
uint pgs_evaluation_patch_load(const uint word)
{
    return pgs_read_near(pgs_e_patch_at, word);
}

/* word: a multiple of 4. */
uvec4 pgs_evaluation_patch_load4(const uint word)
{
    return pgs_read4_near(pgs_e_patch_at, word);
}

#endif
