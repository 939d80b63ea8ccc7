/* SPDX-License-Identifier: MIT
 *
 * Captured draws of the test of the capture kernels: random ones, and what of them has to come out,
 * primitive by primitive.
 */
#ifndef PGS_TESTS_KERNELS_CAPTURE_SCENE_H
#define PGS_TESTS_KERNELS_CAPTURE_SCENE_H

#include "arena.h"
#include "poly_gs/xfb.h"

#include <stdbool.h>

#define MAX_DRAWS 5
#define MAX_RUNS 128

struct primitive {
    uint64_t vertices[3]; /* where they are stored, or with head_w would be if they were whole; in
                           * the order of capture */
};

struct draw {
    struct pgs_draw_record record;
    uint64_t capture; /* struct pgs_capture */
    uint64_t address; /* of the record */
    uint32_t tile_count, group_count;
    uint32_t packed; /* vertices so far */
    struct primitive *primitives[PGS_MAX_STREAMS];
    uint32_t counts[PGS_MAX_STREAMS];
};

/* Draws of one pipeline in one interval. */
struct scene {
    struct arena arena;
    bool geometry, provoking_last;
    bool fixed; /* the CPU knows where the draws capture */
    uint32_t vertices_per_primitive, stream_count, vertex_stride_w;
    uint32_t head_w; /* as pgs_draw_record.out_head_w */
    bool packed;     /* PGS_DRAW_PACKED */
    uint32_t stride_B[PGS_MAX_XFB_BUFFERS], stream[PGS_MAX_XFB_BUFFERS];
    struct pgs_xfb_copy copies[MAX_RUNS];
    uint32_t copy_count;
    struct draw draws[MAX_DRAWS];
    uint32_t draw_count;
    uint64_t interval, program;
};

/* Random draws of up to `most` GS invocations or vertices, a program for them, all in the arena. */
void scene_make(struct scene *scene, struct gpu *gpu, bool geometry, uint32_t most);
/* What the kernels have to make of the arena. */
void scene_model(struct scene *scene);
void scene_free(struct scene *scene, struct gpu *gpu);

/* Random draws, with the list of their primitives. In capture_geometry.c and capture_vertices.c. */
void scene_make_geometry(struct scene *scene, struct draw *draw, uint32_t gs_invocation_count);
void scene_make_vertices(struct scene *scene, struct draw *draw, uint32_t vertex_count);
void scene_add_primitive(struct draw *draw, uint32_t stream, struct primitive primitive);
/* Vertices with random words. */
uint64_t scene_random_vertices(struct scene *scene, uint32_t count);

#endif
