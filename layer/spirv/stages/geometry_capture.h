/* SPDX-License-Identifier: MIT
 *
 * Geometry shader, and maybe the vertex shader in front of it -> compute shader that captures
 * by itself.
 */
#ifndef PGS_SPIRV_STAGES_GEOMETRY_CAPTURE_H
#define PGS_SPIRV_STAGES_GEOMETRY_CAPTURE_H

#include "spirv/analysis/geometry_info.h"
#include "spirv/ir/blob.h"
#include "spirv/stages/vertex.h"

/* Geometry shader, and the vertex shader if vs is not NULL -> compute shader that writes what it
 * captures itself: of each stream the primitives whose numbers are below `written` in the
 * pgs_capture (feedback.h), which lies PGS_CAPTURE_BEFORE_B before the record. Of the record it
 * reads what says which units there are and what their inputs are (with vs not `vertices`), and
 * PGS_DRAW_PROVOKING_LAST; it writes nothing of it.
 * Where the pattern is known, invocation l runs unit l of the draw, if there is such a one, and if
 * something of it is captured or the shader has side effects. Else it walks the draw in chunks,
 * PGS_CHUNKS workgroups in the first dimension, and knows two modes, PGS_CHUNKS_*; vs must be given
 * then. UNSUPPORTED as in pgs_spv_fused_to_compute, and in chunks where a shader has side effects
 * or needs subgroups. */
enum pgs_spv_result pgs_spv_geometry_to_capture(const struct pgs_spv_shader *vs,
                                                const struct pgs_spv_vertex_options *vertex,
                                                const struct pgs_spv_shader *gs,
                                                const struct pgs_spv_geometry_info *info,
                                                struct pgs_spv_blob *out);

#endif
