/* SPDX-License-Identifier: MIT
 *
 * The corners of a patch's primitives, where nothing is numbered: what
 * pgs_tess_vertex(pgs_tess_primitive()) gives, by shorter code. Drivers of CPUs take long to compile
 * either. What is the same for all of the patch was found out before, once: struct pgs_tess_ruled. Pure arithmetic,
 * compiles as C, too.
 *
 * All triangles but those of a quad's inside lie in strips along an edge, between an outer and an
 * inner line of vertices, and the inside of a triangle has the strips of its rings.
 */
#ifndef PGS_TESS_CORNER_GLSL
#define PGS_TESS_CORNER_GLSL

#include "tess_ruled.glsl"

/* A vertex of a line: vertex k along the edge. */
PGS_ABI_STRUCT(pgs_tess_on_line)
{
    pgs_u32 edge, k;
    pgs_u32 depth;          /* of the line, counted from outside */
    pgs_u32 outer_segments; /* of the outermost one */
};

#define PGS_TESS_ON_LINE PGS_ABI_TYPE(pgs_tess_on_line)

/* A corner of triangle j of a strip whose outer line is at `depth`. The segments of both lines, and the steps of the first
 * half, as pgs_tess_half_steps makes them: the other one is its mirror image. */
PGS_PURE PGS_TESS_ON_LINE pgs_tess_strip_corner(const pgs_u32 outer_segments, const pgs_u32 inner_segments,
                                                const PGS_TESS_STEPS steps, const pgs_u32 edge, const pgs_u32 depth,
                                                const pgs_u32 j, const pgs_u32 corner)
{
    const pgs_u32 last = outer_segments + (inner_segments - 3u);
    const bool mirrored = j >= (outer_segments + 1u) / 2u + (inner_segments - 1u) / 2u;
    const pgs_u32 step = PGS_SELECT(mirrored, last - j, j);
    const bool is_low = step < 32u;
    const pgs_u32 word = PGS_SELECT(is_low, steps.low, steps.high);
    const pgs_u32 outer =
        PGS_U32(PGS_SELECT(is_low, 0, pgs_bit_count(steps.low)) + pgs_bit_count(pgs_low_bits(word, step & 31u)));
    const pgs_u32 inner = step - outer;
    const pgs_u32 on_outer = word >> (step & 31u) & 1u;
    const bool picks_outer = PGS_SELECT(corner == 1u, on_outer != 0u, corner == 0u);
    const pgs_u32 k = PGS_SELECT(picks_outer, PGS_SELECT(mirrored, outer_segments - outer - on_outer, outer),
                                 PGS_SELECT(mirrored, inner_segments - 3u - inner + on_outer, inner));
    PGS_TESS_ON_LINE made;
    made.outer_segments = outer_segments;
    made.edge = edge;
    made.k = k + PGS_SELECT(corner == 1u, 1u, 0u);
    made.depth = PGS_SELECT(picks_outer, depth, depth + 1u);
    return made;
}

/* Of triangle j of a triangle. A ring is a border, too, whose three edges are divided alike; a patch that is one triangle is
 * the innermost one. */
PGS_PURE PGS_TESS_ON_LINE pgs_tess_triangle_corner(const PGS_TESS_RULED_PATCH ruled, const pgs_u32 n, const pgs_u32 j,
                                                   const pgs_u32 corner)
{
    const pgs_u32 border = PGS_BITS(ruled.inner, 21, 9);
    const pgs_u32 inside = j - border; /* if it is there */
    const pgs_u32 whole = n & 1u;      /* the innermost ring is a triangle */
    const bool is_border = j < border;
    const pgs_u32 within = pgs_tess_ring_within(n, inside);
    const pgs_u32 around = inside - whole - pgs_tess_ring_triangles_of(within, 0u);
    const pgs_u32 ring = within + 2u;     /* segments of its outer line */
    const pgs_u32 strip = within + ring; /* triangles */
    const pgs_u32 place = PGS_SELECT(is_border, j, around);
    const pgs_u32 second = PGS_SELECT(is_border, PGS_BITS(ruled.inner, 14, 7), strip);
    const pgs_u32 third = PGS_SELECT(is_border, ruled.outer >> 24, 2u * strip);
    const bool is_third = place >= third, is_second = place >= second;
    const pgs_u32 edge = PGS_SELECT(is_third, 2u, PGS_SELECT(is_second, 1u, 0u));
    const pgs_u32 start = PGS_SELECT(is_third, third, PGS_SELECT(is_second, second, 0u));
    const pgs_u32 outer_segments = pgs_tess_ruled_outer(ruled, edge);
    const pgs_u32 inner_segments = PGS_SELECT(is_border, n, ring);
    PGS_TESS_ON_LINE made = pgs_tess_strip_corner(
        PGS_SELECT(is_border, outer_segments, ring), inner_segments,
        pgs_tess_ruled_steps(ruled, PGS_SELECT(is_border, edge, PGS_TESS_RING_STEPS)), edge,
        (n - inner_segments) / 2u, place - start, corner);
    made.outer_segments = outer_segments; /* of any edge if it is one triangle, since all are 1 */
    const bool in_middle = inside < whole; /* not in front of it */
    made.edge = PGS_SELECT(in_middle, corner, made.edge);
    made.k = PGS_SELECT(in_middle, 0u, made.k);
    made.depth = PGS_SELECT(in_middle, n / 2u, made.depth);
    return made;
}

/* A vertex on an outer edge is one of a ring at depth 0. */
PGS_PURE PGS_TESS_POINT pgs_tess_triangle_point(const pgs_u32 flags, const bool equal, const PGS_TESS_RULED_PATCH ruled,
                                                const pgs_u32 j, const pgs_u32 corner)
{
    const pgs_u32 n = pgs_tess_ruled_inner(ruled, 0u);
    const PGS_TESS_ON_LINE at = pgs_tess_triangle_corner(ruled, n, j, corner);
    const bool outer = at.depth == 0u;
    const pgs_u32 segments = PGS_SELECT(outer, at.outer_segments, n);
    const pgs_u32 level = pgs_tess_ruled_level(flags, ruled, PGS_SELECT(outer, at.edge, PGS_PATCH_INNER_W));
    const bool center = segments == 2u * at.depth;
    PGS_TESS_POINT point = pgs_tess_ring_point(equal, segments, level, at.depth, at.edge, at.k);
    point.u = PGS_SELECT(center, PGS_TESS_ONE / 3u, point.u);
    point.v = PGS_SELECT(center, PGS_TESS_ONE / 3u, point.v);
    return point;
}

/* A vertex of a quad's inside: (column, row), counted from the outer edges. */
PGS_PURE PGS_TESS_POINT pgs_tess_grid_corner(const pgs_u32 columns, const pgs_u32 rows, const pgs_u32 j,
                                             const pgs_u32 corner)
{
    const pgs_u32 row = pgs_tess_small_quotient(j / 2u, columns);
    const pgs_u32 column = j / 2u - row * columns;
    const bool second = (j & 1u) != 0u;
    const bool falling = pgs_tess_grid_falls(columns, rows, column, row);
    const bool last_right = pgs_both(!falling, !second);
    const bool right = PGS_SELECT(corner == 0u, pgs_both(falling, second), PGS_SELECT(corner == 1u, true, last_right));
    const bool below = PGS_SELECT(corner == 1u, second, corner != 0u);
    PGS_TESS_POINT at;
    at.u = column + PGS_SELECT(right, 2u, 1u);
    at.v = row + PGS_SELECT(below, 2u, 1u);
    return at;
}

/* Of a quad, as vertices of two edges, whose places are u and v: along inner0 and inner1 in the
 * inside; of an outer edge along that and, at its begin or its end, along itself. */
PGS_PURE PGS_TESS_POINT pgs_tess_quad_corner(const pgs_u32 flags, const bool equal, const PGS_TESS_RULED_PATCH ruled,
                                             const pgs_u32 j, const pgs_u32 corner)
{
    const pgs_u32 columns = pgs_tess_ruled_inner(ruled, 0u), rows = pgs_tess_ruled_inner(ruled, 1u);
    const pgs_u32 second = PGS_BITS(ruled.inner, 14, 7), third = second + pgs_tess_ruled_outer(ruled, 1u) + columns - 2u;
    const pgs_u32 fourth = PGS_BITS(ruled.inner, 21, 9);
    const bool is_second = j >= second, is_third = j >= third, is_fourth = j >= fourth;
    const pgs_u32 edge = PGS_SELECT(is_fourth, 3u, PGS_SELECT(is_third, 2u, PGS_SELECT(is_second, 1u, 0u)));
    const pgs_u32 start = PGS_SELECT(is_fourth, fourth, PGS_SELECT(is_third, third, PGS_SELECT(is_second, second, 0u)));
    const bool along_v = (edge & 1u) == 0u;
    const pgs_u32 in_strip = j - start, outer_segments = pgs_tess_ruled_outer(ruled, edge);
    const pgs_u32 inner_segments = PGS_SELECT(along_v, rows, columns);
    PGS_TESS_ON_LINE at = pgs_tess_strip_corner(outer_segments, inner_segments, pgs_tess_ruled_steps(ruled, edge), edge, 0u,
                                                in_strip, corner);
    const bool whole = columns == 1u; /* two triangles of the corners */
    at.edge = PGS_SELECT(whole, PGS_SELECT(corner == 0u, 0u, j + corner), at.edge);
    at.k = PGS_SELECT(whole, 0u, at.k);
    const pgs_u32 border = fourth + pgs_tess_ruled_outer(ruled, 3u) + columns - 2u;
    const bool in_border = PGS_SELECT(whole, true, j < border);
    const bool outer = PGS_SELECT(whole, true, pgs_both(j < border, at.depth == 0u));
    const bool vertical = (at.edge & 1u) == 0u, backward = PGS_SELECT(at.edge == 0u, true, at.edge == 3u);
    const pgs_u32 line_segments = pgs_tess_ruled_outer(ruled, at.edge);
    const pgs_u32 segments = PGS_SELECT(outer, line_segments, PGS_SELECT(vertical, rows, columns) - 2u);
    const pgs_u32 along = PGS_SELECT(backward, segments - at.k, at.k);
    const pgs_u32 across = PGS_SELECT(at.edge < 2u, 0u, 1u);
    const pgs_u32 far = across * (PGS_SELECT(vertical, columns, rows) - 2u);
    const PGS_TESS_POINT grid = pgs_tess_grid_corner(columns - 2u, rows - 2u, j - border, corner);
    const pgs_u32 inner_u = PGS_SELECT(in_border, PGS_SELECT(vertical, far, along) + 1u, grid.u);
    const pgs_u32 inner_v = PGS_SELECT(in_border, PGS_SELECT(vertical, along, far) + 1u, grid.v);
    const pgs_u32 beside = across * segments;
    const pgs_u32 outer_u = PGS_SELECT(vertical, beside, along), outer_v = PGS_SELECT(vertical, along, beside);
    const pgs_u32 word_u = PGS_SELECT(outer, at.edge, PGS_PATCH_INNER_W);
    const pgs_u32 word_v = PGS_SELECT(outer, at.edge, PGS_PATCH_INNER_W + 1u);
    PGS_TESS_POINT point;
    point.u = pgs_tess_place_of(equal, PGS_SELECT(outer, line_segments, columns),
                                pgs_tess_ruled_level(flags, ruled, word_u), PGS_SELECT(outer, outer_u, inner_u));
    point.v = pgs_tess_place_of(equal, PGS_SELECT(outer, line_segments, rows), pgs_tess_ruled_level(flags, ruled, word_v),
                                PGS_SELECT(outer, outer_v, inner_v));
    return point;
}

/* u and v of a corner of primitive j: 0, 1 or 2, in winding order without PGS_TESS_CCW. */
PGS_PURE PGS_TESS_POINT pgs_tess_corner(const pgs_u32 flags, const PGS_TESS_RULED_PATCH ruled, const pgs_u32 j,
                                        const pgs_u32 corner)
{
    const pgs_u32 domain = flags & PGS_TESS_DOMAIN;
    const bool equal = (flags & PGS_TESS_SPACING) == PGS_TESS_EQUAL;
    if ((flags & PGS_TESS_POINT_MODE) != 0u)
        return pgs_tess_vertex_of(flags, equal, pgs_tess_ruled_patch(flags, ruled), j);
    if (domain == PGS_TESS_ISOLINES)
        return pgs_tess_isoline_point(equal, pgs_tess_ruled_patch(flags, ruled),
                                      j + pgs_tess_small_quotient(j, pgs_tess_ruled_outer(ruled, 1u)) + corner);
    if (domain == PGS_TESS_QUADS)
        return pgs_tess_quad_corner(flags, equal, ruled, j, corner);
    return pgs_tess_triangle_point(flags, equal, ruled, j, corner);
}

#endif
