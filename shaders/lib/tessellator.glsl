/* SPDX-License-Identifier: MIT
 *
 * The tessellator: how many vertices and primitives a patch has, and the n-th of each in closed
 * form, without memory. Pure arithmetic, compiles as C, too. Vulkan specification, chapter
 * "Tessellation".
 *
 * Coordinates are integer multiples of 1 / PGS_TESS_ONE. So 1 - u is exact, u + v + w is 1,
 * symmetric vertices match in every bit, and all drivers get the same result.
 *
 * A subdivided edge is one word: its number of segments, and its level as a fixed-point number. The
 * edges of a patch go around it in the direction in which the sum a of "Tessellator Vertex Winding
 * Order" is positive:
 *
 *   triangles   u = 0 from v to w, v = 0 from w to u, w = 0 from u to v
 *   quads       u = 0 from (0, 1), v = 0 from (0, 0), u = 1 from (1, 0), v = 1 from (1, 1)
 *
 * Inner vertices come first, then those on the outer edges. The inside of a triangle consists of
 * rings parallel to the edges, in the same direction. Each ring has two segments per edge fewer
 * than the next outer one; the innermost has one, or none (a point).
 */
#ifndef PGS_TESSELLATOR_GLSL
#define PGS_TESSELLATOR_GLSL

#include "poly_gs/tessellation.h"
#include "portable.glsl"

#define PGS_TESS_ONE 65536u

PGS_ABI_STRUCT(pgs_tess_patch)
{
    pgs_u32 flags;                          /* PGS_TESS_* */
    pgs_u32 outer0, outer1, outer2, outer3; /* edges; isolines: number of lines, segments of each */
    pgs_u32 inner0, inner1;                 /* edges; triangles: first one only; quads: along u and v */
    pgs_u32 outer_segments;
    pgs_u32 inner_vertices;
    pgs_u32 vertex_count;
    pgs_u32 primitive_count;
};

PGS_ABI_STRUCT(pgs_tess_point)
{
    pgs_u32 u, v;
};

PGS_ABI_STRUCT(pgs_tess_indices)
{
    pgs_u32 a, b, c;
};

/* Triangles between two lines of vertices: each triangle advances one step on one of the lines. The
 * positions before the step, and the line on which it is. */
PGS_ABI_STRUCT(pgs_tess_step)
{
    pgs_u32 outer, inner;
    bool on_outer;
};

#define PGS_TESS_PATCH PGS_ABI_TYPE(pgs_tess_patch)
#define PGS_TESS_POINT PGS_ABI_TYPE(pgs_tess_point)
#define PGS_TESS_INDICES PGS_ABI_TYPE(pgs_tess_indices)
#define PGS_TESS_STEP PGS_ABI_TYPE(pgs_tess_step)

/* flags: those of the patch. A parameter of its own where it may be constant, so that only the code for one domain and
 * spacing is linked. */

/* --- Quotients --- */

/* Drivers of CPUs divide integers one by one, which takes long to compile; floats they divide all at once. */

/* dividend / divisor, of less than 2^20: by half a part it is farther from an integer than the float may be off. */
PGS_PURE pgs_u32 pgs_tess_small_quotient(const pgs_u32 dividend, const pgs_u32 divisor)
{
    return PGS_U32(PGS_INT((PGS_FLOAT(PGS_INT(dividend)) + 0.5f) / PGS_FLOAT(PGS_INT(divisor))));
}

/* The same of less than 2^31, if the quotient is less than 2^18. The float is off by less than a quarter, so without one it is
 * not above the quotient, and below by one at most. */
PGS_PURE pgs_u32 pgs_tess_quotient(const pgs_u32 dividend, const pgs_u32 divisor)
{
    const pgs_u32 near = PGS_U32(PGS_INT(PGS_FLOAT(PGS_INT(dividend)) / PGS_FLOAT(PGS_INT(divisor)) - 0.25f));
    return near + PGS_SELECT(dividend - near * divisor >= divisor, 1u, 0u);
}

/* --- Edges --- */

PGS_PURE pgs_u32 pgs_tess_edge(const pgs_u32 segments, const pgs_u32 level_fixed)
{
    return segments << 24 | level_fixed;
}

PGS_PURE pgs_u32 pgs_tess_segments(const pgs_u32 edge)
{
    return edge >> 24;
}

/* level: bits of a float. True if it is positive, including infinity, and not NaN. */
PGS_PURE bool pgs_tess_positive(const pgs_u32 level)
{
    return level != 0u && level <= 0x7F800000u;
}

/* The levels that a spacing has, as bits of floats. */
PGS_PURE pgs_u32 pgs_tess_least(const pgs_u32 spacing)
{
    return PGS_SELECT(spacing == PGS_TESS_FRACTIONAL_EVEN, 0x40000000u, 0x3F800000u); /* 2 or 1 */
}

PGS_PURE pgs_u32 pgs_tess_most(const pgs_u32 spacing)
{
    return PGS_SELECT(spacing == PGS_TESS_FRACTIONAL_ODD, 0x427C0000u, 0x42800000u); /* 63 or 64 */
}

/* The nearest of these. Positive floats compare like their bits. */
PGS_PURE pgs_u32 pgs_tess_clamped(const pgs_u32 level, const pgs_u32 spacing)
{
    const pgs_u32 least = pgs_tess_least(spacing);
    /* Those that are not positive are no less than 0x7F800001. */
    const pgs_u32 bounded = pgs_smaller(pgs_larger(level, least), pgs_tess_most(spacing));
    return PGS_SELECT(level <= 0x7F800000u, bounded, least);
}

/* As a multiple of 1 / PGS_TESS_ONE, rounded down: what pgs_tess_edge_of_level makes of a fractional one. */
PGS_PURE pgs_u32 pgs_tess_fixed(const pgs_u32 clamped)
{
    return PGS_U32(PGS_INT(uintBitsToFloat(clamped) * 65536.0f));
}

PGS_PURE pgs_u32 pgs_tess_edge_of_level(const pgs_u32 level, const pgs_u32 spacing)
{
    const pgs_u32 bits = pgs_tess_clamped(level, spacing);
    const pgs_u32 exponent = (bits >> 23) - 127u; /* 0..6 */
    const pgs_u32 mantissa = (bits & 0x7FFFFFu) | 0x800000u;
    const pgs_u32 fraction_bits = 23u - exponent;
    const pgs_u32 rounded_up = (mantissa + (1u << fraction_bits) - 1u) >> fraction_bits;
    if (spacing == PGS_TESS_EQUAL)
        return pgs_tess_edge(rounded_up, rounded_up * PGS_TESS_ONE);
    const pgs_u32 odd = PGS_SELECT(spacing == PGS_TESS_FRACTIONAL_ODD, 1u, 0u);
    return pgs_tess_edge(rounded_up + ((rounded_up & 1u) ^ odd), mantissa >> (fraction_bits - 16u));
}

/* The edge for a level just above one. */
PGS_PURE pgs_u32 pgs_tess_edge_above_one(const pgs_u32 spacing)
{
    return PGS_SELECT(spacing == PGS_TESS_FRACTIONAL_ODD, pgs_tess_edge(3u, PGS_TESS_ONE),
                      pgs_tess_edge(2u, 2u * PGS_TESS_ONE));
}

/* The segment, counted from either end, that is shorter than the others if the level is below the
 * number of segments. The specification leaves open which one. This is the order in which Direct3D 11
 * splits an edge, which GPUs follow: near the middle of what has not been split for longest. */
PGS_PURE pgs_u32 pgs_tess_short_segment(const pgs_u32 segments)
{
    const pgs_u32 order = segments / 2u - 1u; /* less than 32 */
    const pgs_u32 pair = order | order >> 1, filled = pair | pair >> 2 | order >> 4;
    return 2u * order - filled; /* 2 * x + 1 if x is without the highest bit, and 0 of 0 */
}

/* Position of vertex k of the first half of an edge: between that among all segments, and that among two fewer,
 * without the short ones. The level says how near to either, as in Direct3D 11. equal: constant, and true only if all
 * spacing is PGS_TESS_EQUAL, where the level is the number of segments and less code is needed: the exact position is
 * farther from the middle between two places than a quotient of floats may be off. */
PGS_PURE pgs_u32 pgs_tess_near_place(const bool equal, const pgs_u32 segments, const pgs_u32 level, const pgs_u32 k)
{
    if (equal)
        return PGS_U32(PGS_INT(PGS_FLOAT(PGS_INT(k * PGS_TESS_ONE)) / PGS_FLOAT(PGS_INT(segments)) + 0.5f));
    const pgs_u32 fewer = pgs_larger(segments, 3u) - 2u;
    /* Of 2: the level lies between `fewer` and `segments`. */
    const pgs_u32 rest = segments * PGS_TESS_ONE - level;
    const pgs_u32 of_fewer = rest * segments, step = of_fewer + (2u * PGS_TESS_ONE - rest) * fewer;
    const pgs_u32 sum = step * k - PGS_SELECT(k > pgs_tess_short_segment(segments), of_fewer, 0u); /* < 2^30 */
    const pgs_u32 middle = segments * fewer;
    return pgs_tess_quotient(sum + middle, 2u * middle);
}

/* The same of any vertex. The halves are mirror images. */
PGS_PURE pgs_u32 pgs_tess_place_of(const bool equal, const pgs_u32 segments, const pgs_u32 level, const pgs_u32 k)
{
    const pgs_u32 left = segments - k;
    const bool mirrored = k > left;
    const pgs_u32 place = pgs_tess_near_place(equal, segments, level, PGS_SELECT(mirrored, left, k));
    return PGS_SELECT(mirrored, PGS_TESS_ONE - place, place);
}

/* Two numbers, of either edge. */
PGS_PURE PGS_TESS_POINT pgs_tess_pair(const pgs_u32 u, const pgs_u32 v)
{
    PGS_TESS_POINT pair;
    pair.u = u;
    pair.v = v;
    return pair;
}

/* pgs_tess_near_place of two edges at once: in shaders with half as many instructions. Members named u and v are of either. */
PGS_PURE PGS_TESS_POINT pgs_tess_near_places(const bool equal, const PGS_TESS_POINT segments, const PGS_TESS_POINT level,
                                             const PGS_TESS_POINT k)
{
#ifdef PGS_GLSL
    /* With numbers for either: glslang would make pairs of single ones in the code. */
    const uvec2 one = uvec2(PGS_TESS_ONE), two = uvec2(2u);
    const uvec2 all = uvec2(segments.u, segments.v), number = uvec2(k.u, k.v);
    uvec2 made;
    if (equal) {
        made = uvec2(ivec2(vec2(ivec2(number * one)) / vec2(ivec2(all)) + vec2(0.5f)));
    } else {
        const uvec2 fewer = max(all, uvec2(3u)) - two;
        const uvec2 rest = all * one - uvec2(level.u, level.v);
        const uvec2 of_fewer = rest * all, step = of_fewer + (two * one - rest) * fewer;
        const uvec2 order = all / two - uvec2(1u);
        const uvec2 pair = order | order >> uvec2(1u), filled = pair | pair >> two | order >> uvec2(4u);
        const uvec2 middle = all * fewer, divisor = two * middle;
        const uvec2 sum = step * number - mix(uvec2(0u), of_fewer, greaterThan(number, two * order - filled)) + middle;
        const uvec2 near = uvec2(ivec2(vec2(ivec2(sum)) / vec2(ivec2(divisor)) - vec2(0.25f)));
        made = near + mix(uvec2(0u), uvec2(1u), greaterThanEqual(sum - near * divisor, divisor));
    }
    return pgs_tess_pair(made.x, made.y);
#else
    return pgs_tess_pair(pgs_tess_near_place(equal, segments.u, level.u, k.u),
                         pgs_tess_near_place(equal, segments.v, level.v, k.v));
#endif
}

/* The same of pgs_tess_place_of. */
PGS_PURE PGS_TESS_POINT pgs_tess_places_of(const bool equal, const PGS_TESS_POINT segments, const PGS_TESS_POINT level,
                                           const PGS_TESS_POINT k)
{
#ifdef PGS_GLSL
    const uvec2 number = uvec2(k.u, k.v), left = uvec2(segments.u, segments.v) - number, near = min(number, left);
    const PGS_TESS_POINT place = pgs_tess_near_places(equal, segments, level, pgs_tess_pair(near.x, near.y));
    const uvec2 made = uvec2(place.u, place.v);
    const uvec2 mirrored = mix(made, uvec2(PGS_TESS_ONE) - made, greaterThan(number, left));
    return pgs_tess_pair(mirrored.x, mirrored.y);
#else
    return pgs_tess_pair(pgs_tess_place_of(equal, segments.u, level.u, k.u),
                         pgs_tess_place_of(equal, segments.v, level.v, k.v));
#endif
}

PGS_PURE pgs_u32 pgs_tess_level(const pgs_u32 edge)
{
    return edge & 0xFFFFFFu;
}

PGS_PURE pgs_u32 pgs_tess_place_at(const bool equal, const pgs_u32 edge, const pgs_u32 k)
{
    return pgs_tess_place_of(equal, pgs_tess_segments(edge), pgs_tess_level(edge), k);
}

PGS_PURE pgs_u32 pgs_tess_place(const pgs_u32 edge, const pgs_u32 k)
{
    return pgs_tess_place_at(false, edge, k);
}

/* --- Patches --- */

PGS_PURE pgs_u32 pgs_tess_outer(const PGS_TESS_PATCH tess, const pgs_u32 edge)
{
    const pgs_u32 behind = PGS_SELECT(edge == 2u, tess.outer2, tess.outer3);
    return PGS_SELECT(edge == 0u, tess.outer0, PGS_SELECT(edge == 1u, tess.outer1, behind));
}

/* Number of segments, and so of vertices, on the outer edges before this one. */
PGS_PURE pgs_u32 pgs_tess_outer_start(const PGS_TESS_PATCH tess, const pgs_u32 edge)
{
    const pgs_u32 one = PGS_SELECT(edge > 0u, pgs_tess_segments(tess.outer0), 0u);
    const pgs_u32 two = PGS_SELECT(edge > 1u, pgs_tess_segments(tess.outer1), 0u);
    return one + two + PGS_SELECT(edge > 2u, pgs_tess_segments(tess.outer2), 0u);
}

/* Number of vertex k of an outer edge. The last vertex is the first one of the next edge. */
PGS_PURE pgs_u32 pgs_tess_outer_vertex(const PGS_TESS_PATCH tess, const pgs_u32 edge, const pgs_u32 k)
{
    const pgs_u32 around = pgs_tess_outer_start(tess, edge) + k;
    return tess.inner_vertices + PGS_SELECT(around == tess.outer_segments, 0u, around);
}

/* For the ring with this many segments per edge: its first vertex, and the triangles inside it. */
PGS_PURE pgs_u32 pgs_tess_ring_start(const pgs_u32 segments)
{
    const pgs_u32 start = 3u * (((segments - 1u) * (segments - 1u)) >> 2) + ((segments & 1u) ^ 1u);
    return PGS_SELECT(segments == 0u, 0u, start);
}

/* whole: those of the innermost ring that are in none of its strips. */
PGS_PURE pgs_u32 pgs_tess_ring_triangles_of(const pgs_u32 segments, const pgs_u32 whole)
{
    return 6u * ((segments * segments) >> 2) + whole;
}

PGS_PURE pgs_u32 pgs_tess_ring_triangles(const pgs_u32 segments)
{
    return pgs_tess_ring_triangles_of(segments, segments & 1u);
}

PGS_PURE pgs_u32 pgs_tess_ring_vertex(const pgs_u32 segments, const pgs_u32 edge, const pgs_u32 k)
{
    const pgs_u32 around = edge * segments + k;
    return pgs_tess_ring_start(segments) + PGS_SELECT(around == 3u * segments, 0u, around);
}

/* Computes the counts from the edges. */
PGS_PURE PGS_TESS_PATCH pgs_tess_counted(const pgs_u32 flags, const PGS_TESS_PATCH edges)
{
    PGS_TESS_PATCH tess = edges;
    const pgs_u32 domain = flags & PGS_TESS_DOMAIN;
    const pgs_u32 n = pgs_tess_segments(tess.inner0);
    const pgs_u32 m = pgs_tess_segments(tess.inner1);
    tess.outer_segments = pgs_tess_outer_start(tess, 3u);
    if (domain == PGS_TESS_ISOLINES) {
        const pgs_u32 lines = pgs_tess_segments(tess.outer0);
        const pgs_u32 segments = pgs_tess_segments(tess.outer1);
        tess.vertex_count = lines * (segments + 1u);
        tess.primitive_count = lines * segments;
    } else if (domain == PGS_TESS_QUADS) {
        tess.outer_segments += pgs_tess_segments(tess.outer3);
        tess.inner_vertices = (n - 1u) * (m - 1u);
        const pgs_u32 divided = tess.outer_segments + 2u * (n - 1u) * (m - 1u) - 2u;
        tess.primitive_count = PGS_SELECT(n > 1u, divided, 2u);
    } else {
        const pgs_u32 divided = tess.outer_segments + 3u * (n - 2u) + pgs_tess_ring_triangles(n - 2u);
        tess.inner_vertices = PGS_SELECT(n > 1u, pgs_tess_ring_start(n), 0u);
        tess.primitive_count = PGS_SELECT(n > 1u, divided, 1u);
    }
    if (domain != PGS_TESS_ISOLINES)
        tess.vertex_count = tess.inner_vertices + tess.outer_segments;
    if ((flags & PGS_TESS_POINT_MODE) != 0u)
        tess.primitive_count = tess.vertex_count;
    return tess;
}

/* The edges alone. Levels are bits of floats. */
PGS_PURE PGS_TESS_PATCH pgs_tess_edges_of(const pgs_u32 flags, const pgs_u32 outer0, const pgs_u32 outer1,
                                          const pgs_u32 outer2, const pgs_u32 outer3, const pgs_u32 inner0,
                                          const pgs_u32 inner1)
{
    const pgs_u32 domain = flags & PGS_TESS_DOMAIN;
    const pgs_u32 spacing = flags & PGS_TESS_SPACING;
    PGS_TESS_PATCH tess;
    tess.flags = flags;
    tess.outer0 = pgs_tess_edge_of_level(outer0, domain == PGS_TESS_ISOLINES ? PGS_TESS_EQUAL : spacing);
    tess.outer1 = pgs_tess_edge_of_level(outer1, spacing);
    tess.outer2 = pgs_tess_edge_of_level(outer2, spacing);
    tess.outer3 = pgs_tess_edge_of_level(outer3, spacing);
    tess.inner0 = pgs_tess_edge_of_level(inner0, spacing);
    tess.inner1 = pgs_tess_edge_of_level(inner1, spacing);
    tess.outer_segments = 0u;
    tess.inner_vertices = 0u;
    tess.vertex_count = 0u;
    tess.primitive_count = 0u;
    return tess;
}

/* Adds the inside, and the counts, of a patch that is not discarded. */
PGS_PURE PGS_TESS_PATCH pgs_tess_divided(const pgs_u32 flags, const PGS_TESS_PATCH edges)
{
    PGS_TESS_PATCH tess = edges;
    const pgs_u32 spacing = flags & PGS_TESS_SPACING;
    const bool quads = (flags & PGS_TESS_DOMAIN) == PGS_TESS_QUADS;
    const pgs_u32 three = (tess.inner0 >> 24 ^ 1u) | (tess.outer0 >> 24 ^ 1u) | (tess.outer1 >> 24 ^ 1u) |
                          (tess.outer2 >> 24 ^ 1u);
    const pgs_u32 rest = (tess.inner1 >> 24 ^ 1u) | (tess.outer3 >> 24 ^ 1u);
    const bool whole = (three | PGS_SELECT(quads, rest, 0u)) == 0u; /* no edge is divided */
    const pgs_u32 above_one = pgs_tess_edge_above_one(spacing);
    const bool lifts0 = pgs_both(!whole, pgs_tess_segments(tess.inner0) == 1u);
    const bool lifts1 = pgs_both(!whole, pgs_tess_segments(tess.inner1) == 1u);
    tess.inner0 = PGS_SELECT(lifts0, above_one, tess.inner0);
    tess.inner1 = PGS_SELECT(lifts1, above_one, tess.inner1);
    return pgs_tess_counted(flags, tess);
}

/* A discarded patch has counts of 0. */
PGS_PURE PGS_TESS_PATCH pgs_tess_patch_of(const pgs_u32 flags, const pgs_u32 outer0, const pgs_u32 outer1,
                                          const pgs_u32 outer2, const pgs_u32 outer3, const pgs_u32 inner0,
                                          const pgs_u32 inner1)
{
    const pgs_u32 domain = flags & PGS_TESS_DOMAIN;
    const PGS_TESS_PATCH edges = pgs_tess_edges_of(flags, outer0, outer1, outer2, outer3, inner0, inner1);
    if (!pgs_tess_positive(outer0) || !pgs_tess_positive(outer1))
        return edges;
    if (domain != PGS_TESS_ISOLINES && !pgs_tess_positive(outer2))
        return edges;
    if (domain == PGS_TESS_QUADS && !pgs_tess_positive(outer3))
        return edges;
    return pgs_tess_divided(flags, edges);
}

/* --- Vertices --- */

/* floor(sqrt(4 * quarter + 3)) of less than 2^12: halfway between two numbers the root is farther from an integer than the
 * driver's may be off. */
PGS_PURE pgs_u32 pgs_tess_root(const pgs_u32 quarter)
{
    return PGS_U32(PGS_INT(pgs_sqrt(PGS_FLOAT(PGS_INT(quarter)) * 4.0f + 3.5f)));
}

/* A point on a line parallel to an edge of the triangle. distance: the coordinate that is 0 on the
 * edge; done: the one that grows along it. */
PGS_PURE PGS_TESS_POINT pgs_tess_barycentric(const pgs_u32 edge, const pgs_u32 distance, const pgs_u32 done)
{
    const pgs_u32 left = PGS_TESS_ONE - distance - done;
    PGS_TESS_POINT point;
    point.u = PGS_SELECT(edge == 0u, distance, PGS_SELECT(edge == 1u, done, left));
    point.v = PGS_SELECT(edge == 0u, left, PGS_SELECT(edge == 1u, distance, done));
    return point;
}

/* Vertex k of an edge of the ring at `depth`, counted from outside. If the outer edges were divided
 * like the inside, the ring's corners would be where the perpendiculars from their vertices number
 * `depth` meet: at 2/3 of their position, from both edges. Its other vertices lie on the
 * perpendiculars of the next vertices. The third is rounded down, so that no vertex passes the
 * middle of its line and no ring leaves the outer one. */
PGS_PURE PGS_TESS_POINT pgs_tess_ring_point(const bool equal, const pgs_u32 outermost, const pgs_u32 level,
                                            const pgs_u32 depth, const pgs_u32 edge, const pgs_u32 k)
{
    const pgs_u32 segments = outermost - 2u * depth;
    const pgs_u32 left = segments - k;
    const bool mirrored = k > left;
    const PGS_TESS_POINT on = pgs_tess_near_places(equal, pgs_tess_pair(outermost, outermost), pgs_tess_pair(level, level),
                                                   pgs_tess_pair(depth, depth + PGS_SELECT(mirrored, left, k)));
    const pgs_u32 distance = 2u * (on.u / 3u);
    const pgs_u32 done = PGS_SELECT(k == left, (PGS_TESS_ONE - distance) / 2u, distance + on.v - on.u);
    return pgs_tess_barycentric(edge, distance, PGS_SELECT(mirrored, PGS_TESS_ONE - distance - done, done));
}

PGS_PURE PGS_TESS_POINT pgs_tess_triangle_inside(const bool equal, const pgs_u32 inner, const pgs_u32 vertex)
{
    const pgs_u32 n = pgs_tess_segments(inner);
    const pgs_u32 point_vertices = (n & 1u) ^ 1u;
    if (vertex < point_vertices) {
        PGS_TESS_POINT center;
        center.u = PGS_TESS_ONE / 3u;
        center.v = PGS_TESS_ONE / 3u;
        return center;
    }
    /* The largest number of segments, of the parity of n, whose ring begins at or before the
     * vertex: (segments - 1)^2 / 4 <= third. */
    const pgs_u32 third = (vertex - point_vertices) / 3u;
    const pgs_u32 most = pgs_tess_root(third) + 1u;
    const pgs_u32 segments = most - ((most ^ n) & 1u);
    const pgs_u32 around = vertex - pgs_tess_ring_start(segments);
    const pgs_u32 edge = pgs_tess_small_quotient(around, segments);
    return pgs_tess_ring_point(equal, n, pgs_tess_level(inner), (n - segments) / 2u, edge, around - edge * segments);
}

PGS_PURE PGS_TESS_POINT pgs_tess_quad_inside(const bool equal, const PGS_TESS_PATCH tess, const pgs_u32 vertex)
{
    const pgs_u32 row_el = pgs_tess_segments(tess.inner0) - 1u;
    const pgs_u32 row = pgs_tess_small_quotient(vertex, row_el);
    PGS_TESS_POINT point;
    point.u = pgs_tess_place_at(equal, tess.inner0, vertex - row * row_el + 1u);
    point.v = pgs_tess_place_at(equal, tess.inner1, row + 1u);
    return point;
}

PGS_PURE PGS_TESS_POINT pgs_tess_isoline_point(const bool equal, const PGS_TESS_PATCH tess, const pgs_u32 vertex)
{
    const pgs_u32 line_el = pgs_tess_segments(tess.outer1) + 1u;
    const pgs_u32 line = pgs_tess_small_quotient(vertex, line_el);
    PGS_TESS_POINT point;
    point.u = pgs_tess_place_at(equal, tess.outer1, vertex - line * line_el);
    point.v = pgs_tess_place_at(equal, tess.outer0, line);
    return point;
}

/* Vertex number `around` on the outer edges. */
PGS_PURE PGS_TESS_POINT pgs_tess_outer_point(const pgs_u32 flags, const bool equal, const PGS_TESS_PATCH tess,
                                             const pgs_u32 around)
{
    pgs_u32 edge = around < pgs_tess_outer_start(tess, 1u) ? 0u : 1u;
    edge += around < pgs_tess_outer_start(tess, 2u) ? 0u : 1u;
    edge += around < pgs_tess_outer_start(tess, 3u) ? 0u : 1u;
    const pgs_u32 place =
        pgs_tess_place_at(equal, pgs_tess_outer(tess, edge), around - pgs_tess_outer_start(tess, edge));
    if ((flags & PGS_TESS_DOMAIN) == PGS_TESS_TRIANGLES)
        return pgs_tess_barycentric(edge, 0u, place);
    const pgs_u32 along = edge == 0u || edge == 3u ? PGS_TESS_ONE - place : place;
    const pgs_u32 across = edge == 0u || edge == 1u ? 0u : PGS_TESS_ONE;
    const bool vertical = (edge & 1u) == 0u;
    PGS_TESS_POINT point;
    point.u = vertical ? across : along;
    point.v = vertical ? along : across;
    return point;
}

/* u and v of a vertex of the patch, as multiples of 1 / PGS_TESS_ONE. equal: as for pgs_tess_place_of. */
PGS_PURE PGS_TESS_POINT pgs_tess_vertex_of(const pgs_u32 flags, const bool equal, const PGS_TESS_PATCH tess,
                                           const pgs_u32 vertex)
{
    const pgs_u32 domain = flags & PGS_TESS_DOMAIN;
    if (domain == PGS_TESS_ISOLINES)
        return pgs_tess_isoline_point(equal, tess, vertex);
    if (vertex >= tess.inner_vertices)
        return pgs_tess_outer_point(flags, equal, tess, vertex - tess.inner_vertices);
    if (domain == PGS_TESS_QUADS)
        return pgs_tess_quad_inside(equal, tess, vertex);
    return pgs_tess_triangle_inside(equal, tess.inner0, vertex);
}

PGS_PURE PGS_TESS_POINT pgs_tess_vertex(const PGS_TESS_PATCH tess, const pgs_u32 vertex)
{
    return pgs_tess_vertex_of(tess.flags, false, tess, vertex);
}

PGS_PURE float pgs_tess_coordinate(const pgs_u32 place)
{
    return PGS_FLOAT(place) * (1.0f / 65536.0f);
}

/* --- Primitives --- */

PGS_PURE pgs_u32 pgs_tess_vertices_per_primitive(const pgs_u32 flags)
{
    if ((flags & PGS_TESS_POINT_MODE) != 0u)
        return 1u;
    return (flags & PGS_TESS_DOMAIN) == PGS_TESS_ISOLINES ? 2u : 3u;
}

/* Words of an element of pgs_tessellation.primitives. */
PGS_PURE pgs_u32 pgs_tess_primitive_stride_w(const pgs_u32 flags)
{
    return (flags & PGS_TESS_STORED) != 0u ? pgs_tess_vertices_per_primitive(flags) : PGS_TESS_PRIMITIVE_STRIDE_B / 4u;
}

/* Vertices along half of an edge, from its corner to the middle or to the segment that lies there. */
PGS_PURE pgs_u32 pgs_tess_half(const pgs_u32 segments)
{
    return segments / 2u;
}

/* The largest power of two that is not above x. */
PGS_PURE pgs_u32 pgs_tess_power(const pgs_u32 x)
{
    const pgs_u32 pair = x | x >> 1, four = pair | pair >> 2, filled = four | four >> 4;
    return filled - (filled >> 1);
}

/* Where vertex k of a half with so many segments lies if splitting goes on: of 64. Halves grow as
 * pgs_tess_short_segment says, so each has all vertices of those with fewer segments. */
PGS_PURE pgs_u32 pgs_tess_half_place(const pgs_u32 half_el, const pgs_u32 k)
{
    const pgs_u32 power = pgs_tess_power(half_el);
    const pgs_u32 split = 2u * (half_el - power); /* vertices up to here are twice as dense */
    return PGS_SELECT(k <= split, k, 2u * k - split) * pgs_tess_small_quotient(32u, power);
}

/* Number of vertices but the corner of such a half that are not behind `place`. */
PGS_PURE pgs_u32 pgs_tess_half_rank(const pgs_u32 half_el, const pgs_u32 place)
{
    const pgs_u32 power = pgs_tess_power(half_el);
    const pgs_u32 split = 2u * (half_el - power);
    const pgs_u32 dense = place * power / 32u;
    return PGS_SELECT(dense <= split, dense, (dense + split) / 2u);
}

/* Steps of half of the inner line in front of step k of the outer half: those whose vertices are
 * not behind. The inner line begins at the first vertex behind the corner. */
PGS_PURE pgs_u32 pgs_tess_inner_before(const pgs_u32 outer_half, const pgs_u32 inner_half, const pgs_u32 k)
{
    const pgs_u32 rank = pgs_tess_half_rank(inner_half, pgs_tess_half_place(outer_half, k));
    return PGS_SELECT(rank < inner_half - 1u, rank, inner_half - 1u);
}

/* Steps of the outer half among the first j of both halves: the least k whose step comes at j or
 * later. */
PGS_PURE pgs_u32 pgs_tess_outer_before(const pgs_u32 outer_half, const pgs_u32 inner_half, const pgs_u32 j)
{
    pgs_u32 k = 0u;
    PGS_DONT_UNROLL for (pgs_u32 bit = 32u; bit != 0u; bit >>= 1) {
        const pgs_u32 last = k + bit - 1u;
        const pgs_u32 both = last + pgs_tess_inner_before(outer_half, inner_half, last);
        k += PGS_SELECT(last < outer_half, PGS_SELECT(both < j, bit, 0u), 0u);
    }
    return k;
}

/* Step j of the strip between an outer edge and the line inside it, whose edge has inner_segments
 * with those at both ends. As in Direct3D 11, which GPUs follow: either half is the other's mirror
 * image, and a step comes where its first vertex lies; at one place the inner line goes first, and
 * in the middle, too. */
PGS_PURE PGS_TESS_STEP pgs_tess_border_step(const pgs_u32 outer_segments, const pgs_u32 inner_segments,
                                            const pgs_u32 j)
{
    const pgs_u32 outer_half = pgs_tess_half(outer_segments), inner_half = pgs_tess_half(inner_segments);
    const pgs_u32 steps = outer_segments + inner_segments - 2u;
    const pgs_u32 half_steps = outer_half + inner_half - 1u;
    const pgs_u32 inner_middle = inner_segments & 1u;
    const bool mirrored = j >= steps - half_steps;
    const bool in_middle = pgs_both(!mirrored, j >= half_steps);
    const pgs_u32 before_middle = PGS_SELECT(in_middle, half_steps, j);
    const pgs_u32 near = PGS_SELECT(mirrored, steps - 1u - j, before_middle);
    const pgs_u32 outer = pgs_tess_outer_before(outer_half, inner_half, near);
    const pgs_u32 inner = near - outer;
    const bool in_half = pgs_both(outer < outer_half, inner == pgs_tess_inner_before(outer_half, inner_half, outer));
    const bool at_middle = j - half_steps == inner_middle;
    const pgs_u32 passed = PGS_SELECT(pgs_both(in_middle, at_middle), inner_middle, 0u);
    const bool is_outer = PGS_SELECT(in_middle, at_middle, in_half);
    /* Mirrored: from the other end, and backwards. */
    const pgs_u32 on_outer = PGS_SELECT(is_outer, 1u, 0u);
    PGS_TESS_STEP step;
    step.on_outer = is_outer;
    step.outer = PGS_SELECT(mirrored, outer_segments - outer - on_outer, outer);
    step.inner = PGS_SELECT(mirrored, inner_segments - 3u - inner + on_outer, inner + passed);
    return step;
}

/* The same between two rings with `segments` and two fewer: in turns. */
PGS_PURE PGS_TESS_STEP pgs_tess_ring_step(const pgs_u32 segments, const pgs_u32 j)
{
    const pgs_u32 left = 2u * segments - 2u - j;
    const bool mirrored = j >= ((segments - 1u) | 1u);
    PGS_TESS_STEP step;
    step.on_outer = ((mirrored ? left - 1u : j) & 1u) == 0u;
    step.outer = mirrored ? segments - (left + 1u) / 2u : (j + 1u) / 2u;
    step.inner = j - step.outer;
    return step;
}

/* The inner line of a quad's strip along an outer edge. */
PGS_PURE pgs_u32 pgs_tess_quad_line(const PGS_TESS_PATCH tess, const pgs_u32 edge, const pgs_u32 k)
{
    const pgs_u32 columns = pgs_tess_segments(tess.inner0) - 1u;
    const pgs_u32 rows = pgs_tess_segments(tess.inner1) - 1u;
    const pgs_u32 column = edge == 0u ? 0u : edge == 1u ? k : edge == 2u ? columns - 1u : columns - 1u - k;
    const pgs_u32 row = edge == 0u ? rows - 1u - k : edge == 1u ? 0u : edge == 2u ? k : rows - 1u;
    return row * columns + column;
}

PGS_PURE pgs_u32 pgs_tess_inner_line(const pgs_u32 flags, const PGS_TESS_PATCH tess, const pgs_u32 edge, const pgs_u32 k)
{
    if ((flags & PGS_TESS_DOMAIN) == PGS_TESS_QUADS)
        return pgs_tess_quad_line(tess, edge, k);
    return pgs_tess_ring_vertex(pgs_tess_segments(tess.inner0) - 2u, edge, k);
}

/* Segments of the inner line along the outer edge, and those of all edges before it. */
PGS_PURE pgs_u32 pgs_tess_line_segments(const pgs_u32 flags, const PGS_TESS_PATCH tess, const pgs_u32 edge)
{
    const bool along_v = pgs_both((flags & PGS_TESS_DOMAIN) == PGS_TESS_QUADS, (edge & 1u) == 0u);
    return pgs_tess_segments(PGS_SELECT(along_v, tess.inner1, tess.inner0)) - 2u;
}

PGS_PURE pgs_u32 pgs_tess_strip_start(const pgs_u32 flags, const PGS_TESS_PATCH tess, const pgs_u32 edge)
{
    const pgs_u32 even = pgs_tess_line_segments(flags, tess, 0u);
    const pgs_u32 odd = pgs_tess_line_segments(flags, tess, 1u);
    return pgs_tess_outer_start(tess, edge) + (edge + 1u) / 2u * even + edge / 2u * odd;
}

/* Edge whose strip at the border has triangle j. */
PGS_PURE pgs_u32 pgs_tess_border_edge(const pgs_u32 flags, const PGS_TESS_PATCH tess, const pgs_u32 j)
{
    const bool quads = (flags & PGS_TESS_DOMAIN) == PGS_TESS_QUADS;
    const pgs_u32 two = PGS_SELECT(j < pgs_tess_strip_start(flags, tess, 1u), 0u, 1u) +
                        PGS_SELECT(j < pgs_tess_strip_start(flags, tess, 2u), 0u, 1u);
    return two + PGS_SELECT(pgs_both(quads, j >= pgs_tess_strip_start(flags, tess, 3u)), 1u, 0u);
}

/* Triangles at the border, of which a patch without an inside has none. */
PGS_PURE pgs_u32 pgs_tess_border_triangles(const pgs_u32 flags, const PGS_TESS_PATCH tess)
{
    const bool quads = (flags & PGS_TESS_DOMAIN) == PGS_TESS_QUADS;
    const pgs_u32 last = PGS_SELECT(quads, 3u, 2u);
    const pgs_u32 triangles = pgs_tess_strip_start(flags, tess, last) +
                              pgs_tess_segments(PGS_SELECT(quads, tess.outer3, tess.outer2)) +
                              pgs_tess_line_segments(flags, tess, last);
    return PGS_SELECT(tess.inner_vertices == 0u, 0u, triangles);
}

/* Triangle j between the outer edges and the inside. */
PGS_PURE PGS_TESS_INDICES pgs_tess_border_triangle(const pgs_u32 flags, const PGS_TESS_PATCH tess, const pgs_u32 j)
{
    const pgs_u32 edge = pgs_tess_border_edge(flags, tess, j);
    const PGS_TESS_STEP step =
        pgs_tess_border_step(pgs_tess_segments(pgs_tess_outer(tess, edge)),
                             pgs_tess_line_segments(flags, tess, edge) + 2u,
                             j - pgs_tess_strip_start(flags, tess, edge));
    const pgs_u32 outer = pgs_tess_outer_vertex(tess, edge, step.outer);
    const pgs_u32 inner = pgs_tess_inner_line(flags, tess, edge, step.inner);
    PGS_TESS_INDICES indices;
    indices.a = outer;
    indices.b = step.on_outer ? pgs_tess_outer_vertex(tess, edge, step.outer + 1u)
                              : pgs_tess_inner_line(flags, tess, edge, step.inner + 1u);
    indices.c = inner;
    return indices;
}

/* Segments of the ring around which triangle j of the inside lies: the largest number, of the parity
 * of n, whose ring does not enclose it: segments^2 / 4 <= sixth. */
PGS_PURE pgs_u32 pgs_tess_ring_within(const pgs_u32 n, const pgs_u32 j)
{
    const pgs_u32 sixth = (j - (n & 1u)) / 6u;
    const pgs_u32 most = pgs_tess_root(sixth);
    return most - ((most ^ n) & 1u);
}

/* Triangle j of the inside of a triangle. */
PGS_PURE PGS_TESS_INDICES pgs_tess_ring_triangle(const pgs_u32 n, const pgs_u32 j)
{
    PGS_TESS_INDICES indices;
    const pgs_u32 whole = n & 1u; /* the innermost ring is a triangle */
    if (j < whole) {
        indices.a = 0u;
        indices.b = 1u;
        indices.c = 2u;
        return indices;
    }
    const pgs_u32 segments = pgs_tess_ring_within(n, j);
    const pgs_u32 around = j - pgs_tess_ring_triangles(segments);
    const pgs_u32 edge = pgs_tess_small_quotient(around, 2u * segments + 2u);
    const PGS_TESS_STEP step = pgs_tess_ring_step(segments + 2u, around - edge * (2u * segments + 2u));
    indices.a = pgs_tess_ring_vertex(segments + 2u, edge, step.outer);
    indices.b = step.on_outer ? pgs_tess_ring_vertex(segments + 2u, edge, step.outer + 1u)
                              : pgs_tess_ring_vertex(segments, edge, step.inner + 1u);
    indices.c = pgs_tess_ring_vertex(segments, edge, step.inner);
    return indices;
}

/* The diagonal of each cell starts at its corner nearest to a corner of the domain, so that
 * diagonals form rectangles around the middle. Cells in the middle belong to the side that comes
 * first as one goes around, as in Direct3D 11. True: it falls, as v grows downwards. */
PGS_PURE bool pgs_tess_grid_falls(const pgs_u32 columns, const pgs_u32 rows, const pgs_u32 column, const pgs_u32 row)
{
    const pgs_u32 across = 2u * column + 1u, down = 2u * row + 1u;
    return PGS_SELECT(down < rows, across > columns, PGS_SELECT(down > rows, across < columns, true));
}

PGS_PURE PGS_TESS_INDICES pgs_tess_grid_triangle(const PGS_TESS_PATCH tess, const pgs_u32 j)
{
    const pgs_u32 columns = pgs_tess_segments(tess.inner0) - 2u;
    const pgs_u32 rows = pgs_tess_segments(tess.inner1) - 2u;
    const pgs_u32 row = pgs_tess_small_quotient(j / 2u, columns);
    const pgs_u32 column = j / 2u - row * columns;
    const pgs_u32 first = row * (columns + 1u) + column;
    const pgs_u32 opposite = first + columns + 2u;
    const bool falling = pgs_tess_grid_falls(columns, rows, column, row);
    const bool second = (j & 1u) != 0u;
    PGS_TESS_INDICES indices;
    indices.a = falling && second ? first + 1u : first;
    indices.b = second ? opposite : first + 1u;
    indices.c = falling || second ? opposite - 1u : opposite;
    return indices;
}

PGS_PURE PGS_TESS_INDICES pgs_tess_triangle(const pgs_u32 flags, const PGS_TESS_PATCH tess, const pgs_u32 j)
{
    const bool quads = (flags & PGS_TESS_DOMAIN) == PGS_TESS_QUADS;
    if (tess.inner_vertices == 0u) {
        PGS_TESS_INDICES indices;
        indices.a = 0u;
        indices.b = j + 1u;
        indices.c = j + 2u;
        return indices;
    }
    const pgs_u32 border = pgs_tess_border_triangles(flags, tess);
    if (j < border)
        return pgs_tess_border_triangle(flags, tess, j);
    if (quads)
        return pgs_tess_grid_triangle(tess, j - border);
    return pgs_tess_ring_triangle(pgs_tess_segments(tess.inner0), j - border);
}

/* Vertices of primitive j, numbered in the patch. Lines do not use c, points neither b. */
PGS_PURE PGS_TESS_INDICES pgs_tess_primitive(const PGS_TESS_PATCH tess, const pgs_u32 j)
{
    const pgs_u32 flags = tess.flags;
    PGS_TESS_INDICES indices;
    indices.a = j;
    indices.b = j;
    indices.c = j;
    if ((flags & PGS_TESS_POINT_MODE) != 0u)
        return indices;
    if ((flags & PGS_TESS_DOMAIN) == PGS_TESS_ISOLINES) {
        indices.a = j + pgs_tess_small_quotient(j, pgs_tess_segments(tess.outer1)); /* a line has one vertex more than segments */
        indices.b = indices.a + 1u;
        indices.c = indices.b;
        return indices;
    }
    indices = pgs_tess_triangle(flags, tess, j);
    if ((flags & PGS_TESS_CCW) != 0u) {
        const pgs_u32 second = indices.b;
        indices.b = indices.c;
        indices.c = second;
    }
    return indices;
}

#endif
