/* SPDX-License-Identifier: MIT
 *
 * Polygons that are drawn as lines or points: each raster vertex is an end of an edge, or a corner.
 * It looks at the whole triangle, for facing, culling, flat values and depth bias are those of the
 * polygon. With PGS_ROOT_GIVEN.
 */
#ifndef PGS_POLYGON_GLSL
#define PGS_POLYGON_GLSL

#include "polygon_record.glsl"

uvec2 pgs_p_a; /* addresses of the polygon's vertices */
uvec2 pgs_p_b;
uvec2 pgs_p_c;
uvec2 pgs_p_vertex; /* address of this vertex */
uvec2 pgs_p_flat;   /* of the provoking one */
bool pgs_p_front;
bool pgs_p_culled;
float pgs_p_bias; /* added to the depth in clip space, for w = 1 */
float pgs_p_near; /* least depth of clip space, for w = 1 */

/* A position in the framebuffer, but for where its viewport begins. */
vec3 pgs_polygon_place(const vec4 position, const vec4 viewport)
{
    return vec3(position.xy / position.w * viewport.xy, position.z / position.w * viewport.z + viewport.w);
}

/* The bias of depths in the framebuffer. */
float pgs_polygon_bias(const vec3 a, const vec3 b, const vec3 c, const uint flags)
{
    const vec3 e = a - c;
    const vec3 f = b - c;
    const float area = e.x * f.y - e.y * f.x;
    float bias = uintBitsToFloat(PGS_POLYGONS_RECORD.bias);
    if ((flags & PGS_POLYGONS_FLOAT_DEPTH) != 0u) {
        const uint exponent = floatBitsToUint(max(max(abs(a.z), abs(b.z)), abs(c.z))) & 0x7F800000u;
        bias *= uintBitsToFloat(exponent > 23u << 23 ? exponent - (23u << 23) : 0u);
    }
    if (area != 0.0) {
        const float inverse = 1.0 / area;
        bias += uintBitsToFloat(PGS_POLYGONS_RECORD.bias_slope) *
                max(abs((e.y * f.z - e.z * f.y) * inverse), abs((e.z * f.x - e.x * f.z) * inverse));
    }
    const float limit = uintBitsToFloat(PGS_POLYGONS_RECORD.bias_clamp);
    return limit > 0.0 ? min(bias, limit) : limit < 0.0 ? max(bias, limit) : bias;
}

/* Scales of x, y and z, and a shift of z. viewport_w: as below, of the provoking vertex. */
vec4 pgs_viewport_scales(const uint viewport_w)
{
    uint index = 0u;
    if (viewport_w != 0xFFFFFFFFu)
        index = pgs_read_near(pgs_p_flat, viewport_w);
    index = index < uint(PGS_MAX_VIEWPORTS) ? index : 0u;
    return vec4(uintBitsToFloat(PGS_POLYGONS_RECORD.viewports[index].x_scale),
                uintBitsToFloat(PGS_POLYGONS_RECORD.viewports[index].y_scale),
                uintBitsToFloat(PGS_POLYGONS_RECORD.viewports[index].z_scale),
                uintBitsToFloat(PGS_POLYGONS_RECORD.viewports[index].z_shift));
}

/* The first call. record: the draw's. corners: raster vertices per triangle, 3 or 6. position_w,
 * viewport_w: words of the stored vertex; 0xFFFFFFFF: it has no viewport index. */
void pgs_polygon_begin(const uvec2 record, const uint vertex_index, const uint corners, const uint stride_w,
                       const uint position_w, const uint viewport_w)
{
    pgs_given_root = record;
    const uint triangle = vertex_index / corners;
    const uint number = vertex_index - triangle * corners;
    /* The edges, in the order in which drivers draw them: 2 to 0, 0 to 1, 1 to 2. */
    const uint corner = corners == 3u ? number : (number + 5u) / 2u % 3u;
    const uvec2 list = pgs_mul_add(PGS_DRAW.indices, triangle, 12u);
    const uvec2 vertices = PGS_DRAW.out_vertices;
    const uvec2 a = pgs_mul_add(vertices, pgs_read_near(list, 0u), stride_w * 4u);
    const uvec2 b = pgs_mul_add(vertices, pgs_read_near(list, 1u), stride_w * 4u);
    const uvec2 c = pgs_mul_add(vertices, pgs_read_near(list, 2u), stride_w * 4u);
    const vec4 at_a = uintBitsToFloat(pgs_read4_near(a, position_w));
    const vec4 at_b = uintBitsToFloat(pgs_read4_near(b, position_w));
    const vec4 at_c = uintBitsToFloat(pgs_read4_near(c, position_w));
    pgs_p_a = a;
    pgs_p_b = b;
    pgs_p_c = c;
    pgs_p_vertex = corner == 0u ? a : corner == 1u ? b : c;
    pgs_p_flat = (PGS_DRAW.flags & PGS_DRAW_PROVOKING_LAST) != 0u ? c : a;
    const vec4 viewport = pgs_viewport_scales(viewport_w);
    const uint flags = PGS_POLYGONS_RECORD.flags;
    /* In homogeneous coordinates this has the sign of what is visible, also if a corner lies behind
     * the eye. */
    const float area = dot(at_a.xyw, cross(at_b.xyw, at_c.xyw)) * sign(viewport.x) * sign(viewport.y);
    pgs_p_front = (flags & PGS_POLYGONS_CLOCKWISE) != 0u ? area > 0.0 : area < 0.0;
    pgs_p_culled = (flags & (pgs_p_front ? PGS_POLYGONS_CULL_FRONT : PGS_POLYGONS_CULL_BACK)) != 0u;
    pgs_p_near = (flags & PGS_POLYGONS_NEGATIVE_Z) != 0u ? -1.0 : 0.0;
    pgs_p_bias = 0.0;
    if ((flags & PGS_POLYGONS_BIAS) != 0u && viewport.z != 0.0)
        pgs_p_bias = pgs_polygon_bias(pgs_polygon_place(at_a, viewport), pgs_polygon_place(at_b, viewport),
                                      pgs_polygon_place(at_c, viewport), flags) / viewport.z;
}

/* Loads from this vertex, and from the provoking one. */
uint pgs_polygon_load(const uint word)
{
    return pgs_read_near(pgs_p_vertex, word);
}

uvec4 pgs_polygon_load4(const uint word)
{
    return pgs_read4_near(pgs_p_vertex, word);
}

uint pgs_polygon_load_flat(const uint word)
{
    return pgs_read_near(pgs_p_flat, word);
}

uvec4 pgs_polygon_load4_flat(const uint word)
{
    return pgs_read4_near(pgs_p_flat, word);
}

/* The polygon is not culled. */
bool pgs_polygon_is_there()
{
    return !pgs_p_culled;
}

/* A cull distance, of which this is the word, is negative at all vertices. */
bool pgs_polygon_lies_beyond(const uint word)
{
    return uintBitsToFloat(pgs_read_near(pgs_p_a, word)) < 0.0 && uintBitsToFloat(pgs_read_near(pgs_p_b, word)) < 0.0 &&
           uintBitsToFloat(pgs_read_near(pgs_p_c, word)) < 0.0;
}

/* 1: it is front-facing. */
int pgs_polygon_front()
{
    return pgs_p_front ? 1 : 0;
}

/* The position with its bias. What the planes clip stays beyond them, and nothing else goes there. */
vec4 pgs_polygon_position(const vec4 position)
{
    const float least = pgs_p_near * position.w;
    float z = position.z;
    if (z >= least && z <= position.w)
        z = clamp(z + pgs_p_bias * position.w, least, position.w);
    return vec4(position.xy, z, position.w);
}

#endif
