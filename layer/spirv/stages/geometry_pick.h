/* SPDX-License-Identifier: MIT
 *
 * Vertex and geometry shader -> compute shader that finds out which vertices are emitted.
 */
#ifndef PGS_SPIRV_STAGES_GEOMETRY_PICK_H
#define PGS_SPIRV_STAGES_GEOMETRY_PICK_H

#include "spirv/analysis/geometry_info.h"
#include "spirv/ir/blob.h"
#include "spirv/stages/assembly.h"
#include "spirv/stages/vertex.h"

/* Makes a compute shader with one invocation per primitive, which writes down the vertices that a
 * geometry shader of pgs_spv_find_picked emits (poly_gs/pick.h). options->out is info->in.
 * UNSUPPORTED: it is no such shader, or as for pgs_spv_fused_to_compute. */
enum pgs_spv_result pgs_spv_geometry_to_pick(const struct pgs_spv_shader *vs,
                                             const struct pgs_spv_vertex_options *options,
                                             const struct pgs_spv_shader *gs,
                                             const struct pgs_spv_geometry_info *info,
                                             const struct pgs_spv_assembly *assembly,
                                             struct pgs_spv_blob *out);

#endif
