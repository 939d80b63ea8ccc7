/* SPDX-License-Identifier: MIT
 *
 * Wide lines, and wide edges of polygons. Where a line covers pixels by their centres it is two
 * triangles, six raster vertices; where it follows Bresenham, one thin line of the driver for each
 * pixel of its width. A line is clipped to its viewport before it is made wide, so what it covers
 * beside the viewport is drawn.
 */
#ifndef PGS_LINE_GLSL
#define PGS_LINE_GLSL

#include "polygon.glsl"
#include "stipple.glsl"

uvec2 pgs_l_other;    /* address of the other end; that of this one is pgs_p_vertex */
float pgs_l_t;        /* how far this end is cut off, from its vertex to the other one, in clip space */
float pgs_l_linear_t; /* the same in the framebuffer */
vec4 pgs_l_position;
bool pgs_l_second; /* this end is the second one */
bool pgs_l_there;

/* Half of the width, across a line in the framebuffer: to its right, if y points up. */
vec2 pgs_line_across(const vec2 along, const float width)
{
    if ((PGS_POLYGONS_RECORD.flags & PGS_POLYGONS_RECTANGLES) != 0u)
        return vec2(-along.y, along.x) * (0.5 * width / length(along));
    return abs(along.x) >= abs(along.y) ? vec2(0.0, along.x < 0.0 ? -0.5 * width : 0.5 * width)
                                        : vec2(along.y < 0.0 ? 0.5 * width : -0.5 * width, 0.0);
}

/* Where a raster vertex is beside the line, in half widths of two triangles, or the distance of its
 * copy in pixels. */
vec2 pgs_line_beside(const vec2 along, const uint number, const bool copies, const bool reversed)
{
    const float width = uintBitsToFloat(PGS_POLYGONS_RECORD.line_width);
    if (copies) {
        const float distance = float(number / 2u) - 0.5 * (width - 1.0);
        return abs(along.x) >= abs(along.y) ? vec2(0.0, distance) : vec2(distance, 0.0);
    }
    const bool left = number == 1u || number == 2u || number == 4u;
    return pgs_line_across(along, width) * (left == reversed ? -1.0 : 1.0);
}

/* The line between two vertices. number: of the raster vertex in it. front: two triangles are
 * front-facing. */
void pgs_line_widen(const uvec2 from, const uvec2 to, const vec4 at_from, const vec4 at_to, const uint number, const bool copies,
                    const bool front, const vec2 viewport)
{
    const bool second = copies ? (number & 1u) != 0u : number == 2u || number == 4u || number == 5u;
    const vec4 from_planes = at_from.wwww + vec4(at_from.xy, -at_from.xy);
    const vec4 to_planes = at_to.wwww + vec4(at_to.xy, -at_to.xy);
    const float begin = pgs_line_cut(from_planes, to_planes);
    const float end = pgs_line_cut(to_planes, from_planes);
    const vec4 a = begin > 0.0 ? mix(at_from, at_to, begin) : at_from;
    const vec4 b = end > 0.0 ? mix(at_to, at_from, end) : at_to;
    const vec2 along = (b.xy / b.w - a.xy / a.w) * viewport;
    pgs_l_second = second;
    pgs_p_vertex = second ? to : from;
    pgs_l_other = second ? from : to;
    /* What is left of the line is in front of the eye. */
    pgs_l_there = all(greaterThanEqual(max(from_planes, to_planes), vec4(0.0))) && begin + end < 1.0 && a.w > 0.0 && b.w > 0.0 &&
                  any(notEqual(along, vec2(0.0)));
    pgs_l_t = second ? end : begin;
    const float w = second ? at_to.w : at_from.w;
    const float other_w = second ? at_from.w : at_to.w;
    pgs_l_linear_t = pgs_l_t;
    if (w > 0.0 && other_w > 0.0)
        pgs_l_linear_t = pgs_l_t * other_w / mix(w, other_w, pgs_l_t);
    /* The triangles turn as counter-clockwise ones in the framebuffer do. */
    const bool clockwise = (PGS_POLYGONS_RECORD.flags & PGS_POLYGONS_CLOCKWISE) != 0u;
    const vec4 place = second ? b : a;
    const vec2 beside = pgs_line_beside(along, number, copies, front == clockwise);
    pgs_l_position = vec4(place.xy + beside / viewport * place.w, place.zw);
}

/* The first call, in place of pgs_polygon_begin, for lines. copied: 1 if they are copies of thin ones. */
void pgs_line_begin(const uvec2 record, const uint vertex_index, const uint copied, const uint stride_w, const uint position_w,
                    const uint viewport_w)
{
    pgs_given_root = record;
    const bool copies = copied != 0u;
    const uint line_vertices = copies ? PGS_POLYGONS_RECORD.line_vertices : 6u;
    const uint line = vertex_index / line_vertices;
    const uvec2 list = pgs_mul_add(PGS_DRAW.indices, line, 8u);
    const uvec2 vertices = PGS_DRAW.out_vertices;
    const uvec2 a = pgs_mul_add(vertices, pgs_read_near(list, 0u), stride_w * 4u);
    const uvec2 b = pgs_mul_add(vertices, pgs_read_near(list, 1u), stride_w * 4u);
    pgs_p_a = a;
    pgs_p_b = b;
    pgs_p_c = b;
    pgs_p_flat = (PGS_DRAW.flags & PGS_DRAW_PROVOKING_LAST) != 0u ? b : a;
    pgs_p_front = true;
    pgs_p_culled = false;
    pgs_p_bias = 0.0;
    pgs_p_near = 0.0;
    pgs_line_widen(a, b, uintBitsToFloat(pgs_read4_near(a, position_w)), uintBitsToFloat(pgs_read4_near(b, position_w)),
                   vertex_index - line * line_vertices, copies, true, pgs_viewport_scales(viewport_w).xy);
}

/* Likewise for the edges of triangles. */
void pgs_edge_begin(const uvec2 record, const uint vertex_index, const uint copied, const uint stride_w, const uint position_w,
                    const uint viewport_w)
{
    pgs_given_root = record;
    const bool copies = copied != 0u;
    const uint line_vertices = copies ? PGS_POLYGONS_RECORD.line_vertices : 6u;
    pgs_polygon_begin(record, vertex_index, 3u * line_vertices, stride_w, position_w, viewport_w);
    const uint line = vertex_index / line_vertices;
    const uint edge = line % 3u;
    const uvec2 from = edge == 0u ? pgs_p_c : edge == 1u ? pgs_p_a : pgs_p_b;
    const uvec2 to = edge == 0u ? pgs_p_a : edge == 1u ? pgs_p_b : pgs_p_c;
    pgs_line_widen(from, to, uintBitsToFloat(pgs_read4_near(from, position_w)), uintBitsToFloat(pgs_read4_near(to, position_w)),
                   vertex_index - line * line_vertices, copies, pgs_p_front, pgs_viewport_scales(viewport_w).xy);
}

uint pgs_line_mix(const uint here, const uint there, const float t)
{
    return t > 0.0 ? floatBitsToUint(mix(uintBitsToFloat(here), uintBitsToFloat(there), t)) : here;
}

uint pgs_line_mix_half(const uint here, const uint there, const float t)
{
    return t > 0.0 ? packHalf2x16(mix(unpackHalf2x16(here), unpackHalf2x16(there), t)) : here;
}

/* Interpolated values at this end: floats, with perspective or linear in the framebuffer, or in the
 * lower halves of words. */
uint pgs_line_load(const uint word)
{
    return pgs_line_mix(pgs_read_near(pgs_p_vertex, word), pgs_read_near(pgs_l_other, word), pgs_l_t);
}

uint pgs_line_load_linear(const uint word)
{
    return pgs_line_mix(pgs_read_near(pgs_p_vertex, word), pgs_read_near(pgs_l_other, word), pgs_l_linear_t);
}

uint pgs_line_load_half(const uint word)
{
    return pgs_line_mix_half(pgs_read_near(pgs_p_vertex, word), pgs_read_near(pgs_l_other, word), pgs_l_t);
}

uint pgs_line_load_half_linear(const uint word)
{
    return pgs_line_mix_half(pgs_read_near(pgs_p_vertex, word), pgs_read_near(pgs_l_other, word), pgs_l_linear_t);
}

/* word: a multiple of 4. */
uvec4 pgs_line_load4(const uint word)
{
    const uvec4 here = pgs_read4_near(pgs_p_vertex, word);
    if (!(pgs_l_t > 0.0))
        return here;
    return floatBitsToUint(mix(uintBitsToFloat(here), uintBitsToFloat(pgs_read4_near(pgs_l_other, word)), pgs_l_t));
}

uvec4 pgs_line_load4_linear(const uint word)
{
    const uvec4 here = pgs_read4_near(pgs_p_vertex, word);
    if (!(pgs_l_t > 0.0))
        return here;
    return floatBitsToUint(mix(uintBitsToFloat(here), uintBitsToFloat(pgs_read4_near(pgs_l_other, word)), pgs_l_linear_t));
}

bool pgs_line_is_there()
{
    return pgs_l_there && !pgs_p_culled;
}

/* Of a stippled line: where this end is in the pattern, in pixels, and the factor and the pattern. To
 * be interpolated without perspective. vertex_index and words as above. */
vec3 pgs_line_stipple(const uint vertex_index, const uint position_w, const uint viewport_w)
{
    const uvec2 from = pgs_l_second ? pgs_l_other : pgs_p_vertex;
    const uvec2 to = pgs_l_second ? pgs_p_vertex : pgs_l_other;
    const vec4 at_from = uintBitsToFloat(pgs_read4_near(from, position_w));
    const vec4 at_to = uintBitsToFloat(pgs_read4_near(to, position_w));
    const vec3 span = pgs_stipple_span(at_from, at_to, pgs_stipple_viewport(pgs_p_flat, viewport_w));
    float at = pgs_l_second ? span.y : span.x;
    if (pgs_stipple_is_in_front(at_from, at_to))
        at = mix(at, pgs_l_second ? span.x : span.y, pgs_l_linear_t);
    if ((PGS_POLYGONS_RECORD.flags & PGS_POLYGONS_GOES_ON) != 0u) {
        const uint place = pgs_read_at(pgs_stipple_places(), vertex_index / PGS_POLYGONS_RECORD.line_vertices);
        at += float(place) / float(PGS_STIPPLE_UNIT);
    }
    return vec3(at, float(PGS_POLYGONS_RECORD.stipple_factor), float(PGS_POLYGONS_RECORD.stipple_pattern));
}

/* In place of the vertex's own, which is not looked at. */
vec4 pgs_line_position(const vec4 position)
{
    return pgs_polygon_position(pgs_l_position);
}

#endif
