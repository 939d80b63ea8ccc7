/* SPDX-License-Identifier: MIT
 *
 * Vertex shader -> compute shader.
 */
#ifndef PGS_SPIRV_STAGES_VERTEX_H
#define PGS_SPIRV_STAGES_VERTEX_H

#include "spirv/ir/blob.h"
#include "spirv/ir/shader.h"
#include "spirv/stages/assembly.h"
#include "spirv/stages/vertex_options.h"

/* Vertex shader -> compute shader. Each invocation shades vertex (instance * vertex_count +
 * position), or when capturing (primitive * vertices per primitive + vertex). Group size
 * PGS_SHADER_GROUP_EL; push constants at offset 0: a pgs_root of pgs_draw_records. Application push
 * constants are read from the record; descriptors stay as they are. Specialization constants are
 * folded. The entry point is "main". assembly: of its draws; only a shader that captures needs the
 * topology. NULL: anything. */
enum pgs_spv_result pgs_spv_vertex_to_compute(const struct pgs_spv_shader *vs,
                                              const struct pgs_spv_vertex_options *options,
                                              const struct pgs_spv_assembly *assembly,
                                              struct pgs_spv_blob *out);

#endif
