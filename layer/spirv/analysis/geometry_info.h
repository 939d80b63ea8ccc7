/* SPDX-License-Identifier: MIT
 *
 * What pipeline creation must know about a geometry shader.
 */
#ifndef PGS_SPIRV_ANALYSIS_GEOMETRY_INFO_H
#define PGS_SPIRV_ANALYSIS_GEOMETRY_INFO_H

#include "spirv/analysis/emit_pattern.h"
#include "spirv/analysis/one_vertex.h"
#include "spirv/analysis/push_loops.h"
#include "spirv/io/xfb.h"
#include "spirv/ir/shader.h"

struct pgs_spv_io_vars;
struct pgs_spv_module;

/* What pipeline creation must know about a geometry shader, after specialization. */
struct pgs_spv_geometry_info {
    uint32_t input_vertices; /* 1, 2, 3, 4 (lines adjacency) or 6 (triangles adjacency) */
    uint32_t output_kind;    /* 1 points, 2 line strip, 3 triangle strip */
    uint32_t max_vertices;
    uint32_t invocations;
    bool writes_primitive_id, writes_layer, writes_viewport_index,
        writes_point_size; /* to any stream */
    uint32_t stream_mask;  /* bit s: emits to stream s */
    bool reads_push_constants, reads_view_index;
    bool has_side_effects; /* writes memory that other invocations or commands see */
    bool vulkan_memory;    /* declares the Vulkan memory model */
    struct pgs_spv_emit_pattern pattern;
    struct pgs_spv_push_loops push_loops; /* besides others, which emit or are walked along */
    bool has_many_push_loops;             /* which are not all there */
    uint32_t longest_strip_el; /* if that is not known: no strip has more vertices; 0: not known */
    bool one_strip;   /* all that an invocation emits is one strip, or points, of one stream */
    bool skips_emits; /* likewise, in a loop of which inline draws run what a vertex needs */
    struct pgs_spv_one_vertex one_vertex; /* see pgs_spv_has_several_strips */
    bool may_pick; /* it is not of one vertex, but may be of pgs_spv_find_picked: that takes long */
    struct pgs_spv_layout in; /* per vertex; the inputs that the geometry shader reads */
    struct pgs_spv_layout out[PGS_SPV_STREAMS]; /* per vertex; the outputs of each stream */
    uint32_t out_stride_w;                      /* of a stored vertex, equal for all streams */
    uint32_t out_head_w; /* likewise: head_w of the layouts, 0: vertices are in one array */
    struct pgs_spv_xfb xfb;
};

/* For pgs_spv_find_one_vertex and pgs_spv_find_picked. */
static inline struct pgs_spv_emit_facts
pgs_spv_emit_facts_of(const struct pgs_spv_geometry_info *info)
{
    return (struct pgs_spv_emit_facts){.input_vertices = info->input_vertices,
                                       .output_kind = info->output_kind,
                                       .max_vertices = info->max_vertices,
                                       .invocations = info->invocations,
                                       .stream_mask = info->stream_mask,
                                       .pattern = &info->pattern};
}

/* True if several strips are known to come of each primitive. If they go to one layer their order
 * counts, so only if the shader writes gl_Layer is it found out whether it is of one vertex. */
static inline bool pgs_spv_has_several_strips(const struct pgs_spv_geometry_info *info)
{
    return info->pattern.is_known && (uint64_t)info->pattern.primitives[0] * info->invocations > 1;
}

/* Complete primitives of an invocation whose pattern is not known, at most: strips that are as long
 * as they may be have most of them. */
static inline uint32_t pgs_spv_most_primitives(const struct pgs_spv_geometry_info *info)
{
    const uint32_t kind = info->output_kind, all_el = info->max_vertices;
    const uint32_t strip_el = info->longest_strip_el ? info->longest_strip_el : all_el;
    if (!strip_el || strip_el < kind)
        return 0;
    const uint32_t rest_el = all_el % strip_el;
    return all_el / strip_el * (strip_el - kind + 1) + (rest_el < kind ? 0 : rest_el - kind + 1);
}

/* Words of an output vertex in the first array, and in the second one; 0: there is none. */
static inline uint32_t pgs_spv_first_stride_w(const struct pgs_spv_geometry_info *info)
{
    return info->out_head_w ? info->out_head_w : info->out_stride_w;
}

static inline uint32_t pgs_spv_rest_stride_w(const struct pgs_spv_geometry_info *info)
{
    return info->out_head_w ? info->out_stride_w - info->out_head_w : 0;
}

/* True if the shader, as compute, can list what it emits (poly_gs/listing.h). What workgroups share
 * there follows the other memory model. */
static inline bool pgs_spv_can_list(const struct pgs_spv_geometry_info *info)
{
    return !info->vulkan_memory && (info->stream_mask & ~UINT32_C(1)) == 0 && info->max_vertices;
}

/* Parses and checks one geometry entry point. INVALID if captured outputs overlap or exceed the
 * captured vertex (VUID-StandaloneSpirv-Offset-04690 to -XfbBuffer-04697). */
enum pgs_spv_result pgs_spv_geometry_info(const struct pgs_spv_shader *gs,
                                          struct pgs_spv_geometry_info *info);

/* The same, but vertices are in two arrays if they have anything besides their position (`out`,
 * xfb; pgs_spv_split_layouts). */
enum pgs_spv_result pgs_spv_geometry_split_info(const struct pgs_spv_shader *gs,
                                                struct pgs_spv_geometry_info *info);

/* Parses and specializes a geometry shader, drops dead code and takes its interface apart. The
 * caller finishes m, also on failure. */
enum pgs_spv_result pgs_spv_open_geometry(struct pgs_spv_module *m, const struct pgs_spv_shader *gs,
                                          struct pgs_spv_io_vars *inputs,
                                          struct pgs_spv_io_vars *outputs);

#endif
