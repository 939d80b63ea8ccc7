/* SPDX-License-Identifier: MIT
 *
 * Tessellation control shader -> compute shader.
 */
#ifndef PGS_SPIRV_STAGES_CONTROL_H
#define PGS_SPIRV_STAGES_CONTROL_H

#include "spirv/ir/blob.h"
#include "spirv/stages/patch.h"

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

#endif
