/* SPDX-License-Identifier: MIT
 *
 * Vertex and geometry shader -> vertex shader of a raster pipeline: inline draws.
 */
#ifndef PGS_SPIRV_STAGES_GEOMETRY_RASTER_H
#define PGS_SPIRV_STAGES_GEOMETRY_RASTER_H

#include "spirv/analysis/geometry_info.h"
#include "spirv/ir/blob.h"
#include "spirv/stages/assembly.h"
#include "spirv/stages/evaluation_part.h"
#include "spirv/stages/raster_options.h"
#include "spirv/stages/vertex.h"

/* Vertex and geometry shader -> vertex shader of a raster pipeline that draws lists (of points,
 * lines, triangles). Each vertex is a vertex of a primitive that a GS invocation of a struct
 * pgs_inline_draw emits to the stream. With info->pattern the primitives of all invocations follow
 * each other. Without it that is so with lists_invocations, else instance n is invocation n;
 * primitives beyond its last one, and those of invocations that do not exist, lie where they are
 * clipped. With joined_el it is one strip instead of a list, for which the same holds of vertices;
 * with `indexed` vertices are those that are emitted, and indices make primitives of them.
 * Attribute location 0
 * (R32G32B32A32_UINT, instance rate) is the start of the pgs_inline_draw. Nothing is stored: each
 * vertex shades all vertices of its invocation. Outputs are those of pgs_spv_raster_vertex, push
 * constants those of the record, descriptors stay as they are. UNSUPPORTED as in
 * pgs_spv_fused_to_compute. */
enum pgs_spv_result pgs_spv_fused_to_raster(const struct pgs_spv_shader *vs,
                                            const struct pgs_spv_vertex_options *vertex,
                                            const struct pgs_spv_shader *gs,
                                            const struct pgs_spv_geometry_info *info,
                                            const struct pgs_spv_assembly *assembly,
                                            const struct pgs_spv_raster_options *options,
                                            struct pgs_spv_blob *out);

/* The same with the evaluation shader in front, for tessellated draws: primitives come from the
 * prefix sums of tess_count and tess_allot. */
enum pgs_spv_result pgs_spv_evaluated_to_raster(const struct pgs_spv_shader *tes,
                                                const struct pgs_spv_evaluation_options *evaluation,
                                                const struct pgs_spv_shader *gs,
                                                const struct pgs_spv_geometry_info *info,
                                                const struct pgs_spv_assembly *assembly,
                                                const struct pgs_spv_raster_options *options,
                                                struct pgs_spv_blob *out);

#endif
