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
    bool on_outer;          /* of the strip's lines */
};

#define PGS_TESS_ON_LINE PGS_ABI_TYPE(pgs_tess_on_line)

/* Whether two edges of a patch have an odd number of segments each: 1 or 0. */
PGS_PURE pgs_u32 pgs_tess_both_odd(const pgs_u32 flags, const pgs_u32 segments, const pgs_u32 other_segments)
{
    const pgs_u32 spacing = flags & PGS_TESS_SPACING;
    if (spacing != PGS_TESS_EQUAL)
        return spacing == PGS_TESS_FRACTIONAL_ODD ? 1u : 0u;
    return segments & other_segments & 1u;
}

/* A corner of triangle j of a strip whose outer line is at `depth`. The segments of both lines, and the steps of the first
 * half, as pgs_tess_half_steps makes them: the other one is its mirror image. */
PGS_PURE PGS_TESS_ON_LINE pgs_tess_strip_corner(const pgs_u32 flags, const pgs_u32 outer_segments,
                                                const pgs_u32 inner_segments, const PGS_TESS_STEPS steps,
                                                const pgs_u32 edge, const pgs_u32 depth, const pgs_u32 j,
                                                const pgs_u32 corner)
{
    const pgs_u32 line_segments = inner_segments - 3u; /* of the inner one, less one */
    const pgs_u32 left = outer_segments + line_segments - j;
    /* If both lines have a segment in the middle, its two triangles are in the first half. */
    const bool mirrored = j > left + pgs_tess_both_odd(flags, outer_segments, inner_segments);
    const pgs_u32 step = PGS_SELECT(mirrored, left, j);
    const bool is_low = step < 32u;
    const pgs_u32 word = PGS_SELECT(is_low, steps.low, steps.high);
    const pgs_u32 before =
        PGS_U32(PGS_SELECT(is_low, 0, pgs_bit_count(steps.low)) + pgs_bit_count(pgs_low_bits(word, step & 31u)));
    const pgs_u32 on_outer = word >> (step & 31u) & 1u;
    const pgs_u32 outer = before + PGS_SELECT(mirrored, on_outer, 0u); /* a mirrored triangle begins where it ended */
    const bool picks_outer = PGS_SELECT(corner == 1u, on_outer != 0u, corner == 0u);
    const pgs_u32 near = PGS_SELECT(picks_outer, outer, step - outer);
    const pgs_u32 k = PGS_SELECT(mirrored, PGS_SELECT(picks_outer, outer_segments, line_segments) - near, near);
    PGS_TESS_ON_LINE made;
    made.on_outer = picks_outer;
    made.outer_segments = outer_segments;
    made.edge = edge;
    made.k = k + PGS_SELECT(corner == 1u, 1u, 0u);
    made.depth = PGS_SELECT(picks_outer, depth, depth + 1u);
    return made;
}

/* Of triangle j of a triangle. A ring is a border, too, whose three edges are divided alike; a patch that is one triangle is
 * the innermost one. */
PGS_PURE PGS_TESS_ON_LINE pgs_tess_triangle_corner(const pgs_u32 flags, const PGS_TESS_RULED_PATCH ruled,
                                                   const pgs_u32 n, const pgs_u32 j, const pgs_u32 corner)
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
        flags, PGS_SELECT(is_border, outer_segments, ring), inner_segments,
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
    const PGS_TESS_ON_LINE at = pgs_tess_triangle_corner(flags, ruled, n, j, corner);
    const bool outer = at.depth == 0u;
    const pgs_u32 segments = PGS_SELECT(outer, at.outer_segments, n);
    const pgs_u32 level = pgs_tess_ruled_level(flags, ruled, PGS_SELECT(outer, at.edge, PGS_PATCH_INNER_W));
    const bool center = segments == 2u * at.depth;
    PGS_TESS_POINT point = pgs_tess_ring_point(equal, segments, level, at.depth, at.edge, at.k);
    point.u = PGS_SELECT(center, PGS_TESS_ONE / 3u, point.u);
    point.v = PGS_SELECT(center, PGS_TESS_ONE / 3u, point.v);
    return point;
}

/* Steps to the right or down from a cell's number to its corners, two bits each, in one word for either triangle: to the right
 * if the diagonal falls, and if not; down; and both if the quad is not divided, so that it has no number. */
#define PGS_TESS_AT_CORNERS(a, b, c) ((a) | (b) << 2 | (c) << 4)
#define PGS_TESS_CELL(falling, rising, down, whole_right, whole_down)                                                          \
    ((falling) | (rising) << 6 | (down) << 12 | (whole_right) << 18 | (whole_down) << 24)
#define PGS_TESS_CELL_FIRST                                                                                                    \
    PGS_TESS_CELL(PGS_TESS_AT_CORNERS(1u, 2u, 1u), PGS_TESS_AT_CORNERS(1u, 2u, 2u), PGS_TESS_AT_CORNERS(1u, 1u, 2u),           \
                  PGS_TESS_AT_CORNERS(0u, 0u, 1u), PGS_TESS_AT_CORNERS(1u, 0u, 0u))
#define PGS_TESS_CELL_SECOND                                                                                                   \
    PGS_TESS_CELL(PGS_TESS_AT_CORNERS(2u, 2u, 1u), PGS_TESS_AT_CORNERS(1u, 2u, 1u), PGS_TESS_AT_CORNERS(1u, 2u, 2u),           \
                  PGS_TESS_AT_CORNERS(0u, 1u, 1u), PGS_TESS_AT_CORNERS(1u, 0u, 1u))

/* A vertex of a quad's inside: (column, row), counted from the outer edges. Of a quad that is not divided, two triangles of its
 * corners, these, and so many columns and rows are -1. */
PGS_PURE PGS_TESS_POINT pgs_tess_grid_corner(const pgs_u32 columns, const pgs_u32 rows, const pgs_u32 j,
                                             const pgs_u32 corner)
{
    const pgs_u32 row = pgs_tess_small_quotient(j / 2u, columns);
    const pgs_u32 column = j / 2u - row * columns;
    const bool whole = columns == 0xFFFFFFFFu;
    const pgs_u32 right = PGS_SELECT(pgs_tess_grid_falls(columns, rows, column, row), 0u, 6u);
    const pgs_u32 cell = PGS_SELECT((j & 1u) != 0u, PGS_TESS_CELL_SECOND, PGS_TESS_CELL_FIRST) >> 2u * corner;
    PGS_TESS_POINT at;
    at.u = column + (cell >> PGS_SELECT(whole, 18u, right) & 3u);
    at.v = row + (cell >> PGS_SELECT(whole, 24u, 12u) & 3u);
    return at;
}

/* Of a quad, as vertices of two edges. In the strips one is along the outer edge, and the other across it; in the inside they
 * are along inner0 and inner1, as behind the strip of the last edge. Across, outer edges lie at an end of those inside. */
PGS_PURE PGS_TESS_POINT pgs_tess_quad_corner(const pgs_u32 flags, const bool equal, const PGS_TESS_RULED_PATCH ruled,
                                             const pgs_u32 j, const pgs_u32 corner)
{
    const pgs_u32 columns = pgs_tess_ruled_inner(ruled, 0u), rows = pgs_tess_ruled_inner(ruled, 1u);
    const pgs_u32 second = PGS_BITS(ruled.inner, 14, 7), fourth = PGS_BITS(ruled.inner, 21, 9);
    const pgs_u32 inner_columns = columns - 2u;
    const pgs_u32 third = second + pgs_tess_ruled_outer(ruled, 1u) + inner_columns;
    const pgs_u32 inside = j - (fourth + (ruled.outer >> 24) + inner_columns);
    const bool is_second = j >= second, is_third = j >= third, is_fourth = j >= fourth;
    const bool is_inside = j >= fourth + (ruled.outer >> 24) + inner_columns;
    const pgs_u32 edge = PGS_SELECT(is_fourth, 3u, PGS_SELECT(is_third, 2u, PGS_SELECT(is_second, 1u, 0u)));
    const pgs_u32 start = PGS_SELECT(is_fourth, fourth, PGS_SELECT(is_third, third, PGS_SELECT(is_second, second, 0u)));
    const bool vertical = (edge & 1u) == 0u;
    const pgs_u32 outer_segments = pgs_tess_ruled_outer(ruled, edge);
    const pgs_u32 inner_segments = PGS_SELECT(vertical, rows, columns), across_segments = PGS_SELECT(vertical, columns, rows);
    const PGS_TESS_ON_LINE at = pgs_tess_strip_corner(flags, outer_segments, inner_segments, pgs_tess_ruled_steps(ruled, edge),
                                                      edge, 0u, j - start, corner);
    const bool is_outer = PGS_SELECT(is_inside, false, at.on_outer);
    const pgs_u32 segments = PGS_SELECT(is_outer, outer_segments, inner_segments);
    const pgs_u32 k = at.k + at.depth; /* the inner line begins at the second vertex */
    const bool forward = PGS_SELECT(is_fourth, false, is_second);
    const PGS_TESS_POINT grid = pgs_tess_grid_corner(inner_columns, rows - 2u, inside, corner);
    const pgs_u32 along = PGS_SELECT(is_inside, grid.u, PGS_SELECT(forward, k, segments - k));
    const pgs_u32 across = PGS_SELECT(is_inside, grid.v, PGS_SELECT(is_third, across_segments - at.depth, at.depth));
    const pgs_u32 across_word = PGS_SELECT(vertical, PGS_PATCH_INNER_W, PGS_PATCH_INNER_W + 1u);
    const pgs_u32 along_word = PGS_SELECT(is_outer, edge, 2u * PGS_PATCH_INNER_W + 1u - across_word);
    const PGS_TESS_POINT level = pgs_tess_ruled_levels(flags, ruled, pgs_tess_pair(along_word, across_word));
    const PGS_TESS_POINT place = pgs_tess_places_of(equal, pgs_tess_pair(segments, across_segments), level,
                                                    pgs_tess_pair(along, across));
    PGS_TESS_POINT point;
    point.u = PGS_SELECT(vertical, place.v, place.u);
    point.v = PGS_SELECT(vertical, place.u, place.v);
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
