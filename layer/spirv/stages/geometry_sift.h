/* SPDX-License-Identifier: MIT
 *
 * Vertex and geometry shader -> compute shader that finds out which strips may be seen.
 */
#ifndef PGS_SPIRV_STAGES_GEOMETRY_SIFT_H
#define PGS_SPIRV_STAGES_GEOMETRY_SIFT_H

#include "poly_gs/sift.h"
#include "spirv/analysis/geometry_info.h"
#include "spirv/ir/blob.h"
#include "spirv/stages/assembly.h"
#include "spirv/stages/vertex.h"

/* True if the shader can be sifted: of one vertex, from triangles to not too many triangles. */
static inline bool pgs_spv_can_sift(const struct pgs_spv_geometry_info *info)
{
    const uint32_t strips = info->one_vertex.strips;
    return strips && strips <= PGS_SIFT_STRIPS && info->input_vertices == 3 &&
           info->output_kind == 3 && info->out[0].position_w != PGS_NO_WORD;
}

/* Makes a compute shader with one invocation per primitive, which marks the strips that do not lie
 * behind one of the planes that record and assembly have (poly_gs/sift.h). options->out is
 * info->in. INVALID: it is of no strips, or of too many. UNSUPPORTED: as for
 * pgs_spv_fused_to_compute. */
enum pgs_spv_result pgs_spv_geometry_to_sift(const struct pgs_spv_shader *vs,
                                             const struct pgs_spv_vertex_options *options,
                                             const struct pgs_spv_shader *gs,
                                             const struct pgs_spv_geometry_info *info,
                                             const struct pgs_spv_assembly *assembly,
                                             struct pgs_spv_blob *out);

#endif
