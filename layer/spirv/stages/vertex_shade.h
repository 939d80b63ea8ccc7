/* SPDX-License-Identifier: MIT
 *
 * Shades the vertices of a primitive where a geometry shader wants them.
 */
#ifndef PGS_SPIRV_STAGES_VERTEX_SHADE_H
#define PGS_SPIRV_STAGES_VERTEX_SHADE_H

#include "spirv/analysis/geometry_info.h"
#include "spirv/io/io_access.h"
#include "spirv/stages/vertex_part.h"

/* Runs it for each vertex of a primitive that function choose, void(uint vertex),
 * chooses, and fills the inputs of a geometry shader that have a value for each. The basic block is
 * another one afterwards. */
void pgs_spv_shade_vertices(struct pgs_spv_module *m, struct pgs_spv_list *list,
                            const struct pgs_spv_vertex_part *part, uint32_t choose,
                            const struct pgs_spv_geometry_info *info,
                            const struct pgs_spv_io_vars *inputs);

/* One such input, which is Private, of the vertex with that index, an id. */
void pgs_spv_fill_vertex(const struct pgs_spv_io_access *access, const struct pgs_spv_io_var *var,
                         uint32_t vertex);

#endif
