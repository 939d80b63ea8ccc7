/* SPDX-License-Identifier: MIT
 *
 * The face of the spirv room for shaders that do the work of several stages.
 */
#ifndef PGS_SPIRV_FUSED_H
#define PGS_SPIRV_FUSED_H

#include "spirv/spirv.h"

/* pgs_spv_geometry_to_compute whose units shade the vertices of their primitives themselves, so
 * that nobody else has to, and that read nothing at `vertices` of the record. options->out is
 * info->in. UNSUPPORTED, though the two stages by themselves may go: when the vertex shader has
 * side effects or needs subgroups, or when the two modules differ in what one module can say only
 * once. */
enum pgs_spv_result pgs_spv_fused_to_compute(const struct pgs_spv_shader *vs,
                                             const struct pgs_spv_vertex_options *options,
                                             const struct pgs_spv_shader *gs,
                                             const struct pgs_spv_geometry_info *info,
                                             struct pgs_spv_blob *out);

/* What is known of the primitives that a draw gives to its units. */
struct pgs_spv_assembly {
    uint32_t topology; /* of the record, or PGS_TOPOLOGY_ANY */
    uint32_t flags;    /* PGS_DRAW_*: those that the record may have */
};

/* Both -> vertex shader of a raster pipeline that draws lists (of points, lines, triangles): each
 * vertex is a corner of a primitive that a unit of a struct pgs_placed emits to the stream. With
 * info->pattern the units' primitives follow each other; else instance n is unit n, and all
 * primitives beyond its last lie where everything is clipped, as do those of units that are not
 * there. Attribute location 0 (R32G32B32A32_UINT, instance rate) is what the pgs_placed begins
 * with. Nothing is stored: each vertex shades all of its unit's. Outputs are those of
 * pgs_spv_raster_vertex, push constants those of the record, descriptors stay as they are.
 * UNSUPPORTED as above. */
enum pgs_spv_result pgs_spv_fused_to_raster(const struct pgs_spv_shader *vs,
                                            const struct pgs_spv_vertex_options *vertex,
                                            const struct pgs_spv_shader *gs,
                                            const struct pgs_spv_geometry_info *info,
                                            const struct pgs_spv_assembly *assembly,
                                            const struct pgs_spv_raster_options *options,
                                            struct pgs_spv_blob *out);

/* Geometry shader, and the vertex shader if vs is not NULL -> compute shader that writes what it
 * captures itself: of each stream the primitives whose numbers are below `written` in the
 * pgs_capture (feedback.h), which lies PGS_CAPTURE_BEFORE_B before the record. Of the record it
 * reads what says which units there are and what their inputs are (with vs not `vertices`), and
 * PGS_DRAW_PROVOKING_LAST; it writes nothing of it.
 * Where the pattern is known, invocation l runs unit l of the draw, if there is such a one, and if
 * something of it is captured or the shader has side effects. Else it walks the draw in chunks,
 * PGS_CHUNKS workgroups in the first dimension, and knows two modes, PGS_CHUNKS_*; vs must be given
 * then. UNSUPPORTED as above, and in chunks where a shader has side effects or needs subgroups. */
enum pgs_spv_result pgs_spv_geometry_to_capture(const struct pgs_spv_shader *vs,
                                                const struct pgs_spv_vertex_options *vertex,
                                                const struct pgs_spv_shader *gs,
                                                const struct pgs_spv_geometry_info *info,
                                                struct pgs_spv_blob *out);

#endif
