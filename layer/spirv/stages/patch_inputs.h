/* SPDX-License-Identifier: MIT
 *
 * The per-vertex inputs of tessellation shaders.
 */
#ifndef PGS_SPIRV_STAGES_PATCH_INPUTS_H
#define PGS_SPIRV_STAGES_PATCH_INPUTS_H

#include "spirv/io/io_access.h"

/* Fills the per-vertex inputs. The number of vertices is the result of count_function for the
 * length of their array (a uint) or, if that id is 0, count_el; at most the array's length. */
struct pgs_spv_vertex_source {
    struct pgs_spv_io_access access; /* loads by (vertex, word) */
    uint32_t count_function, count_el;
};

void pgs_spv_fill_vertices(const struct pgs_spv_vertex_source *source,
                           const struct pgs_spv_io_vars *inputs);

#endif
