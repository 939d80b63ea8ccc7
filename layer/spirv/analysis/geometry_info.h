/* SPDX-License-Identifier: MIT
 *
 * What pipeline creation must know of a geometry shader.
 */
#ifndef PGS_SPIRV_ANALYSIS_GEOMETRY_INFO_H
#define PGS_SPIRV_ANALYSIS_GEOMETRY_INFO_H

#include "spirv/analysis/emit_pattern.h"
#include "spirv/io/xfb.h"
#include "spirv/ir/shader.h"

struct pgs_spv_io_vars;
struct pgs_spv_module;

/* What pipeline creation must know of a geometry shader (specialization applied). */
struct pgs_spv_geometry_info {
    uint32_t input_vertices; /* 1, 2, 3, 4 (lines adjacency) or 6 (triangles adjacency) */
    uint32_t output_kind;    /* 1 points, 2 line strip, 3 triangle strip */
    uint32_t max_vertices;
    uint32_t invocations;
    bool writes_primitive_id, writes_layer, writes_viewport_index,
        writes_point_size; /* for any stream */
    uint32_t stream_mask;  /* bit s: emits to stream s */
    bool reads_push_constants;
    bool has_side_effects; /* writes memory that others see */
    struct pgs_spv_emit_pattern pattern;
    struct pgs_spv_layout in; /* per vertex; what the GS reads of the vertex stage */
    struct pgs_spv_layout out[PGS_SPV_STREAMS]; /* per vertex; what it can emit to each stream */
    uint32_t out_stride_w;                      /* of a stored vertex of any stream */
    struct pgs_spv_xfb feedback;
};

/* Parses and checks one geometry entry point. What it captures must be so that nothing is written
 * twice or outside of its vertex (VUID-StandaloneSpirv-Offset-04690 to -XfbBuffer-04697);
 * otherwise INVALID. */
enum pgs_spv_result pgs_spv_geometry_info(const struct pgs_spv_shader *gs,
                                          struct pgs_spv_geometry_info *info);

/* Parses and specializes a geometry shader, drops dead code and takes its interface apart. m must
 * be finished also on failure. */
enum pgs_spv_result pgs_spv_open_geometry(struct pgs_spv_module *m, const struct pgs_spv_shader *gs,
                                          struct pgs_spv_io_vars *inputs,
                                          struct pgs_spv_io_vars *outputs);

#endif
