/* SPDX-License-Identifier: MIT
 *
 * What the tests of tessellation share: what the specification says of a patch, so that what was
 * captured can be held against it. Triangulation, the order within a patch and, with fractional
 * spacing, where the shorter segments are is up to the implementation; the rest is not.
 */
#ifndef PGS_TESTS_GPU_TESSELLATION_H
#define PGS_TESTS_GPU_TESSELLATION_H

#include "common/vkt.h"

enum tess_domain { TESS_TRIANGLES, TESS_QUADS, TESS_ISOLINES, TESS_DOMAINS };
enum tess_spacing { TESS_EQUAL, TESS_FRACTIONAL_EVEN, TESS_FRACTIONAL_ODD, TESS_SPACINGS };

extern const char *const tess_domain_names[TESS_DOMAINS];
extern const char *const tess_spacing_names[TESS_SPACINGS];

/* As the evaluation shader declares it. */
struct tess_mode {
    enum tess_domain domain;
    enum tess_spacing spacing;
    bool ccw, points;
    bool lower_left; /* the origin of the pipeline's domain */
};

/* The module of either shader with these modes in place of those that it has; NULL: with none.
 * Lives until the program ends. */
struct vkt_code tess_modes(struct vkt *t, struct vkt_code code, const struct tess_mode *mode);

struct tess_levels {
    float outer[4], inner[2];
};

/* What comes of one patch. */
struct tess_patch {
    bool discarded;
    /* Two vertices may lie in one place: inner levels of one, where that is impossible, become a
     * little more than one. */
    bool coincident;
    uint32_t outer[4], inner[2];          /* segments, where the domain has them */
    float outer_level[4], inner_level[2]; /* clamped */
    uint32_t vertices, primitives;        /* vertices: distinct ones. primitives: as drawn */
};
void tess_patch(const struct tess_mode *mode, const struct tess_levels *levels, uint32_t max_level,
                struct tess_patch *out);

/* Corners of a primitive. */
uint32_t tess_corners(const struct tess_mode *mode);

/* A tessellation coordinate, as captured, and its patch. */
struct tess_vertex {
    float u, v, w;
    uint32_t patch;
};

/* Fails unless the vertices of a patch's primitives, vertex by vertex, are what tess_patch says:
 * coordinates, number of primitives and of distinct vertices, orientation and area of triangles,
 * subdivision of every edge. */
void tess_check(struct vkt *t, const char *name, const struct tess_mode *mode,
                const struct tess_patch *patch, const struct tess_vertex *vertices,
                uint32_t vertex_count);

/* Sorted coordinates along outer edge `edge` of those vertices; out has space for vertex_count.
 * Returns how many are different. */
uint32_t tess_edge(const struct tess_mode *mode, uint32_t edge, const struct tess_vertex *vertices,
                   uint32_t vertex_count, float *out);

#endif
