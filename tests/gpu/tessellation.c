/* SPDX-License-Identifier: MIT */
#include "gpu/tessellation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of coordinates: some implementations compute with 16 bits behind the point. Two vertices of a
 * subdivision are at least 1/200 apart, but for those of short segments. */
#define TOLERANCE 6e-5
/* Of lengths: where they add up lengths, the rest is left to one segment. */
#define LENGTH_TOLERANCE 5e-4

const char *const tess_domain_names[TESS_DOMAINS] = {"triangles", "quads", "isolines"};
const char *const tess_spacing_names[TESS_SPACINGS] = {"equal", "even", "odd"};

/* --- What comes of a patch --- */

static uint32_t segments(enum tess_spacing spacing, float level, uint32_t max, float *clamped)
{
    const float least = spacing == TESS_FRACTIONAL_EVEN ? 2 : 1;
    const float most = (float)(spacing == TESS_FRACTIONAL_ODD ? max - 1 : max);
    *clamped = fminf(fmaxf(level, least), most);
    uint32_t n = (uint32_t)ceilf(*clamped);
    if (spacing != TESS_EQUAL && n % 2 != (spacing == TESS_FRACTIONAL_ODD))
        n++;
    return n;
}

/* What an inner level becomes that may not be one. */
static void more_than_one(const struct tess_mode *mode, struct tess_patch *p, uint32_t level)
{
    if (p->inner[level] > 1)
        return;
    p->inner[level] = mode->spacing == TESS_FRACTIONAL_ODD ? 3 : 2;
    p->coincident |= mode->spacing == TESS_FRACTIONAL_ODD;
}

static void count_triangles(const struct tess_mode *mode, struct tess_patch *p)
{
    const uint32_t outer = p->outer[0] + p->outer[1] + p->outer[2];
    if (outer == 3 && p->inner[0] == 1) {
        p->vertices = 3;
        p->primitives = 1;
        return;
    }
    more_than_one(mode, p, 0);
    uint32_t ring = p->inner[0] - 2; /* segments of each side of the next triangle */
    p->vertices = outer + 3 * ring + (ring == 0);
    p->primitives = outer + 3 * ring + (ring == 1);
    for (; ring >= 2; ring -= 2) {
        p->vertices += 3 * (ring - 2) + (ring == 2);
        p->primitives += 3 * ring + 3 * (ring - 2) + (ring == 3);
    }
}

static void count_quads(const struct tess_mode *mode, struct tess_patch *p)
{
    const uint32_t outer = p->outer[0] + p->outer[1] + p->outer[2] + p->outer[3];
    if (outer == 4 && p->inner[0] == 1 && p->inner[1] == 1) {
        p->vertices = 4;
        p->primitives = 2;
        return;
    }
    more_than_one(mode, p, 0);
    more_than_one(mode, p, 1);
    const uint32_t across = p->inner[0] - 2, down = p->inner[1] - 2;
    p->vertices = outer + (across + 1) * (down + 1);
    p->primitives = outer + 2 * (across + down) + 2 * across * down;
}

static uint32_t relevant_outer(enum tess_domain domain)
{
    static const uint32_t count[TESS_DOMAINS] = {3, 4, 2};
    return count[domain];
}

void tess_patch(const struct tess_mode *mode, const struct tess_levels *levels, uint32_t max_level,
                struct tess_patch *out)
{
    *out = (struct tess_patch){0};
    for (uint32_t i = 0; i < relevant_outer(mode->domain); i++) {
        const bool lines = mode->domain == TESS_ISOLINES && i == 0;
        out->discarded |= !(levels->outer[i] > 0);
        out->outer[i] = segments(lines ? TESS_EQUAL : mode->spacing, levels->outer[i], max_level,
                                 &out->outer_level[i]);
    }
    if (out->discarded)
        return;
    for (uint32_t i = 0; i < 2; i++)
        out->inner[i] = segments(mode->spacing, levels->inner[i], max_level, &out->inner_level[i]);
    if (mode->domain == TESS_TRIANGLES) {
        count_triangles(mode, out);
    } else if (mode->domain == TESS_QUADS) {
        count_quads(mode, out);
    } else {
        out->vertices = out->outer[0] * (out->outer[1] + 1);
        out->primitives = out->outer[0] * out->outer[1];
    }
    if (mode->points)
        out->primitives = out->vertices;
}

uint32_t tess_corners(const struct tess_mode *mode)
{
    if (mode->points)
        return 1;
    return mode->domain == TESS_ISOLINES ? 2 : 3;
}

/* --- Modules --- */

enum { SPV_HEADER_W = 5, SPV_ENTRY_POINT = 15, SPV_EXECUTION_MODE = 16 };

static uint32_t list_modes(const struct tess_mode *mode, uint32_t modes[4])
{
    static const uint32_t domains[TESS_DOMAINS] = {22, 24, 25}; /* Triangles, Quads, Isolines */
    uint32_t count = 0;
    modes[count++] = domains[mode->domain];
    modes[count++] = 1 + (uint32_t)mode->spacing; /* SpacingEqual, SpacingFractionalEven, ...Odd */
    modes[count++] = mode->ccw ? 5 : 4;           /* VertexOrderCcw, VertexOrderCw */
    if (mode->points)
        modes[count++] = 10; /* PointMode */
    return count;
}

static bool is_mode_of_tessellation(uint32_t mode)
{
    return (mode >= 1 && mode <= 5) || mode == 10 || mode == 22 || mode == 24 || mode == 25;
}

static void free_words(struct vkt *t, uint64_t words)
{
    (void)t;
    free((void *)(uintptr_t)words);
}

struct vkt_code tess_modes(struct vkt *t, struct vkt_code code, const struct tess_mode *mode)
{
    uint32_t *out = malloc(code.size_B + 4 * 3 * sizeof(*out));
    if (!out)
        vkt_die("out of memory");
    vkt_defer(t, free_words, (uint64_t)(uintptr_t)out);
    memcpy(out, code.words, SPV_HEADER_W * sizeof(*out));
    uint32_t size_w = SPV_HEADER_W, modes[4];
    const uint32_t end_w = (uint32_t)(code.size_B / 4);
    for (uint32_t at = SPV_HEADER_W; at < end_w; at += code.words[at] >> 16) {
        const uint32_t *in = code.words + at, length_w = in[0] >> 16, op = in[0] & 0xffff;
        if (op == SPV_EXECUTION_MODE && is_mode_of_tessellation(in[2]))
            continue;
        memcpy(out + size_w, in, length_w * sizeof(*in));
        size_w += length_w;
        for (uint32_t i = 0, n = mode && op == SPV_ENTRY_POINT ? list_modes(mode, modes) : 0; i < n;
             i++) {
            const uint32_t added[3] = {3 << 16 | SPV_EXECUTION_MODE, in[2], modes[i]};
            memcpy(out + size_w, added, sizeof(added));
            size_w += 3;
        }
    }
    return (struct vkt_code){out, size_w * sizeof(*out)};
}

/* --- Sets of coordinates --- */

static int by_value(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Sorts, and drops what is there twice. */
static uint32_t make_set(float *values, uint32_t count)
{
    uint32_t kept = 0;
    qsort(values, count, sizeof(*values), by_value);
    for (uint32_t i = 0; i < count; i++)
        if (kept == 0 || values[i] - values[kept - 1] > TOLERANCE)
            values[kept++] = values[i];
    return kept;
}

static int by_place(const void *a, const void *b)
{
    const struct tess_vertex *x = a, *y = b;
    return x->v != y->v ? (x->v > y->v) - (x->v < y->v) : (x->u > y->u) - (x->u < y->u);
}

static uint32_t distinct_places(const struct tess_vertex *vertices, uint32_t count)
{
    struct tess_vertex *sorted = malloc(count * sizeof(*sorted) + 1);
    if (!sorted)
        vkt_die("out of memory");
    memcpy(sorted, vertices, count * sizeof(*sorted));
    qsort(sorted, count, sizeof(*sorted), by_place);
    uint32_t distinct = count > 0;
    for (uint32_t i = 1; i < count; i++)
        distinct += by_place(&sorted[i], &sorted[i - 1]) != 0;
    free(sorted);
    return distinct;
}

static bool is_near(float a, float b)
{
    return fabsf(a - b) < TOLERANCE;
}

/* The number of vertices on an outer edge of triangles or quads, and where on it they are. */
uint32_t tess_edge(const struct tess_mode *mode, uint32_t edge, const struct tess_vertex *vertices,
                   uint32_t vertex_count, float *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < vertex_count; i++) {
        const struct tess_vertex *at = &vertices[i];
        const float third = mode->domain == TESS_TRIANGLES ? at->w : 1 - at->u;
        const float across[4] = {at->u, at->v, third, 1 - at->v};
        const float quads[4] = {at->v, at->u, at->v, at->u};
        const float triangles[3] = {at->v, at->w, at->u};
        if (is_near(across[edge], 0))
            out[count++] = mode->domain == TESS_TRIANGLES ? triangles[edge] : quads[edge];
    }
    return make_set(out, count);
}

/* --- Checks --- */

struct checking {
    struct vkt *t;
    const char *name;
    const struct tess_mode *mode;
    const struct tess_patch *patch;
    const struct tess_vertex *vertices;
    uint32_t count;
    float *values; /* space for `count` */
};

/* `level` divided into n segments: n - 2 equal ones, and two that are not longer. */
static void check_subdivision(const struct checking *c, const char *what, enum tess_spacing spacing,
                              float level, uint32_t n, const float *points, uint32_t count)
{
    VKT_EXPECT(c->t, count == n + 1, "%s, patch %u: %s has %u segments, wanted %u", c->name,
               c->vertices->patch, what, count - 1, n);
    if (count != n + 1)
        return;
    float longest = 0;
    for (uint32_t i = 0; i < n; i++)
        longest = fmaxf(longest, points[i + 1] - points[i]);
    uint32_t shorter = 0;
    bool symmetric = true;
    for (uint32_t i = 0; i < n; i++) {
        shorter += longest - (points[i + 1] - points[i]) > (float)LENGTH_TOLERANCE;
        symmetric &= is_near(points[i] + points[n - i], 1);
    }
    const bool equal = spacing == TESS_EQUAL || level == (float)n;
    VKT_EXPECT(c->t, is_near(points[0], 0) && is_near(points[n], 1) && symmetric,
               "%s, patch %u: %s is not symmetric", c->name, c->vertices->patch, what);
    VKT_EXPECT(c->t, shorter == 0 || (!equal && shorter == 2),
               "%s, patch %u: %s: %u of %u segments are shorter", c->name, c->vertices->patch, what,
               shorter, n);
}

static void check_coordinates(const struct checking *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        const struct tess_vertex *at = &c->vertices[i];
        const float w = c->mode->domain == TESS_TRIANGLES ? 1 - at->u - at->v : 0;
        const bool inside = at->u >= 0 && at->u <= 1 && at->v >= 0 && at->v <= 1 &&
                            at->w >= -(float)TOLERANCE && at->w <= 1;
        VKT_EXPECT(c->t, inside && is_near(at->w, w), "%s, patch %u: a vertex at %g %g %g", c->name,
                   at->patch, (double)at->u, (double)at->v, (double)at->w);
    }
}

/* Twice the area, negative where the vertices go counter-clockwise in a domain with its origin in
 * the upper left. */
static double area(const struct tess_vertex *a)
{
    double sum = 0;
    for (uint32_t i = 0; i < 3; i++) {
        const struct tess_vertex *p = &a[i], *q = &a[(i + 1) % 3];
        sum += (double)p->u * q->v - (double)q->u * p->v;
    }
    return sum;
}

/* All turn the same way and together are as large as the domain: it is covered once. */
static void check_area(const struct checking *c)
{
    const double want = c->mode->domain == TESS_QUADS ? 2 : 1;
    const double sign = c->mode->ccw != c->mode->lower_left ? -1 : 1;
    double sum = 0;
    uint32_t wrong = 0;
    for (uint32_t i = 0; i + 2 < c->count; i += 3) {
        const double one = sign * area(c->vertices + i);
        wrong += c->patch->coincident ? one < -TOLERANCE : one <= 0;
        sum += one;
    }
    VKT_EXPECT(c->t, wrong == 0, "%s, patch %u: %u of %u triangles turn the wrong way", c->name,
               c->vertices->patch, wrong, c->count / 3);
    VKT_EXPECT(c->t, fabs(sum - want) < 1e-4, "%s, patch %u: twice the area is %g, wanted %g",
               c->name, c->vertices->patch, sum, want);
}

static void check_outer(const struct checking *c)
{
    char what[32];
    for (uint32_t i = 0; i < relevant_outer(c->mode->domain); i++) {
        const uint32_t count = tess_edge(c->mode, i, c->vertices, c->count, c->values);
        snprintf(what, sizeof(what), "outer edge %u", i);
        check_subdivision(c, what, c->mode->spacing, c->patch->outer_level[i], c->patch->outer[i],
                          c->values, count);
    }
}

/* The inner vertices of a quad are a grid. */
static void check_grid(const struct checking *c)
{
    for (uint32_t level = 0; level < 2; level++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < c->count; i++) {
            const struct tess_vertex *at = &c->vertices[i];
            if (at->u > TOLERANCE && at->u < 1 - TOLERANCE && at->v > TOLERANCE &&
                at->v < 1 - TOLERANCE)
                c->values[count++] = level == 0 ? at->u : at->v;
        }
        count = make_set(c->values, count);
        memmove(c->values + 1, c->values, count * sizeof(*c->values));
        c->values[0] = 0;
        c->values[count + 1] = 1;
        check_subdivision(c, level == 0 ? "the grid along u" : "the grid along v", c->mode->spacing,
                          c->patch->inner_level[level], c->patch->inner[level], c->values,
                          count + 2);
    }
}

/* Every inner vertex of a triangle lies on a ring 2k/3n from the nearest edge, and divides its side
 * of that ring into n - 2k parts. */
static void check_rings(const struct checking *c)
{
    const double n = c->patch->inner[0];
    for (uint32_t i = 0; i < c->count; i++) {
        const struct tess_vertex *at = &c->vertices[i];
        const double inset = fmin(fmin((double)at->u, (double)at->v), (double)at->w);
        const double ring = inset * n * 1.5;
        if (ring < TOLERANCE)
            continue;
        const double side = 1 - 3 * inset;
        double place = 0;
        if (side > TOLERANCE) {
            const double first =
                fabs((double)at->u - inset) < TOLERANCE ? (double)at->v : (double)at->u;
            place = (first - inset) / side * (n - 2 * round(ring));
        }
        VKT_EXPECT(c->t, fabs(ring - round(ring)) < 1e-2 && fabs(place - round(place)) < 1e-2,
                   "%s, patch %u: an inner vertex at %g %g %g", c->name, at->patch, (double)at->u,
                   (double)at->v, (double)at->w);
    }
}

static void check_isolines(const struct checking *c)
{
    const struct tess_patch *p = c->patch;
    for (uint32_t i = 0; i < c->count; i++)
        c->values[i] = c->vertices[i].v;
    const uint32_t lines = make_set(c->values, c->count);
    VKT_EXPECT(c->t, lines == p->outer[0], "%s, patch %u: %u lines, wanted %u", c->name,
               c->vertices->patch, lines, p->outer[0]);
    for (uint32_t k = 0; k < p->outer[0]; k++) {
        const float v = (float)k / (float)p->outer[0];
        uint32_t count = 0;
        for (uint32_t i = 0; i < c->count; i++)
            if (is_near(c->vertices[i].v, v))
                c->values[count++] = c->vertices[i].u;
        count = make_set(c->values, count);
        check_subdivision(c, "a line", c->mode->spacing, p->outer_level[1], p->outer[1], c->values,
                          count);
    }
    for (uint32_t i = 0; !c->mode->points && i + 1 < c->count; i += 2) {
        const float length = fabsf(c->vertices[i].u - c->vertices[i + 1].u);
        const bool whole = c->vertices[i].v == c->vertices[i + 1].v && length > 0 &&
                           length < 1.0f / ((float)p->outer[1] - 1.999f);
        VKT_EXPECT(c->t, whole || p->outer[1] < 2, "%s, patch %u: a segment of length %g", c->name,
                   c->vertices->patch, (double)length);
    }
}

void tess_check(struct vkt *t, const char *name, const struct tess_mode *mode,
                const struct tess_patch *patch, const struct tess_vertex *vertices,
                uint32_t vertex_count)
{
    struct checking c = {t, name, mode, patch, vertices, vertex_count, NULL};
    const uint32_t want = patch->primitives * tess_corners(mode);
    VKT_EXPECT(t, vertex_count == want, "%s: %u vertices, wanted %u", name, vertex_count, want);
    if (vertex_count == 0)
        return;
    c.values = malloc((vertex_count + 2) * sizeof(*c.values));
    if (!c.values)
        vkt_die("out of memory");
    const uint32_t distinct = distinct_places(vertices, vertex_count);
    VKT_EXPECT(t, distinct == patch->vertices || patch->coincident,
               "%s, patch %u: %u different vertices, wanted %u", name, vertices->patch, distinct,
               patch->vertices);
    check_coordinates(&c);
    if (mode->domain == TESS_ISOLINES)
        check_isolines(&c);
    else if (!patch->coincident)
        check_outer(&c);
    if (mode->domain != TESS_ISOLINES && !mode->points)
        check_area(&c);
    const bool inner = !patch->coincident && patch->inner[0] > 1;
    if (mode->domain == TESS_QUADS && inner)
        check_grid(&c);
    if (mode->domain == TESS_TRIANGLES && inner && mode->spacing == TESS_EQUAL)
        check_rings(&c);
    free(c.values);
}
