/* SPDX-License-Identifier: MIT
 *
 * Geometry shader -> compute shader, which may run the vertex shader, too.
 */
#ifndef PGS_SPIRV_STAGES_GEOMETRY_H
#define PGS_SPIRV_STAGES_GEOMETRY_H

#include "spirv/analysis/geometry_info.h"
#include "spirv/ir/blob.h"
#include "spirv/stages/vertex.h"

/* Geometry shader -> compute shader, one unit (instance, primitive, invocation) per invocation.
 * Writes slots, cuts and counts of the record (abi.h). Emits beyond max_vertices are dropped. */
enum pgs_spv_result pgs_spv_geometry_to_compute(const struct pgs_spv_shader *gs,
                                                const struct pgs_spv_geometry_info *info,
                                                struct pgs_spv_blob *out);

/* pgs_spv_geometry_to_compute whose units shade the vertices of their primitives themselves, so
 * that nobody else has to, and that read nothing at `vertices` of the record. options->out is
 * info->in. UNSUPPORTED, though the two stages by themselves may go: when the vertex shader has
 * side effects or needs subgroups, or when the two modules differ in what one module can say only
 * once. */
enum pgs_spv_result pgs_spv_fused_to_compute(const struct pgs_spv_shader *vs,
                                             const struct pgs_spv_vertex_options *options,
                                             const struct pgs_spv_shader *gs,
                                             const struct pgs_spv_geometry_info *info,
                                             struct pgs_spv_blob *out);

#endif
