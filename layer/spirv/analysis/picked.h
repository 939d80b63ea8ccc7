/* SPDX-License-Identifier: MIT
 *
 * Geometry shaders that pick vertices: each one that they emit is made of one vertex of the input
 * primitive, by the same function, whichever these are and on whatever it depends which are
 * emitted.
 */
#ifndef PGS_SPIRV_ANALYSIS_PICKED_H
#define PGS_SPIRV_ANALYSIS_PICKED_H

#include "spirv/analysis/one_vertex.h"

#define PGS_SPV_PICKED_EMITS 16u
#define PGS_SPV_PICKED_WAYS 32u

/* Which vertex an emit is made of. */
struct pgs_spv_picked_emit {
    const uint32_t *emit; /* the instruction */
    uint32_t corner;      /* the number of the vertex, if value is 0 */
    uint32_t value;       /* id of an integer of 32 bits, whose last result it is */
};

/* A branch on the way to the first emit, of which it must take that way each time. */
struct pgs_spv_picked_way {
    uint32_t *branch; /* OpBranchConditional */
    bool is_true;
};

struct pgs_spv_picked {
    struct pgs_spv_picked_emit emits[PGS_SPV_PICKED_EMITS];
    uint32_t emit_count;   /* others are never executed */
    const uint32_t *first; /* the emit to which the ways lead */
    struct pgs_spv_picked_way ways[PGS_SPV_PICKED_WAYS];
    uint32_t way_count;
};

/* False: it is no such shader. Takes no time, unlike the next one. */
bool pgs_spv_may_pick(const struct pgs_spv_emit_facts *facts);

/* Finds out for a module of pgs_spv_open_geometry, and points to its instructions. The shader has
 * no side effects and reads no gl_ViewIndex. gl_PrimitiveID as an output is left out. False: it is
 * no such shader. */
bool pgs_spv_find_picked(struct pgs_spv_module *m, const struct pgs_spv_emit_facts *facts,
                         const struct pgs_spv_io_vars *inputs,
                         const struct pgs_spv_io_vars *outputs, struct pgs_spv_picked *found);

#endif
