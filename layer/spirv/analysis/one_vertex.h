/* SPDX-License-Identifier: MIT
 *
 * Geometry shaders of one vertex: they hand each primitive through, maybe several times, and what
 * they do to a vertex depends on this one alone.
 */
#ifndef PGS_SPIRV_ANALYSIS_ONE_VERTEX_H
#define PGS_SPIRV_ANALYSIS_ONE_VERTEX_H

#include "spirv/analysis/emit_pattern.h"

#include <stdbool.h>
#include <stdint.h>

struct pgs_spv_io_vars;
struct pgs_spv_module;

/* What is known of the shader: struct pgs_spv_geometry_info. It has no side effects, and reads no
 * gl_ViewIndex. */
struct pgs_spv_emit_facts {
    uint32_t input_vertices, output_kind, max_vertices, invocations, stream_mask;
    const struct pgs_spv_emit_pattern *pattern;
};

/* Each strip has as many vertices as the input primitive, and its vertex number m is a function of
 * the input's vertex number m, of the strip's number and of what all invocations of the draw read
 * alike. The function is the same for all m. gl_PrimitiveID is left out: nothing but it may depend
 * on the primitive's number. */
struct pgs_spv_one_vertex {
    uint32_t strips;    /* of all invocations for one primitive; 0: it is no such shader */
    uint32_t each;      /* of one invocation */
    bool layers_differ; /* gl_Layer of each strip is another constant */
};

/* Finds out for a module of pgs_spv_open_geometry. *found does not change if it is no such shader.
 */
void pgs_spv_find_one_vertex(struct pgs_spv_module *m, const struct pgs_spv_emit_facts *facts,
                             const struct pgs_spv_io_vars *inputs,
                             const struct pgs_spv_io_vars *outputs,
                             struct pgs_spv_one_vertex *found);

#endif
