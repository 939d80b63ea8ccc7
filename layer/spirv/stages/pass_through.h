/* SPDX-License-Identifier: MIT
 *
 * The geometry shader that a pipeline without one could have.
 */
#ifndef PGS_SPIRV_STAGES_PASS_THROUGH_H
#define PGS_SPIRV_STAGES_PASS_THROUGH_H

#include "spirv/ir/blob.h"
#include "spirv/ir/shader.h"

#include <stdbool.h>

/* The geometry shader that a pipeline without one could have: points (1 corner), lines (2) or
 * triangles (3) go through as they come, with all outputs of the vertex shader and, if wanted,
 * their number as gl_PrimitiveID; what the vertex shader captures is captured there. The result is
 * a geometry shader as an application would give it, without spec constants, entry point "main",
 * but for gl_Layer and gl_ViewportIndex, which it reads as it does gl_Position: the passes take
 * that, drivers do not.
 * vs may be an evaluation shader, too (by the stage of the shader): 1 corner with point mode, 2 for
 * isolines, else 3. gl_PrimitiveID is the patch's. */
enum pgs_spv_result pgs_spv_pass_through_geometry(const struct pgs_spv_shader *vs, uint32_t corners,
                                                  bool primitive_id, struct pgs_spv_blob *out);

#endif
