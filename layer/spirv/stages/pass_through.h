/* SPDX-License-Identifier: MIT
 *
 * The pass-through geometry shader of pipelines without one.
 */
#ifndef PGS_SPIRV_STAGES_PASS_THROUGH_H
#define PGS_SPIRV_STAGES_PASS_THROUGH_H

#include "spirv/ir/blob.h"
#include "spirv/ir/shader.h"

#include <stdbool.h>

/* Makes a pass-through geometry shader for points (1 vertex per primitive), lines (2) or triangles
 * (3). It passes all outputs of the vertex shader and, if wanted, the primitive's number as
 * gl_PrimitiveID; what the vertex shader captures is captured there. The result looks like an
 * application's geometry shader without specialization constants, entry point "main", except that
 * it reads gl_Layer and gl_ViewportIndex as it does gl_Position; passes accept that, drivers do
 * not. vs may also be an evaluation shader (by the shader's stage): 1 vertex with point mode, 2 for
 * isolines, else 3; gl_PrimitiveID is the patch's. */
enum pgs_spv_result pgs_spv_pass_through_geometry(const struct pgs_spv_shader *vs,
                                                  uint32_t vertices_per_primitive,
                                                  bool primitive_id, struct pgs_spv_blob *out);

#endif
