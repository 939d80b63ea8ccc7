/* SPDX-License-Identifier: MIT
 *
 * Geometry shader -> compute shader, which may include the vertex shader.
 */
#ifndef PGS_SPIRV_STAGES_GEOMETRY_H
#define PGS_SPIRV_STAGES_GEOMETRY_H

#include "spirv/analysis/geometry_info.h"
#include "spirv/ir/blob.h"
#include "spirv/stages/assembly.h"
#include "spirv/stages/vertex.h"

/* Geometry shader -> compute shader, one GS invocation (instance, primitive, invocation) per
 * compute invocation. Writes output vertices, strip ends and counts of the record (abi.h). Emits
 * beyond max_vertices are dropped. */
enum pgs_spv_result pgs_spv_geometry_to_compute(const struct pgs_spv_shader *gs,
                                                const struct pgs_spv_geometry_info *info,
                                                const struct pgs_spv_assembly *assembly,
                                                struct pgs_spv_blob *out);

/* As pgs_spv_geometry_to_compute, but each invocation shades the vertices of its primitive itself
 * and does not read `vertices` of the record. options->out is info->in. UNSUPPORTED, though each
 * stage alone may work, if the vertex shader has side effects or needs subgroups, or if the two
 * modules cannot be merged (pgs_spv_merge). */
enum pgs_spv_result pgs_spv_fused_to_compute(const struct pgs_spv_shader *vs,
                                             const struct pgs_spv_vertex_options *options,
                                             const struct pgs_spv_shader *gs,
                                             const struct pgs_spv_geometry_info *info,
                                             const struct pgs_spv_assembly *assembly,
                                             struct pgs_spv_blob *out);

#endif
