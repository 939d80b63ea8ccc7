/* SPDX-License-Identifier: MIT
 *
 * Where a stippled line is in its pattern. Lines of Bresenham have a number for each pixel along
 * their major axis, others one for each pixel of their length. A line begins where its first vertex
 * is, also if that lies beside the viewport; one that reaches behind the eye has no length, and
 * begins where it is clipped.
 *
 * A pattern goes on along a strip, with what is left of its last pixel. A kernel finds where that is
 * for each line (kernels/stipple.comp).
 */
#ifndef PGS_STIPPLE_GLSL
#define PGS_STIPPLE_GLSL

#include "polygon_record.glsl"

/* Drivers snap places to a multiple of this, or to one with fewer bits. */
#define PGS_STIPPLE_SNAP 256.0

/* Decides to which rectangle a place on the border of two belongs. */
#define PGS_STIPPLE_TINY (0.5 / PGS_STIPPLE_SNAP)

/* Moves ends off the borders of diamonds, as the specification does: much less down than across. */
#define PGS_STIPPLE_MOVED vec2(0.25 / PGS_STIPPLE_SNAP, 0.03125 / PGS_STIPPLE_SNAP)

/* No line is longer, in pixels. */
#define PGS_STIPPLE_LONGEST 1048576.0

/* How much of a line the planes at the sides of the viewport cut off at an end: from it to the other
 * one, in clip space. at: the distances of both from the planes. */
float pgs_line_cut(const vec4 at_end, const vec4 at_other)
{
    const vec4 cut = mix(vec4(0.0), at_end / (at_end - at_other), lessThan(at_end, vec4(0.0)));
    return max(max(cut.x, cut.y), max(cut.z, cut.w));
}

/* Scales and shifts of x and y. flat_vertex: address of the one that selects the viewport. */
vec4 pgs_stipple_viewport(const uvec2 flat_vertex, const uint viewport_w)
{
    uint index = 0u;
    if (viewport_w != 0xFFFFFFFFu)
        index = pgs_read_near(flat_vertex, viewport_w);
    index = index < uint(PGS_MAX_VIEWPORTS) ? index : 0u;
    return vec4(uintBitsToFloat(PGS_POLYGONS_RECORD.viewports[index].x_scale),
                uintBitsToFloat(PGS_POLYGONS_RECORD.viewports[index].y_scale),
                uintBitsToFloat(PGS_POLYGONS_RECORD.viewports[index].x_shift),
                uintBitsToFloat(PGS_POLYGONS_RECORD.viewports[index].y_shift));
}

/* The line is in front of the eye. */
bool pgs_stipple_is_in_front(const vec4 from, const vec4 to)
{
    return from.w > 0.0 && to.w > 0.0;
}

/* The end, or where the line is clipped, if it reaches behind the eye. */
vec4 pgs_stipple_end(const vec4 end, const vec4 other)
{
    vec4 at = end;
    if (!pgs_stipple_is_in_front(end, other)) {
        const vec4 end_planes = end.wwww + vec4(end.xy, -end.xy);
        const vec4 other_planes = other.wwww + vec4(other.xy, -other.xy);
        at = mix(end, other, pgs_line_cut(end_planes, other_planes));
    }
    return at;
}

/* The first pixel of a line of Bresenham that goes on from a place, along its major axis: the one in
 * whose column it is, unless it has left the diamond there, or the centre. place: along the major axis, and the
 * minor one. */
float pgs_stipple_pixel(const vec2 place, const bool forward)
{
    const float ahead = (fract(place.x) - 0.5) * (forward ? 1.0 : -1.0);
    bool left = ahead + abs(fract(place.y) - 0.5) >= 0.5;
    if ((PGS_POLYGONS_RECORD.flags & PGS_POLYGONS_CENTRES) != 0u)
        left = ahead > 0.0;
    return floor(place.x) + (left ? (forward ? 1.0 : -1.0) : 0.0);
}

/* Pixels of such a line, along its major axis, from the border in front of its first one to both
 * ends, and to the first one that it does not have. The places are those of the first of its copies. */
vec3 pgs_stipple_pixels(const vec2 from, const vec2 to)
{
    const bool forward = to.x >= from.x;
    const float first = pgs_stipple_pixel(from, forward);
    const float behind = pgs_stipple_pixel(to, forward);
    return forward ? vec3(from.x - first, to.x - first, behind - first)
                   : vec3(first + 1.0 - from.x, first + 1.0 - to.x, first - behind);
}

/* Of others: from its start to both ends, and what of the pattern it takes. The rectangles of its
 * pixels have the pixels on their left borders, and on the upper ones. */
vec3 pgs_stipple_lengths(const vec2 along)
{
    const float tiny = along.x > 0.0 || (along.x == 0.0 && along.y > 0.0) ? PGS_STIPPLE_TINY : -PGS_STIPPLE_TINY;
    const float end = min(length(along), PGS_STIPPLE_LONGEST);
    return vec3(tiny, end + tiny, end);
}

vec2 pgs_stipple_snap(const vec2 place)
{
    const vec2 limit = vec2(PGS_STIPPLE_LONGEST);
    return floor(clamp(place, -limit, limit) * PGS_STIPPLE_SNAP + 0.5) / PGS_STIPPLE_SNAP - PGS_STIPPLE_MOVED;
}

/* Either of the two. Positions are in clip space; viewport: as above. */
vec3 pgs_stipple_span(const vec4 from, const vec4 to, const vec4 viewport)
{
    const vec4 a = pgs_stipple_end(from, to);
    const vec4 b = pgs_stipple_end(to, from);
    vec3 span = vec3(0.0);
    if (a.w > 0.0 && b.w > 0.0) {
        const vec2 at_a = a.xy / a.w * viewport.xy + viewport.zw;
        const vec2 at_b = b.xy / b.w * viewport.xy + viewport.zw;
        if ((PGS_POLYGONS_RECORD.flags & PGS_POLYGONS_PIXELS) != 0u) {
            const vec2 moved_a = pgs_stipple_snap(at_a);
            const vec2 moved_b = pgs_stipple_snap(at_b);
            const vec2 along = abs(moved_b - moved_a);
            const float beside = 0.5 * (uintBitsToFloat(PGS_POLYGONS_RECORD.line_width) - 1.0);
            span = along.x >= along.y
                       ? pgs_stipple_pixels(vec2(moved_a.x, moved_a.y - beside), vec2(moved_b.x, moved_b.y - beside))
                       : pgs_stipple_pixels(vec2(moved_a.y, moved_a.x - beside), vec2(moved_b.y, moved_b.x - beside));
        } else {
            span = pgs_stipple_lengths(at_b - at_a);
        }
    }
    return span;
}

/* Address of the places of lines. */
uvec2 pgs_stipple_places()
{
    return pgs_mul_add(PGS_DRAW.indices, PGS_DRAW.gs_invocation_bound * (PGS_DRAW.max_vertices - 1u), 8u);
}

#endif
