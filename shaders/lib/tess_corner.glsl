/* SPDX-License-Identifier: MIT
 *
 * The corners of a patch's primitives, where nothing is numbered: what
 * pgs_tess_vertex(pgs_tess_primitive()) gives, by shorter code. Drivers of CPUs take long to compile
 * either. Pure arithmetic, compiles as C, too.
 *
 * All triangles but those of a quad's inside lie in strips along an edge, between an outer and an
 * inner line of vertices, and the inside of a triangle has the strips of its rings.
 */
#ifndef PGS_TESS_CORNER_GLSL
#define PGS_TESS_CORNER_GLSL

#include "tessellator.glsl"

/* A vertex of a line: vertex k along the edge. */
PGS_ABI_STRUCT(pgs_tess_on_line)
{
    pgs_u32 edge, k;
    pgs_u32 depth; /* of the line, counted from outside */
};

#define PGS_TESS_ON_LINE PGS_ABI_TYPE(pgs_tess_on_line)

/* A corner of triangle j of a strip whose outer line is at `depth`. The segments of both lines: as
 * for pgs_tess_border_step. */
PGS_PURE PGS_TESS_ON_LINE pgs_tess_strip_corner(const pgs_u32 outer_segments, const pgs_u32 inner_segments,
                                                const pgs_u32 edge, const pgs_u32 depth, const pgs_u32 j,
                                                const pgs_u32 corner)
{
    const PGS_TESS_STEP step = pgs_tess_border_step(outer_segments, inner_segments, j);
    const bool on_outer = PGS_SELECT(corner == 1u, step.on_outer, corner == 0u);
    PGS_TESS_ON_LINE made;
    made.edge = edge;
    made.k = PGS_SELECT(on_outer, step.outer, step.inner) + PGS_SELECT(corner == 1u, 1u, 0u);
    made.depth = PGS_SELECT(on_outer, depth, depth + 1u);
    return made;
}

/* Of triangle j of a triangle. In its rings the steps are those of a border whose lines are divided
 * alike. */
PGS_PURE PGS_TESS_ON_LINE pgs_tess_triangle_corner(const pgs_u32 flags, const PGS_TESS_PATCH tess, const pgs_u32 j,
                                                   const pgs_u32 corner)
{
    const pgs_u32 n = pgs_tess_segments(tess.inner0);
    const pgs_u32 border = pgs_tess_border_triangles(flags, tess);
    const pgs_u32 inside = j - border; /* if it is there */
    const pgs_u32 whole = n & 1u;      /* the innermost ring is a triangle */
    const bool is_border = j < border;
    const pgs_u32 segments = pgs_tess_ring_within(n, inside);
    const pgs_u32 around = inside - pgs_tess_ring_triangles(segments);
    const pgs_u32 side = pgs_tess_small_quotient(around, 2u * segments + 2u);
    const pgs_u32 edge = PGS_SELECT(is_border, pgs_tess_border_edge(flags, tess, j), side);
    const pgs_u32 outer = PGS_SELECT(is_border, pgs_tess_segments(pgs_tess_outer(tess, edge)), segments + 2u);
    const pgs_u32 in_strip = PGS_SELECT(is_border, j - pgs_tess_strip_start(flags, tess, edge),
                                        around - side * (2u * segments + 2u));
    PGS_TESS_ON_LINE made =
        pgs_tess_strip_corner(outer, PGS_SELECT(is_border, n, segments + 2u), edge,
                              PGS_SELECT(is_border, 0u, (n - segments) / 2u - 1u), in_strip, corner);
    const bool in_middle = pgs_both(!is_border, inside < whole);
    made.edge = PGS_SELECT(in_middle, corner, made.edge);
    made.k = PGS_SELECT(in_middle, 0u, made.k);
    made.depth = PGS_SELECT(in_middle, n / 2u, made.depth);
    return made;
}

/* A vertex on an outer edge is one of a ring at depth 0. */
PGS_PURE PGS_TESS_POINT pgs_tess_triangle_point(const bool equal, const PGS_TESS_PATCH tess, const PGS_TESS_ON_LINE at)
{
    const bool outer = at.depth == 0u;
    const pgs_u32 line = PGS_SELECT(outer, pgs_tess_outer(tess, at.edge), tess.inner0);
    const bool center = pgs_both(!outer, 2u * at.depth == pgs_tess_segments(tess.inner0));
    PGS_TESS_POINT point = pgs_tess_ring_point(equal, line, at.depth, at.edge, at.k);
    point.u = PGS_SELECT(center, PGS_TESS_ONE / 3u, point.u);
    point.v = PGS_SELECT(center, PGS_TESS_ONE / 3u, point.v);
    return point;
}

/* A vertex of a quad's inside: (column, row), counted from the outer edges. */
PGS_PURE PGS_TESS_POINT pgs_tess_grid_corner(const PGS_TESS_PATCH tess, const pgs_u32 j, const pgs_u32 corner)
{
    const pgs_u32 columns = pgs_tess_segments(tess.inner0) - 2u;
    const pgs_u32 rows = pgs_tess_segments(tess.inner1) - 2u;
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
PGS_PURE PGS_TESS_POINT pgs_tess_quad_corner(const pgs_u32 flags, const bool equal, const PGS_TESS_PATCH tess,
                                             const pgs_u32 j, const pgs_u32 corner)
{
    const pgs_u32 border = pgs_tess_border_triangles(flags, tess);
    const pgs_u32 columns = pgs_tess_segments(tess.inner0), rows = pgs_tess_segments(tess.inner1);
    const pgs_u32 edge = pgs_tess_border_edge(flags, tess, j);
    const bool along_v = (edge & 1u) == 0u;
    PGS_TESS_ON_LINE at =
        pgs_tess_strip_corner(pgs_tess_segments(pgs_tess_outer(tess, edge)), PGS_SELECT(along_v, rows, columns), edge, 0u,
                              j - pgs_tess_strip_start(flags, tess, edge), corner);
    const bool whole = tess.inner_vertices == 0u; /* two triangles of the corners */
    at.edge = PGS_SELECT(whole, PGS_SELECT(corner == 0u, 0u, j + corner), at.edge);
    at.k = PGS_SELECT(whole, 0u, at.k);
    const bool outer = PGS_SELECT(whole, true, pgs_both(j < border, at.depth == 0u));
    const pgs_u32 line = pgs_tess_outer(tess, at.edge);
    const bool vertical = (at.edge & 1u) == 0u, backward = PGS_SELECT(at.edge == 0u, true, at.edge == 3u);
    const pgs_u32 beside_segments = PGS_SELECT(vertical, rows, columns) - 2u; /* of the inner line */
    const pgs_u32 segments = PGS_SELECT(outer, pgs_tess_segments(line), beside_segments);
    const pgs_u32 along = PGS_SELECT(backward, segments - at.k, at.k);
    const pgs_u32 across = PGS_SELECT(at.edge < 2u, 0u, 1u);
    const pgs_u32 far = across * (PGS_SELECT(vertical, columns, rows) - 2u);
    const PGS_TESS_POINT grid = pgs_tess_grid_corner(tess, j - border, corner);
    const bool in_strip = j < border;
    const pgs_u32 inner_u = PGS_SELECT(in_strip, PGS_SELECT(vertical, far, along) + 1u, grid.u);
    const pgs_u32 inner_v = PGS_SELECT(in_strip, PGS_SELECT(vertical, along, far) + 1u, grid.v);
    const pgs_u32 beside = across * segments;
    const pgs_u32 outer_u = PGS_SELECT(vertical, beside, along), outer_v = PGS_SELECT(vertical, along, beside);
    PGS_TESS_POINT point;
    point.u = pgs_tess_place_of(equal, PGS_SELECT(outer, line, tess.inner0), PGS_SELECT(outer, outer_u, inner_u));
    point.v = pgs_tess_place_of(equal, PGS_SELECT(outer, line, tess.inner1), PGS_SELECT(outer, outer_v, inner_v));
    return point;
}

/* u and v of a corner of primitive j: 0, 1 or 2, in winding order without PGS_TESS_CCW. */
PGS_PURE PGS_TESS_POINT pgs_tess_corner(const pgs_u32 flags, const PGS_TESS_PATCH tess, const pgs_u32 j,
                                        const pgs_u32 corner)
{
    const pgs_u32 domain = flags & PGS_TESS_DOMAIN;
    const bool equal = (flags & PGS_TESS_SPACING) == PGS_TESS_EQUAL;
    if ((flags & PGS_TESS_POINT_MODE) != 0u)
        return pgs_tess_vertex_of(flags, equal, tess, j);
    if (domain == PGS_TESS_ISOLINES)
        return pgs_tess_isoline_point(equal, tess, j + pgs_tess_small_quotient(j, pgs_tess_segments(tess.outer1)) + corner);
    if (domain == PGS_TESS_QUADS)
        return pgs_tess_quad_corner(flags, equal, tess, j, corner);
    return pgs_tess_triangle_point(equal, tess, pgs_tess_triangle_corner(flags, tess, j, corner));
}

#endif
