/* SPDX-License-Identifier: MIT
 *
 * Vertex and geometry shader -> vertex shader of a raster pipeline: inline draws.
 */
#ifndef PGS_SPIRV_STAGES_GEOMETRY_RASTER_H
#define PGS_SPIRV_STAGES_GEOMETRY_RASTER_H

#include "spirv/analysis/geometry_info.h"
#include "spirv/ir/blob.h"
#include "spirv/stages/raster_options.h"
#include "spirv/stages/vertex.h"

/* What is known of the primitives that a draw gives to its units. */
struct pgs_spv_assembly {
    uint32_t topology; /* of the record, or PGS_TOPOLOGY_ANY */
    uint32_t flags;    /* PGS_DRAW_*: those that the record may have */
};

/* Vertex and geometry shader -> vertex shader of a raster pipeline that draws lists (of points,
 * lines, triangles): each vertex is a corner of a primitive that a unit of a struct pgs_placed
 * emits to the stream. With info->pattern the units' primitives follow each other; else instance n
 * is unit n, and all primitives beyond its last lie where everything is clipped, as do those of
 * units that are not there. Attribute location 0 (R32G32B32A32_UINT, instance rate) is what the
 * pgs_placed begins with. Nothing is stored: each vertex shades all of its unit's. Outputs are
 * those of pgs_spv_raster_vertex, push constants those of the record, descriptors stay as they are.
 * UNSUPPORTED as in pgs_spv_fused_to_compute. */
enum pgs_spv_result pgs_spv_fused_to_raster(const struct pgs_spv_shader *vs,
                                            const struct pgs_spv_vertex_options *vertex,
                                            const struct pgs_spv_shader *gs,
                                            const struct pgs_spv_geometry_info *info,
                                            const struct pgs_spv_assembly *assembly,
                                            const struct pgs_spv_raster_options *options,
                                            struct pgs_spv_blob *out);

#endif
