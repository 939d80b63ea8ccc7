/* SPDX-License-Identifier: MIT
 *
 * Calls of the raster vertex shader that reads a stored output vertex. Linked into a shader that
 * spirv/ generates.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#define PGS_ROOT_GIVEN
#include "address.glsl"
#include "line.glsl"
#include "point.glsl"
#include "viewport.glsl"

uvec2 pgs_r_vertex;
uvec2 pgs_r_rest; /* the part of a vertex in the second array, if there are two */

void pgs_raster_begin(const uvec2 out_vertices, const uint vertex_index, const uint stride_w)
{
    pgs_r_vertex = pgs_mul_add(out_vertices, vertex_index, stride_w * 4u);
}

/* In its place for vertices in two arrays, with both addresses and strides. */
void pgs_raster_begin_split(const uvec4 arrays, const uint vertex_index, const uint stride_w, const uint rest_stride_w)
{
    pgs_r_vertex = pgs_mul_add(arrays.xy, vertex_index, stride_w * 4u);
    pgs_r_rest = pgs_mul_add(arrays.zw, vertex_index, rest_stride_w * 4u);
}

uint pgs_raster_load(const uint word)
{
    return pgs_read_near(pgs_r_vertex, word);
}

/* word: a multiple of 4. */
uvec4 pgs_raster_load4(const uint word)
{
    return pgs_read4_near(pgs_r_vertex, word);
}

/* Likewise in the second array. */
uint pgs_raster_load_rest(const uint word)
{
    return pgs_read_near(pgs_r_rest, word);
}

uvec4 pgs_raster_load4_rest(const uint word)
{
    return pgs_read4_near(pgs_r_rest, word);
}

#ifndef PGS_NO_MAIN /* the tests append their own */
void main()
{
}
#endif
