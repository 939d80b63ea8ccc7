/* SPDX-License-Identifier: MIT
 *
 * The tessellator against the rules of the specification: how many vertices and triangles, that
 * these cover the domain once and in the right order, where the vertices are, and that edges and
 * insides depend on nothing but their own levels.
 */
#include "../../shaders/lib/tess_corner.glsl"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define MOST_VERTICES (4 * 64 + 63 * 63)
#define MOST_PRIMITIVES (4 * 64 + 2 * (63 * 63 - 1))

struct levels {
    float outer[4], inner[2];
};

struct mesh {
    struct levels levels; /* for messages */
    struct pgs_tess_patch tess;
    struct pgs_tess_point points[MOST_VERTICES];
    struct pgs_tess_indices indices[MOST_PRIMITIVES];
    /* What the rules say. */
    pgs_u32 outer[4], inner[2]; /* segments */
    pgs_u32 edges;
};

static const pgs_u32 spacings[] = {PGS_TESS_EQUAL, PGS_TESS_FRACTIONAL_EVEN,
                                   PGS_TESS_FRACTIONAL_ODD};

static _Noreturn void fail_mesh(const struct mesh *mesh, const char *what, long a, long b)
{
    const struct levels *l = &mesh->levels;
    fail_msg("flags %u, outer %.9g %.9g %.9g %.9g, inner %.9g %.9g: %s (%ld, %ld)",
             mesh->tess.flags, (double)l->outer[0], (double)l->outer[1], (double)l->outer[2],
             (double)l->outer[3], (double)l->inner[0], (double)l->inner[1], what, a, b);
    abort();
}

/* "Tessellator Spacing" of the specification, word for word. */
static float clamped(float level, pgs_u32 spacing)
{
    const float least = spacing == PGS_TESS_FRACTIONAL_EVEN ? 2.0f : 1.0f;
    const float most = spacing == PGS_TESS_FRACTIONAL_ODD ? 63.0f : 64.0f;
    return fminf(fmaxf(level, least), most); /* NaN: least */
}

static pgs_u32 rounded(float level, pgs_u32 spacing)
{
    const pgs_u32 up = (pgs_u32)ceilf(clamped(level, spacing));
    if (spacing == PGS_TESS_FRACTIONAL_EVEN)
        return up + up % 2;
    return spacing == PGS_TESS_FRACTIONAL_ODD ? up + 1 - up % 2 : up;
}

static struct pgs_tess_patch patch_of(pgs_u32 flags, const struct levels *l)
{
    return pgs_tess_patch_of(flags, floatBitsToUint(l->outer[0]), floatBitsToUint(l->outer[1]),
                             floatBitsToUint(l->outer[2]), floatBitsToUint(l->outer[3]),
                             floatBitsToUint(l->inner[0]), floatBitsToUint(l->inner[1]));
}

static struct mesh *tessellated(pgs_u32 flags, const struct levels *levels)
{
    struct mesh *mesh = calloc(1, sizeof(*mesh));
    const pgs_u32 domain = flags & PGS_TESS_DOMAIN, spacing = flags & PGS_TESS_SPACING;
    mesh->levels = *levels;
    mesh->tess = patch_of(flags, levels);
    mesh->edges = domain == PGS_TESS_TRIANGLES ? 3 : domain == PGS_TESS_QUADS ? 4 : 2;
    bool any = false;
    for (pgs_u32 i = 0; i < mesh->edges; i++) {
        const bool lines = domain == PGS_TESS_ISOLINES && i == 0;
        mesh->outer[i] = rounded(levels->outer[i], lines ? PGS_TESS_EQUAL : spacing);
        any |= mesh->outer[i] > 1;
    }
    const pgs_u32 insides = domain == PGS_TESS_TRIANGLES ? 1 : 2;
    for (pgs_u32 i = 0; i < insides; i++) {
        mesh->inner[i] = rounded(levels->inner[i], spacing);
        any |= mesh->inner[i] > 1;
    }
    for (pgs_u32 i = 0; i < insides && any; i++) {
        if (mesh->inner[i] == 1)
            mesh->inner[i] = spacing == PGS_TESS_FRACTIONAL_ODD ? 3 : 2;
    }
    if (mesh->tess.vertex_count > MOST_VERTICES || mesh->tess.primitive_count > MOST_PRIMITIVES)
        fail_mesh(mesh, "counts", mesh->tess.vertex_count, mesh->tess.primitive_count);
    for (pgs_u32 i = 0; i < mesh->tess.vertex_count; i++)
        mesh->points[i] = pgs_tess_vertex(mesh->tess, i);
    for (pgs_u32 i = 0; i < mesh->tess.primitive_count; i++)
        mesh->indices[i] = pgs_tess_primitive(mesh->tess, i);
    return mesh;
}

/* --- Levels to go through --- */

static const float special_levels[] = {
    1.0f,  0.25f, 1.0000001f, 2.0f,     2.0000002f, 3.0f,    1.5f,       3.5f,
    4.0f,  5.2f,  6.99f,      16.0f,    31.7f,      33.0f,   62.5f,      63.0f,
    63.5f, 64.0f, 90.0f,      INFINITY, FLT_MIN,    FLT_MAX, 1.9999999f,
};
#define SPECIAL_LEVELS (sizeof(special_levels) / sizeof(special_levels[0]))

static pgs_u32 random_state = 1;

static pgs_u32 random_below(pgs_u32 bound)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % bound;
}

static float random_level(void)
{
    switch (random_below(4)) {
    case 0:
        return special_levels[random_below(SPECIAL_LEVELS)];
    case 1:
        return (float)(1 + random_below(64));
    case 2:
        return (float)random_below(6000) / 997.0f + 0.001f;
    }
    return (float)random_below(66000) / 997.0f + 0.001f;
}

/* Level set i: all alike, then inner and outer different, then at random. */
static struct levels levels_of(pgs_u32 i)
{
    struct levels l;
    for (pgs_u32 k = 0; k < 6; k++) {
        float level = random_level();
        if (i < SPECIAL_LEVELS)
            level = special_levels[i];
        else if (i < SPECIAL_LEVELS * (SPECIAL_LEVELS + 1))
            level = special_levels[k < 4 ? i / SPECIAL_LEVELS - 1 : i % SPECIAL_LEVELS];
        *(k < 4 ? &l.outer[k] : &l.inner[k - 4]) = level;
    }
    if (i % 7 == 6) /* inner levels never discard */
        l.inner[i % 2] = i % 3 == 0 ? NAN : -3.0f;
    return l;
}

#define LEVEL_SETS (SPECIAL_LEVELS * (SPECIAL_LEVELS + 1) + 300)

/* Runs a check on meshes of the domain with all sets of levels, or with one of PGS_TEST_EVERY, so
 * that emulators and sanitizers need not take a minute. */
static void each_mesh(pgs_u32 flags, void (*check)(const struct mesh *))
{
    const char *every = getenv("PGS_TEST_EVERY");
    const pgs_u32 step = every ? (pgs_u32)atoi(every) : 1;
    for (pgs_u32 s = 0; s < 3; s++) {
        for (pgs_u32 i = s; i < LEVEL_SETS; i += step) {
            const struct levels levels = levels_of(i);
            struct mesh *mesh = tessellated(flags | spacings[s], &levels);
            check(mesh);
            free(mesh);
        }
    }
}

/* --- Counts --- */

/* All of the inside, ring by ring. */
static void count_triangles(const struct mesh *m, long *vertices, long *triangles)
{
    const long n = m->inner[0];
    *vertices = *triangles = m->outer[0] + m->outer[1] + m->outer[2];
    if (n == 1)
        *triangles = 1;
    for (long s = n - 2; s >= 0; s -= 2) {
        *vertices += s == 0 ? 1 : 3 * s;
        *triangles += 3 * s;              /* towards the ring around */
        *triangles += s == 1 ? 1 : 3 * s; /* within */
    }
}

static void count_quads(const struct mesh *m, long *vertices, long *triangles)
{
    const long u = m->inner[0], v = m->inner[1];
    const long outer = m->outer[0] + m->outer[1] + m->outer[2] + m->outer[3];
    *vertices = outer + (u - 1) * (v - 1);
    *triangles = u == 1 ? 2 : outer + 2 * (u - 2) + 2 * (v - 2) + 2 * (u - 2) * (v - 2);
}

static void check_counts(const struct mesh *m)
{
    long vertices, primitives;
    const pgs_u32 domain = m->tess.flags & PGS_TESS_DOMAIN;
    if (domain == PGS_TESS_TRIANGLES) {
        count_triangles(m, &vertices, &primitives);
    } else if (domain == PGS_TESS_QUADS) {
        count_quads(m, &vertices, &primitives);
    } else {
        vertices = (long)m->outer[0] * (m->outer[1] + 1);
        primitives = (long)m->outer[0] * m->outer[1];
    }
    if (m->tess.flags & PGS_TESS_POINT_MODE)
        primitives = vertices;
    if (m->tess.vertex_count != vertices)
        fail_mesh(m, "vertices", m->tess.vertex_count, vertices);
    if (m->tess.primitive_count != primitives)
        fail_mesh(m, "primitives", m->tess.primitive_count, primitives);
}

static void test_discarded(void **state)
{
    static const float discards[] = {0.0f, -0.0f, -1.0f, -INFINITY, NAN, -NAN};
    (void)state;
    for (pgs_u32 flags = 0; flags < 64; flags++) {
        const pgs_u32 domain = flags & PGS_TESS_DOMAIN;
        if (domain == 3 || (flags & PGS_TESS_SPACING) == PGS_TESS_SPACING)
            continue;
        const pgs_u32 relevant = domain == PGS_TESS_QUADS       ? 4
                                 : domain == PGS_TESS_TRIANGLES ? 3
                                                                : 2;
        for (pgs_u32 i = 0; i < 4 * 6; i++) {
            struct levels levels = {{3, 3, 3, 3}, {3, 3}};
            levels.outer[i / 6] = discards[i % 6];
            const struct pgs_tess_patch tess = patch_of(flags, &levels);
            const bool discarded = tess.vertex_count == 0 && tess.primitive_count == 0;
            const bool drawn = tess.vertex_count != 0 && tess.primitive_count != 0;
            assert_true(i / 6 < relevant ? discarded : drawn);
        }
    }
}

/* --- Coverage --- */

static int64_t signed_area(const struct mesh *m, struct pgs_tess_indices c)
{
    const struct pgs_tess_point p[3] = {m->points[c.a], m->points[c.b], m->points[c.c]};
    int64_t a = 0;
    for (pgs_u32 i = 0; i < 3; i++) {
        const struct pgs_tess_point q = p[(i + 1) % 3];
        a += (int64_t)p[i].u * q.v - (int64_t)q.u * p[i].v;
    }
    return a;
}

/* No level is cut off by rounding: then all segments have some length. */
static bool no_degenerates(const struct mesh *m)
{
    const pgs_u32 insides = m->edges == 3 ? 1 : 2;
    for (pgs_u32 i = 0; i < m->edges + insides; i++) {
        const float level = i < m->edges ? m->levels.outer[i] : m->levels.inner[i - m->edges];
        const pgs_u32 segments = i < m->edges ? m->outer[i] : m->inner[i - m->edges];
        const float f = clamped(level, m->tess.flags & PGS_TESS_SPACING);
        if ((m->tess.flags & PGS_TESS_SPACING) != PGS_TESS_EQUAL && (float)segments - f > 1.98f)
            return false;
    }
    return true;
}

static void check_area(const struct mesh *m)
{
    const bool ccw = (m->tess.flags & PGS_TESS_CCW) != 0;
    const bool some = no_degenerates(m);
    int64_t sum = 0;
    for (pgs_u32 i = 0; i < m->tess.primitive_count; i++) {
        const struct pgs_tess_indices c = m->indices[i];
        if (c.a >= m->tess.vertex_count || c.b >= m->tess.vertex_count ||
            c.c >= m->tess.vertex_count)
            fail_mesh(m, "a vertex that is none", i, c.a);
        const int64_t area = ccw ? -signed_area(m, c) : signed_area(m, c);
        if (area < 0 || (area == 0 && some))
            fail_mesh(m, "triangle and its area", i, (long)area);
        sum += area;
    }
    const int64_t all = (int64_t)PGS_TESS_ONE * PGS_TESS_ONE * (m->edges == 3 ? 1 : 2);
    if (sum != all)
        fail_mesh(m, "area of all triangles, too much by", (long)(sum - all), 0);
}

/* Directed edges between vertices. */
static uint8_t edge_bits[(size_t)MOST_VERTICES * MOST_VERTICES / 8 + 1];

static bool has_edge(pgs_u32 from, pgs_u32 to)
{
    const size_t bit = (size_t)from * MOST_VERTICES + to;
    return edge_bits[bit / 8] >> bit % 8 & 1;
}

static void flip_edge(pgs_u32 from, pgs_u32 to)
{
    const size_t bit = (size_t)from * MOST_VERTICES + to;
    edge_bits[bit / 8] = (uint8_t)(edge_bits[bit / 8] ^ 1u << bit % 8);
}

static pgs_u32 index_of(struct pgs_tess_indices c, pgs_u32 i)
{
    return i % 3 == 0 ? c.a : i % 3 == 1 ? c.b : c.c;
}

/* The next vertex on the outer edges, or this one again where it is not on them. */
static pgs_u32 next_outer(const struct mesh *m, pgs_u32 vertex)
{
    if (vertex < m->tess.inner_vertices)
        return vertex;
    return vertex + 1 == m->tess.vertex_count ? m->tess.inner_vertices : vertex + 1;
}

/* Every edge of a triangle belongs to another one, too, in the other direction, or is an outer
 * segment; all outer segments and all vertices are there. */
static void check_edges(const struct mesh *m)
{
    const pgs_u32 count = m->tess.primitive_count;
    bool *used = calloc(m->tess.vertex_count, sizeof(*used));
    for (pgs_u32 i = 0; i < 3 * count; i++) {
        const pgs_u32 from = index_of(m->indices[i / 3], i),
                      to = index_of(m->indices[i / 3], i + 1);
        if (from == to || has_edge(from, to))
            fail_mesh(m, "edge twice", from, to);
        flip_edge(from, to);
        used[from] = true;
    }
    pgs_u32 outer = 0;
    for (pgs_u32 i = 0; i < 3 * count; i++) {
        const pgs_u32 from = index_of(m->indices[i / 3], i),
                      to = index_of(m->indices[i / 3], i + 1);
        if (has_edge(to, from))
            continue;
        outer++;
        if ((m->tess.flags & PGS_TESS_CCW ? next_outer(m, to) != from : next_outer(m, from) != to))
            fail_mesh(m, "edge of one triangle alone", from, to);
    }
    if (outer != m->tess.outer_segments)
        fail_mesh(m, "outer segments", outer, m->tess.outer_segments);
    for (pgs_u32 i = 0; i < m->tess.vertex_count; i++) {
        if (!used[i])
            fail_mesh(m, "vertex without a triangle", i, m->tess.vertex_count);
    }
    for (pgs_u32 i = 0; i < 3 * count; i++)
        flip_edge(index_of(m->indices[i / 3], i), index_of(m->indices[i / 3], i + 1));
    free(used);
}

static void check_triangles(const struct mesh *m)
{
    check_counts(m);
    check_area(m);
    check_edges(m);
}

static void test_triangles(void **state)
{
    (void)state;
    for (pgs_u32 flags = 0; flags < 4; flags++) {
        const pgs_u32 mode =
            (flags & 1 ? PGS_TESS_QUADS : PGS_TESS_TRIANGLES) | (flags & 2 ? PGS_TESS_CCW : 0);
        each_mesh(mode, check_triangles);
    }
}

/* Has the triangle no vertex on the outer edges? */
static bool is_inside(const struct mesh *m, pgs_u32 i)
{
    for (pgs_u32 k = 0; k < 3; k++) {
        if (index_of(m->indices[i], k) >= m->tess.inner_vertices)
            return false;
    }
    return true;
}

/* The rectangles around the middle that the grid of a quad makes. */
static pgs_u32 rectangle_of(const struct mesh *m, pgs_u32 vertex)
{
    const pgs_u32 n = m->inner[0], x = vertex % (n - 1) + 1, y = vertex / (n - 1) + 1;
    const pgs_u32 left = x < n - x ? x : n - x, low = y < n - y ? y : n - y;
    return left < low ? left : low;
}

/* No triangle lies along one of them only, but in the middle. */
static void test_rectangles(void **state)
{
    (void)state;
    for (pgs_u32 n = 2; n <= 64; n++) {
        const struct levels levels = {{4, 5, 6, 7}, {(float)n, (float)n}};
        struct mesh *m = tessellated(PGS_TESS_QUADS, &levels);
        pgs_u32 flat = 0;
        for (pgs_u32 i = 0; i < m->tess.primitive_count; i++) {
            if (!is_inside(m, i))
                continue;
            const pgs_u32 a = rectangle_of(m, m->indices[i].a);
            flat += a == rectangle_of(m, m->indices[i].b) && a == rectangle_of(m, m->indices[i].c);
        }
        assert_int_equal(flat, n % 2 ? 2 : 0);
        free(m);
    }
}

static void check_points(const struct mesh *m)
{
    check_counts(m);
    for (pgs_u32 i = 0; i < m->tess.primitive_count; i++) {
        if (m->indices[i].a != i)
            fail_mesh(m, "point and its vertex", i, m->indices[i].a);
    }
}

static void check_lines(const struct mesh *m)
{
    pgs_u32 i = 0;
    check_counts(m);
    for (pgs_u32 line = 0; line < m->outer[0]; line++) {
        for (pgs_u32 k = 0; k < m->outer[1]; k++, i++) {
            const pgs_u32 first = line * (m->outer[1] + 1) + k;
            if (m->indices[i].a != first || m->indices[i].b != first + 1)
                fail_mesh(m, "line and its first vertex", i, m->indices[i].a);
            const struct pgs_tess_point p = m->points[first], q = m->points[first + 1];
            if (p.v != q.v || q.u < p.u || (k == 0 && p.u != 0) ||
                (k + 1 == m->outer[1] && q.u != PGS_TESS_ONE))
                fail_mesh(m, "places on a line", p.u, q.u);
            if (labs((long)(p.v * m->outer[0]) - (long)(line * PGS_TESS_ONE)) > m->outer[0] / 2)
                fail_mesh(m, "place of the line", line, p.v);
        }
    }
}

static void test_points_and_lines(void **state)
{
    (void)state;
    for (pgs_u32 domain = 0; domain < 3; domain++)
        each_mesh(domain | PGS_TESS_POINT_MODE, check_points);
    each_mesh(PGS_TESS_ISOLINES, check_lines);
}

/* --- Places --- */

static void check_spacing(float level, pgs_u32 spacing)
{
    const pgs_u32 edge = pgs_tess_edge_of_level(floatBitsToUint(level), spacing);
    const pgs_u32 n = pgs_tess_segments(edge);
    assert_int_equal(n, rounded(level, spacing));
    assert_int_equal(pgs_tess_place(edge, 0), 0);
    assert_int_equal(pgs_tess_place(edge, n), PGS_TESS_ONE);
    const double f = spacing == PGS_TESS_EQUAL ? n : (double)clamped(level, spacing);
    /* Between what it is with n segments, and with two fewer. */
    const double share = n < 3 ? 1.0 : (f - n + 2.0) / 2.0;
    const double rest = share * 65536.0 / n;
    const double length = rest + (n < 3 ? 0.0 : (1.0 - share) * 65536.0 / (n - 2.0));
    const double half = 0.5 + 1.0 / n; /* rounding of the place, of the level */
    pgs_u32 shorter = 0;
    for (pgs_u32 k = 0; k < n; k++) {
        const pgs_u32 here = pgs_tess_place(edge, k), next = pgs_tess_place(edge, k + 1);
        assert_true(here <= next);
        assert_int_equal(here, PGS_TESS_ONE - pgs_tess_place(edge, n - k));
        const bool is_long = fabs((next - here) - length) <= 2.0 * half;
        if (!is_long)
            assert_true(fabs((next - here) - rest) <= 2.0 * half);
        shorter += is_long ? 0 : 1;
    }
    assert_true(shorter == 0 || shorter == 2);
    if (f == n) {
        for (pgs_u32 k = 0; k <= n; k++)
            assert_true(fabs(pgs_tess_place(edge, k) - k * 65536.0 / n) <= 0.5);
    }
}

static void test_spacing(void **state)
{
    (void)state;
    for (pgs_u32 s = 0; s < 3; s++) {
        for (pgs_u32 i = 0; i < SPECIAL_LEVELS; i++)
            check_spacing(special_levels[i], spacings[s]);
        for (pgs_u32 i = 1; i < 66 * 16; i++)
            check_spacing((float)i / 16.0f, spacings[s]);
        for (pgs_u32 i = 0; i < 5000; i++)
            check_spacing(random_level(), spacings[s]);
    }
}

/* The short segments grow with the level, from nothing to the length of the others. */
static void test_short_segments_grow(void **state)
{
    (void)state;
    for (pgs_u32 n = 3; n <= 64; n++) {
        pgs_u32 last = 0;
        for (pgs_u32 i = 0; i <= 2048; i++) {
            const pgs_u32 spacing = n % 2 ? PGS_TESS_FRACTIONAL_ODD : PGS_TESS_FRACTIONAL_EVEN;
            const float level = (float)(n - 2) + (float)(i == 0 ? 1.0f / 1024 : (float)i / 1024);
            const pgs_u32 edge = pgs_tess_edge_of_level(floatBitsToUint(level), spacing);
            assert_int_equal(pgs_tess_segments(edge), n);
            const pgs_u32 k = pgs_tess_short_segment(n);
            assert_true(2 * k + 1 < n);
            const pgs_u32 length = pgs_tess_place(edge, k + 1) - pgs_tess_place(edge, k);
            assert_true(length + 1 >= last);
            last = length > last ? length : last;
        }
        assert_true(labs((long)last - (long)(PGS_TESS_ONE / n)) <= 1);
    }
}

/* Which segment is short, by the number of segments: the order in which GPUs split edges. */
static void test_short_segments(void **state)
{
    (void)state;
    static const pgs_u32 odd[] = {0, 1, 1, 3, 1, 3, 5, 7, 1, 3, 5, 7, 9, 11, 13, 15, 1};
    static const pgs_u32 even[] = {1, 1, 3, 1, 3, 5, 7, 1, 3, 5, 7, 9, 11, 13, 15, 1};
    for (pgs_u32 i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
        assert_int_equal(pgs_tess_short_segment(2 * i + 3), odd[i]);
    for (pgs_u32 i = 0; i < sizeof(even) / sizeof(even[0]); i++)
        assert_int_equal(pgs_tess_short_segment(2 * i + 4), even[i]);
    /* Level 2 in three segments: halfway between none and a third. */
    const pgs_u32 edge = pgs_tess_edge_of_level(floatBitsToUint(2.0f), PGS_TESS_FRACTIONAL_ODD);
    assert_int_equal(pgs_tess_place(edge, 1), 10923);
    assert_int_equal(pgs_tess_place(edge, 2), PGS_TESS_ONE - 10923);
}

/* Coordinates are exact where shaders count on it. */
static void check_exact(const struct mesh *m)
{
    for (pgs_u32 i = 0; i < m->tess.vertex_count; i++) {
        const volatile float u = pgs_tess_coordinate(m->points[i].u);
        const volatile float v = pgs_tess_coordinate(m->points[i].v);
        const volatile float other = 1.0f - u, w = other - v;
        if (!(u >= 0.0f && u <= 1.0f && v >= 0.0f && v <= 1.0f))
            fail_mesh(m, "coordinate out of range", m->points[i].u, m->points[i].v);
        if ((double)other != 1.0 - (double)u || 1.0f - other != u || (float)(1.0f - v) + v != 1.0f)
            fail_mesh(m, "not exact", m->points[i].u, m->points[i].v);
        if (m->edges == 3 && (w < 0.0f || (double)u + v + w != 1.0))
            fail_mesh(m, "sum is not one", m->points[i].u, m->points[i].v);
    }
}

static void test_exact(void **state)
{
    (void)state;
    for (pgs_u32 domain = 0; domain < 3; domain++)
        each_mesh(domain, check_exact);
}

/* --- Against coordinates as the specification constructs them, with all segments alike --- */

struct place {
    double u, v;
};

static size_t expect_triangle(const struct mesh *m, struct place *to)
{
    static const double corners[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    size_t count = 0;
    for (pgs_u32 e = 0; e < 3; e++) {
        const double *a = corners[(e + 1) % 3], *b = corners[(e + 2) % 3];
        for (pgs_u32 k = 0; k < m->outer[e]; k++) {
            const double t = (double)k / m->outer[e];
            to[count++] = (struct place){a[0] * (1 - t) + b[0] * t, a[1] * (1 - t) + b[1] * t};
        }
    }
    const pgs_u32 n = m->inner[0];
    for (pgs_u32 ring = 1; 2 * ring <= n; ring++) {
        const double least = 2.0 * ring / (3.0 * n), size = 1 - 3 * least;
        for (pgs_u32 e = 0; e < 3 && 2 * ring < n; e++) {
            const double *a = corners[e], *b = corners[(e + 1) % 3];
            for (pgs_u32 k = 0; k < n - 2 * ring; k++) {
                const double t = (double)k / (n - 2 * ring);
                to[count++] = (struct place){least + size * (a[0] * (1 - t) + b[0] * t),
                                             least + size * (a[1] * (1 - t) + b[1] * t)};
            }
        }
        if (2 * ring == n)
            to[count++] = (struct place){1.0 / 3, 1.0 / 3};
    }
    return count;
}

static size_t expect_quad(const struct mesh *m, struct place *to)
{
    size_t count = 0;
    for (pgs_u32 e = 0; e < 4; e++) {
        for (pgs_u32 k = 0; k < m->outer[e]; k++) {
            const double t = (double)k / m->outer[e];
            to[count++] = e == 0   ? (struct place){0, 1 - t}
                          : e == 1 ? (struct place){t, 0}
                          : e == 2 ? (struct place){1, t}
                                   : (struct place){1 - t, 1};
        }
    }
    for (pgs_u32 y = 1; y < m->inner[1]; y++) {
        for (pgs_u32 x = 1; x < m->inner[0]; x++)
            to[count++] = (struct place){(double)x / m->inner[0], (double)y / m->inner[1]};
    }
    return count;
}

static void check_reference(const struct mesh *m)
{
    static struct place expected[MOST_VERTICES];
    const size_t count = m->edges == 3 ? expect_triangle(m, expected) : expect_quad(m, expected);
    if (count != m->tess.vertex_count)
        fail_mesh(m, "vertices", m->tess.vertex_count, (long)count);
    for (pgs_u32 i = 0; i < count; i++) {
        size_t near = 0;
        for (size_t k = 0; k < count; k++) {
            const double du = fabs(expected[k].u * PGS_TESS_ONE - m->points[i].u);
            const double dv = fabs(expected[k].v * PGS_TESS_ONE - m->points[i].v);
            near += du < 4.0 && dv < 4.0;
        }
        if (near != 1)
            fail_mesh(m, "vertex is near so many places", i, (long)near);
    }
}

static void test_reference(void **state)
{
    (void)state;
    for (pgs_u32 i = 0; i < 90; i++) {
        struct levels levels;
        for (pgs_u32 k = 0; k < 6; k++) {
            const float level = (float)(1 + random_below(i % 4 ? 12 : 64));
            *(k < 4 ? &levels.outer[k] : &levels.inner[k - 4]) = i == 0 ? 1.0f : level;
        }
        struct mesh *mesh = tessellated(i % 2 ? PGS_TESS_QUADS : PGS_TESS_TRIANGLES, &levels);
        check_reference(mesh);
        free(mesh);
    }
}

/* --- Corners --- */

static bool same_point(struct pgs_tess_point a, struct pgs_tess_point b)
{
    return a.u == b.u && a.v == b.v;
}

/* As pgs_patch_rule writes it. */
static struct pgs_tess_ruled ruled_of(const struct mesh *m)
{
    const pgs_u32 flags = m->tess.flags;
    pgs_u32 words[PGS_PATCH_OUTPUTS_W] = {0};
    for (pgs_u32 i = 0; i < 4; i++)
        words[PGS_PATCH_OUTER_W + i] = floatBitsToUint(m->levels.outer[i]);
    for (pgs_u32 i = 0; i < 2; i++)
        words[PGS_PATCH_INNER_W + i] = floatBitsToUint(m->levels.inner[i]);
    words[PGS_PATCH_DIVIDED_W] = pgs_tess_ruled_outer_word(flags, m->tess);
    words[PGS_PATCH_DIVIDED_W + 1] = pgs_tess_ruled_inner_word(flags, flags, m->tess);
    for (pgs_u32 edge = 0; edge < 4 && pgs_tess_has_steps(flags, m->tess); edge++) {
        const struct pgs_tess_steps steps = pgs_tess_edge_steps(flags, m->tess, edge);
        words[PGS_PATCH_STEPS_W + 2 * edge] = steps.low;
        words[PGS_PATCH_STEPS_W + 2 * edge + 1] = steps.high;
    }
    return pgs_tess_ruled_of(words);
}

/* The shorter code for corners makes what the numbers of vertices make, bit for bit. */
static void check_corners(const struct mesh *m)
{
    const pgs_u32 corners = pgs_tess_vertices_per_primitive(m->tess.flags);
    const struct pgs_tess_ruled ruled = ruled_of(m);
    for (pgs_u32 j = 0; j < m->tess.primitive_count; j++)
        for (pgs_u32 k = 0; k < corners; k++)
            if (!same_point(pgs_tess_corner(m->tess.flags, ruled, j, k),
                            m->points[index_of(m->indices[j], k)]))
                fail_mesh(m, "corner of a primitive", j, k);
}

static void test_corners(void **state)
{
    (void)state;
    for (pgs_u32 domain = 0; domain < 3; domain++) {
        each_mesh(domain, check_corners);
        each_mesh(domain | PGS_TESS_POINT_MODE, check_corners);
    }
}

/* --- Invariance --- */

/* Is the triangle of the one mesh also one of the other, in coordinates? From the same vertex on,
 * since it is always begun at the same one. */
static bool has_triangle(const struct mesh *m, const struct mesh *of, pgs_u32 i)
{
    for (pgs_u32 j = 0; j < m->tess.primitive_count; j++) {
        bool same = true;
        for (pgs_u32 k = 0; k < 3 && same; k++)
            same = same_point(m->points[index_of(m->indices[j], k)],
                              of->points[index_of(of->indices[i], k)]);
        if (same)
            return true;
    }
    return false;
}

/* Has the triangle a vertex on the outer edge number `edge`, between its corners? */
static bool is_at_edge(const struct mesh *m, pgs_u32 i, pgs_u32 edge)
{
    const pgs_u32 start = pgs_tess_outer_start(m->tess, edge);
    for (pgs_u32 k = 0; k < 3; k++) {
        const pgs_u32 vertex = index_of(m->indices[i], k);
        if (vertex > m->tess.inner_vertices + start &&
            vertex < m->tess.inner_vertices + start + m->outer[edge])
            return true;
    }
    return false;
}

/* The other outer levels change, and nothing at this edge or inside does. */
static void check_other_levels(pgs_u32 flags, pgs_u32 edge)
{
    struct levels levels = levels_of(1000000);
    for (pgs_u32 k = 0; k < 6; k++) {
        float *level = k < 4 ? &levels.outer[k] : &levels.inner[k - 4];
        *level = fminf(fmaxf(*level, 1.5f), 20.0f);
    }
    struct mesh *a = tessellated(flags, &levels);
    for (pgs_u32 k = 0; k < 4; k++) {
        if (k != edge)
            levels.outer[k] = fminf(random_level(), 20.0f);
    }
    struct mesh *b = tessellated(flags, &levels);
    for (pgs_u32 k = 0; k < a->outer[edge]; k++) {
        if (!same_point(a->points[pgs_tess_outer_vertex(a->tess, edge, k)],
                        b->points[pgs_tess_outer_vertex(b->tess, edge, k)]))
            fail_mesh(a, "vertex of an edge moves", edge, k);
    }
    for (pgs_u32 i = 0; i < a->tess.primitive_count; i++) {
        if ((is_inside(a, i) || is_at_edge(a, i, edge)) && !has_triangle(b, a, i))
            fail_mesh(a, "triangle is gone", i, edge);
    }
    free(a);
    free(b);
}

/* All outer edges of a triangle are divided in the same way. */
static void check_same_edges(pgs_u32 spacing)
{
    const float level = random_level();
    const struct levels levels = {{level, level, level, level}, {random_level(), random_level()}};
    struct mesh *m = tessellated(PGS_TESS_TRIANGLES | spacing, &levels);
    for (pgs_u32 k = 0; k <= m->outer[0]; k++) {
        const struct pgs_tess_point u = m->points[pgs_tess_outer_vertex(m->tess, 0, k)];
        const struct pgs_tess_point v = m->points[pgs_tess_outer_vertex(m->tess, 1, k)];
        const struct pgs_tess_point w = m->points[pgs_tess_outer_vertex(m->tess, 2, k)];
        if (u.u != 0 || v.v != 0 || w.u + w.v != PGS_TESS_ONE)
            fail_mesh(m, "not on the edge", u.u, v.v);
        if (u.v != w.u || v.u != w.v || u.v != PGS_TESS_ONE - v.u)
            fail_mesh(m, "edges differ", u.v, w.u);
    }
    free(m);
}

static void test_invariance(void **state)
{
    (void)state;
    for (pgs_u32 i = 0; i < 60; i++) {
        for (pgs_u32 s = 0; s < 3; s++) {
            check_same_edges(spacings[s]);
            check_other_levels(PGS_TESS_TRIANGLES | spacings[s], i % 3);
            check_other_levels(PGS_TESS_QUADS | spacings[s], i % 4);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_discarded),      cmocka_unit_test(test_triangles),
        cmocka_unit_test(test_rectangles),     cmocka_unit_test(test_points_and_lines),
        cmocka_unit_test(test_spacing),        cmocka_unit_test(test_short_segments_grow),
        cmocka_unit_test(test_short_segments), cmocka_unit_test(test_exact),
        cmocka_unit_test(test_reference),      cmocka_unit_test(test_invariance),
        cmocka_unit_test(test_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
