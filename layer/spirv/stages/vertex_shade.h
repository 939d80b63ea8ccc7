/* SPDX-License-Identifier: MIT
 *
 * Shades the vertices of a primitive inside a geometry shader.
 */
#ifndef PGS_SPIRV_STAGES_VERTEX_SHADE_H
#define PGS_SPIRV_STAGES_VERTEX_SHADE_H

#include "spirv/analysis/geometry_info.h"
#include "spirv/io/io_access.h"
#include "spirv/stages/assembly.h"
#include "spirv/stages/vertex_part.h"

/* Runs the vertex shader for each vertex of a primitive and fills the geometry shader's per-vertex
 * inputs. choose: as in struct pgs_spv_geometry_sources. Ends in a new basic block. */
void pgs_spv_shade_vertices(struct pgs_spv_module *m, struct pgs_spv_list *list,
                            const struct pgs_spv_vertex_part *part, uint32_t choose,
                            const struct pgs_spv_assembly *assembly,
                            const struct pgs_spv_geometry_info *info,
                            const struct pgs_spv_io_vars *inputs);

/* Fills one such input, which is Private, for a vertex index (an id). */
void pgs_spv_fill_vertex(const struct pgs_spv_io_access *access, const struct pgs_spv_io_var *var,
                         uint32_t vertex);

#endif
