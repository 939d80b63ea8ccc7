/* SPDX-License-Identifier: MIT
 *
 * Calls of a tessellation evaluation shader that runs as the vertex shader of an inline raster
 * draw. Raster vertex n belongs to primitive n / vertices_per_primitive. The prefix sums of
 * tess_count and tess_allot give its patch, and the tessellator its coordinates; nothing is stored
 * per vertex.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#define PGS_ROOT_GIVEN
#include "patch_find.glsl"

/* The first call. record: address of the draw record, a vertex attribute. The rest as for
 * pgs_patch_choose_vertex. */
void pgs_evaluation_raster_begin(const uvec2 record, const uint vertex_index, const uint vertices_per_primitive,
                                 const uint patch_stride_w, const uint vertices_w, const uint vertex_stride_w,
                                 const uint vertices, const uint modes)
{
    pgs_given_root = record;
    const uint primitive = vertex_index / vertices_per_primitive;
    pgs_patch_find(primitive);
    pgs_patch_choose_vertex(vertex_index - primitive * vertices_per_primitive, patch_stride_w, vertices_w, vertex_stride_w,
                            vertices, modes);
}

/* The same with PGS_TESS_BY_PATCH. */
void pgs_evaluation_raster_begin_patch(const uvec2 record, const uint vertex_index, const uint vertices_per_primitive,
                                       const uint patch_stride_w, const uint vertices_w, const uint vertex_stride_w,
                                       const uint vertices, const uint modes)
{
    pgs_given_root = record;
    const uint vertex = pgs_patch_take(vertex_index, vertices_per_primitive);
    pgs_patch_choose_vertex(vertex, patch_stride_w, vertices_w, vertex_stride_w, vertices, modes);
}

#ifndef PGS_NO_MAIN /* the tests append their own */
void main()
{
}
#endif
