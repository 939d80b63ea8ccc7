/* SPDX-License-Identifier: MIT
 *
 * Triangles that draw nothing: they cover no sample, or face away. Vertices are framebuffer coordinates less half a
 * pixel, so that samples lie at whole numbers.
 */
#ifndef PGS_COVERAGE_GLSL
#define PGS_COVERAGE_GLSL

#include "poly_gs/coverage.h"

/* How far a driver may see a vertex from where it is computed here, in each direction. Rasterizers round to 1/256 of a
 * pixel; and both divide and scale, with relative errors below 2^-21. half_px: of the viewport. */
float pgs_coverage_margin(const vec2 half_px)
{
    return 1.0 / 128.0 + max(half_px.x, half_px.y) * (1.0 / 1048576.0);
}

/* Twice the area: positive if the triangle is clockwise. */
float pgs_coverage_area(const vec2 a, const vec2 b, const vec2 c)
{
    const vec2 u = b - a, v = c - a;
    return u.x * v.y - u.y * v.x;
}

/* True if the sample lies beyond a line, by more than the margin, and the triangle of which that line is an edge does not.
 * side: 1 or -1, where the triangle is. It holds for any line, so also if rounding has turned the edge. */
bool pgs_coverage_is_beyond(const vec2 from, const vec2 to, const float side, const float margin, const vec2 at)
{
    const vec2 normal = vec2(from.y - to.y, to.x - from.x);
    return side * dot(normal, at - from) < -margin * (abs(normal.x) + abs(normal.y));
}

bool pgs_coverage_misses(const vec2 a, const vec2 b, const vec2 c, const float side, const float margin, const vec2 at)
{
    return pgs_coverage_is_beyond(a, b, side, margin, at) || pgs_coverage_is_beyond(b, c, side, margin, at) ||
           pgs_coverage_is_beyond(c, a, side, margin, at);
}

#ifdef PGS_RECORD_INPUTS
/* How far to a side of a line the sample lies, with the margin: below 0 if it is beyond. First what that grows by from one
 * sample to the next. */
vec3 pgs_coverage_edge(const vec2 from, const vec2 to, const float side, const float margin, const vec2 at)
{
    const vec2 normal = vec2(from.y - to.y, to.x - from.x) * side;
    return vec3(normal, dot(normal, at - from) + margin * (abs(normal.x) + abs(normal.y)));
}

/* Without what min and max say of NaN, of which there is none. */
vec2 pgs_coverage_least(const vec2 a, const vec2 b)
{
    return mix(b, a, lessThan(a, b));
}

/* Below 0 if one of them is. */
int pgs_coverage_signs(const vec3 of)
{
    const ivec3 bits = floatBitsToInt(of);
    return bits.x | bits.y | bits.z;
}

/* As below, for CPUs, which look at several triangles at once and mostly wait for what is drawn: of up to two samples in
 * one direction, and four in the other one. */
bool pgs_coverage_is_none(const vec2 a, const vec2 b, const vec2 c, const float area, const float margin)
{
    const vec2 first = ceil(pgs_coverage_least(pgs_coverage_least(a, b), c) - margin);
    const vec2 last = floor(margin - pgs_coverage_least(pgs_coverage_least(-a, -b), -c));
    const vec2 more = last - first;
    const bool wide = more.x > more.y;
    const float most = wide ? more.x : more.y;
    const float least = wide ? more.y : more.x;
    const float side = area < 0.0 ? -1.0 : 1.0;
    const vec3 ab = pgs_coverage_edge(a, b, side, margin, first);
    const vec3 bc = pgs_coverage_edge(b, c, side, margin, first);
    const vec3 ca = pgs_coverage_edge(c, a, side, margin, first);
    const vec3 x = vec3(ab.x, bc.x, ca.x), y = vec3(ab.y, bc.y, ca.y);
    const vec3 along = wide ? x : y;
    const vec3 across = (wide ? y : x) * least;
    vec3 at = vec3(ab.z, bc.z, ca.z);
    int missed = -1;
    [[unroll]] for (uint i = 0u; i < 4u; i++) {
        missed &= (pgs_coverage_signs(at) & pgs_coverage_signs(at + across)) | floatBitsToInt(most - float(i));
        at += along;
    }
    return least < 0.0 || (least < 2.0 && most < 4.0 && missed < 0);
}
#else
/* True if the triangle covers no sample, as far as that is quickly told: those with three samples in a row or column
 * of their bounds count as covering one. */
bool pgs_coverage_is_none(const vec2 a, const vec2 b, const vec2 c, const float area, const float margin)
{
    const vec2 first = ceil(min(min(a, b), c) - margin);
    const vec2 last = floor(max(max(a, b), c) + margin);
    const vec2 more = last - first;
    const float side = area < 0.0 ? -1.0 : 1.0;
    if (more.x < 0.0 || more.y < 0.0)
        return true;
    return more.x < 2.0 && more.y < 2.0 && pgs_coverage_misses(a, b, c, side, margin, first) &&
           pgs_coverage_misses(a, b, c, side, margin, last) && pgs_coverage_misses(a, b, c, side, margin, vec2(first.x, last.y)) &&
           pgs_coverage_misses(a, b, c, side, margin, vec2(last.x, first.y));
}
#endif

/* True if the triangle is culled by where it faces, wherever within the margin a driver sees its vertices. flags: of the
 * record. */
bool pgs_coverage_faces_away(const vec2 a, const vec2 b, const vec2 c, const float area, const float margin,
                             const uint flags)
{
    const vec2 extent = max(max(a, b), c) - min(min(a, b), c);
    const float unsure = 4.0 * margin * (extent.x + extent.y + 2.0 * margin);
    return ((flags & PGS_DRAW_CULLS_CLOCKWISE) != 0u && area > unsure) ||
           ((flags & PGS_DRAW_CULLS_COUNTER_CLOCKWISE) != 0u && area < -unsure);
}

bool pgs_coverage_draws_nothing(const vec2 a, const vec2 b, const vec2 c, const float margin, const uint flags)
{
    const float area = pgs_coverage_area(a, b, c);
    return pgs_coverage_faces_away(a, b, c, area, margin, flags) ||
           pgs_coverage_is_none(a, b, c, area, margin);
}

#endif
