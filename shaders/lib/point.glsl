/* SPDX-License-Identifier: MIT
 *
 * Large points, and corners of polygons that are drawn as such: each is a square of two triangles,
 * six raster vertices. Depth and all varyings are the same at its corners.
 */
#ifndef PGS_POINT_GLSL
#define PGS_POINT_GLSL

#include "polygon.glsl"

vec4 pgs_pt_position;
vec2 pgs_pt_coord; /* what gl_PointCoord is at this corner of the square */
bool pgs_pt_there;  /* it lies in front of the eye */
bool pgs_pt_inside; /* and between the sides of its viewport */

/* The size in pixels of a point whose vertex is at this address. */
float pgs_point_size(const uvec2 vertex, const uint size_w)
{
    if (size_w == 0xFFFFFFFFu)
        return 1.0;
    const float size = uintBitsToFloat(pgs_read_near(vertex, size_w));
    return size > 1.0 ? min(size, float(PGS_MAX_POINT_SIZE_PX)) : 1.0;
}

/* The square around the vertex. number: of the raster vertex in it. front: it is front-facing. */
void pgs_point_widen(const uvec2 vertex, const uint number, const uint size_w, const uint position_w, const bool front,
                     const vec2 viewport)
{
    const vec4 centre = uintBitsToFloat(pgs_read4_near(vertex, position_w));
    const uint flags = PGS_POLYGONS_RECORD.flags;
    const bool lower = number == 2u || number == 4u || number == 5u;
    const bool right = number == 1u || number == 2u || number == 4u;
    /* In this order they turn clockwise in the framebuffer; in the other one columns are swapped. */
    const bool swapped = front != ((flags & PGS_POLYGONS_CLOCKWISE) != 0u);
    pgs_pt_coord = vec2(right != swapped ? 1.0 : 0.0, lower ? 1.0 : 0.0);
    const vec2 beside = (pgs_pt_coord - 0.5) * pgs_point_size(vertex, size_w);
    pgs_p_vertex = vertex;
    pgs_pt_there = centre.w > 0.0;
    pgs_pt_inside = pgs_pt_there && all(lessThanEqual(abs(centre.xy), vec2(centre.w)));
    pgs_pt_position = vec4(centre.xy + beside / viewport * centre.w, centre.zw);
}

/* The first call, in place of pgs_polygon_begin, for points. size_w: word of the point size;
 * 0xFFFFFFFF: it is 1. */
void pgs_point_begin(const uvec2 record, const uint vertex_index, const uint size_w, const uint stride_w, const uint position_w,
                     const uint viewport_w)
{
    pgs_given_root = record;
    const uint point = vertex_index / PGS_POINT_VERTICES;
    const uvec2 list = pgs_mul_add(PGS_DRAW.indices, point, 4u);
    const uvec2 vertex = pgs_mul_add(PGS_DRAW.out_vertices, pgs_read_near(list, 0u), stride_w * 4u);
    pgs_p_a = vertex;
    pgs_p_b = vertex;
    pgs_p_c = vertex;
    pgs_p_flat = vertex;
    pgs_p_front = true;
    pgs_p_culled = false;
    pgs_p_bias = 0.0;
    pgs_p_near = 0.0;
    pgs_point_widen(vertex, vertex_index - point * PGS_POINT_VERTICES, size_w, position_w, true,
                    pgs_viewport_scales(viewport_w).xy);
}

/* Likewise for the corners of triangles. */
void pgs_corner_begin(const uvec2 record, const uint vertex_index, const uint size_w, const uint stride_w, const uint position_w,
                      const uint viewport_w)
{
    pgs_polygon_begin(record, vertex_index, 3u * PGS_POINT_VERTICES, stride_w, position_w, viewport_w);
    const uint point = vertex_index / PGS_POINT_VERTICES;
    const uint corner = point % 3u;
    const uvec2 vertex = corner == 0u ? pgs_p_a : corner == 1u ? pgs_p_b : pgs_p_c;
    pgs_point_widen(vertex, vertex_index - point * PGS_POINT_VERTICES, size_w, position_w, pgs_p_front,
                    pgs_viewport_scales(viewport_w).xy);
}

/* Where the whole view volume clips points by their centres, or user clip planes alone. */
bool pgs_point_is_inside()
{
    return pgs_pt_inside && !pgs_p_culled;
}

bool pgs_point_is_there()
{
    return pgs_pt_there && !pgs_p_culled;
}

/* In place of the vertex's own, which is not looked at. */
vec4 pgs_point_position(const vec4 position)
{
    return pgs_polygon_position(pgs_pt_position);
}

vec2 pgs_point_coord()
{
    return pgs_pt_coord;
}

#endif
