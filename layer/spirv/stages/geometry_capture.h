/* SPDX-License-Identifier: MIT
 *
 * Geometry shader, optionally with the vertex shader in front of it -> compute shader that
 * captures.
 */
#ifndef PGS_SPIRV_STAGES_GEOMETRY_CAPTURE_H
#define PGS_SPIRV_STAGES_GEOMETRY_CAPTURE_H

#include "spirv/analysis/geometry_info.h"
#include "spirv/ir/blob.h"
#include "spirv/stages/assembly.h"
#include "spirv/stages/evaluation_part.h"
#include "spirv/stages/vertex.h"

/* Geometry shader, with the vertex shader unless vs is NULL -> compute shader that captures. Writes
 * the primitives of each stream whose numbers are below `written` in the pgs_capture (xfb.h),
 * which lies PGS_CAPTURE_BEFORE_B before the record. Reads from the record the GS invocations and
 * their inputs (with vs not `vertices`), and PGS_DRAW_PROVOKING_LAST; writes nothing to it.
 * - With a known pattern, invocation l runs GS invocation l of the draw, if that exists, and if it
 *   captures something or the shader has side effects.
 * - Without one, PGS_CHUNKS workgroups in the first dimension walk the draw in chunks, in two
 *   modes, PGS_CHUNKS_*. vs must be given.
 * UNSUPPORTED as in pgs_spv_fused_to_compute, and in chunks if a shader has side effects or needs
 * subgroups. */
enum pgs_spv_result pgs_spv_geometry_to_capture(const struct pgs_spv_shader *vs,
                                                const struct pgs_spv_vertex_options *vertex,
                                                const struct pgs_spv_shader *gs,
                                                const struct pgs_spv_geometry_info *info,
                                                const struct pgs_spv_assembly *assembly,
                                                struct pgs_spv_blob *out);

/* The same in chunks, with the evaluation shader in front, for tessellated draws: primitives come
 * from the prefix sums of tess_count and tess_allot. A pattern does not matter. */
enum pgs_spv_result pgs_spv_evaluated_to_capture(
    const struct pgs_spv_shader *tes, const struct pgs_spv_evaluation_options *evaluation,
    const struct pgs_spv_shader *gs, const struct pgs_spv_geometry_info *info,
    const struct pgs_spv_assembly *assembly, struct pgs_spv_blob *out);

#endif
