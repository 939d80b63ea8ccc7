/* SPDX-License-Identifier: MIT
 *
 * Tessellation evaluation shader -> compute shader.
 */
#ifndef PGS_SPIRV_STAGES_EVALUATION_H
#define PGS_SPIRV_STAGES_EVALUATION_H

#include "spirv/ir/blob.h"
#include "spirv/stages/patch.h"

/* Evaluation shader -> compute shader: one vertex of the tessellation per invocation, group size
 * PGS_SHADER_GROUP_EL. Reads coordinates and patches, writes vertices of the pgs_tessellation with
 * the layout `out` (the geometry shader's `in`). triangles: the domain, needed for the third
 * coordinate. */
enum pgs_spv_result pgs_spv_evaluation_to_compute(const struct pgs_spv_shader *tes,
                                                  const struct pgs_spv_patch *patch, bool triangles,
                                                  const struct pgs_spv_layout *out,
                                                  struct pgs_spv_blob *blob);

#endif
