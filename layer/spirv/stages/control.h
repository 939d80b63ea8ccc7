/* SPDX-License-Identifier: MIT
 *
 * Tessellation control shader -> compute shader, which may include the vertex shader.
 */
#ifndef PGS_SPIRV_STAGES_CONTROL_H
#define PGS_SPIRV_STAGES_CONTROL_H

#include "spirv/ir/blob.h"
#include "spirv/stages/patch.h"
#include "spirv/stages/vertex_options.h"

enum pgs_spv_result pgs_spv_control_info(const struct pgs_spv_shader *tcs,
                                         struct pgs_spv_control_info *info);

/* Control shader -> compute shader: one workgroup of patch->vertex_count invocations per patch
 * (linear workgroup number = patch). Root: pgs_draw_record with its pgs_tessellation. Reads the
 * record's vertices with the layout info->in. Writes the patch; after a barrier other invocations
 * read from it. Outputs that cannot be addressed in the patch (pointers to them are passed on, or
 * they have initializers) are Workgroup memory until all invocations have finished. */
enum pgs_spv_result pgs_spv_control_to_compute(const struct pgs_spv_shader *tcs,
                                               const struct pgs_spv_control_info *info,
                                               const struct pgs_spv_patch *patch,
                                               struct pgs_spv_blob *out);

/* The vertex shader in front of it. */
struct pgs_spv_control_front {
    const struct pgs_spv_shader *vs;
    const struct pgs_spv_vertex_options *vertex; /* with `out` as `in` of the control shader */
    uint32_t patch_vertices;                     /* of each input patch; 0: any number */
};

/* Vertex and control shader -> one compute shader. As pgs_spv_control_to_compute, but nothing has
 * stored the record's vertices: the workgroup of a patch does, and each position of the draw is in
 * one patch at most. UNSUPPORTED as in pgs_spv_add_vertex. */
enum pgs_spv_result pgs_spv_fused_control_to_compute(const struct pgs_spv_control_front *front,
                                                     const struct pgs_spv_shader *tcs,
                                                     const struct pgs_spv_control_info *info,
                                                     const struct pgs_spv_patch *patch,
                                                     struct pgs_spv_blob *out);

#endif
