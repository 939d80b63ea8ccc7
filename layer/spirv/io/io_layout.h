/* SPDX-License-Identifier: MIT
 *
 * The layout of a stage's I/O variables in a stored vertex.
 */
#ifndef PGS_SPIRV_IO_IO_LAYOUT_H
#define PGS_SPIRV_IO_IO_LAYOUT_H

#include "spirv/io/io_limits.h"

#include <stdbool.h>
#include <stdint.h>

struct pgs_spv_io_var;
struct pgs_spv_io_vars;

#define PGS_NO_WORD 0xFFFFu

/* Where each component of an interface lies in a stored vertex, in 32-bit words from its start.
 * PGS_NO_WORD for absent locations and built-ins. 64-bit components take two consecutive words,
 * 16-bit ones one. */
struct pgs_spv_layout {
    uint16_t location_w[PGS_MAX_LOCATIONS][4];
    uint16_t position_w;       /* 4 words */
    uint16_t point_size_w;     /* 1 word */
    uint16_t clip_distance_w;  /* clip_distance_count words */
    uint16_t cull_distance_w;  /* cull_distance_count words */
    uint16_t primitive_id_w;   /* 1 word */
    uint16_t layer_w;          /* 1 word */
    uint16_t viewport_index_w; /* 1 word */
    uint16_t shading_rate_w;   /* 1 word: PrimitiveShadingRateKHR */
    uint8_t clip_distance_count, cull_distance_count;
    bool wide; /* locations with a single component take a quad, too */
    /* Not 0: the vertex is in two arrays. The words before this one, a multiple of 4, are in the
     * first, the others in the second. */
    uint16_t head_w;
    uint16_t stride_w; /* size of a vertex, a multiple of 4 words */
};

/* Assigns words to the components. Elements of an array are equally far apart. False if they are
 * too many. */
bool pgs_spv_make_layout(const struct pgs_spv_io_vars *vars, struct pgs_spv_layout *layout);

/* Makes a layout with the components of both. */
void pgs_spv_merge_layouts(const struct pgs_spv_layout *a, const struct pgs_spv_layout *b,
                           struct pgs_spv_layout *layout);

/* Divides vertices into what decides where they are drawn (position, point size, layer and viewport
 * index) and the rest. All layouts get the same head_w; none is changed, and false returned, if one
 * of both parts would be empty everywhere. */
bool pgs_spv_split_layouts(struct pgs_spv_layout *layouts, uint32_t count);

/* Quads (four words) of a stored vertex in which the layout has something, of the first
 * PGS_SPV_MAX_FETCHED_QUADS. */
#define PGS_SPV_MAX_FETCHED_QUADS 32
uint32_t pgs_spv_quad_mask(const struct pgs_spv_layout *layout);

#define PGS_SPV_MAX_VAR_WORDS 8

/* Words of an I/O variable in a stored vertex, PGS_NO_WORD for components that the layout lacks.
 * Returns the number of words. */
uint32_t pgs_spv_io_var_words(const struct pgs_spv_io_var *var, const struct pgs_spv_layout *layout,
                              uint16_t words[PGS_SPV_MAX_VAR_WORDS]);

#endif
