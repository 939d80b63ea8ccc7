/* SPDX-License-Identifier: MIT
 *
 * What pipeline creation must know about a vertex shader.
 */
#ifndef PGS_SPIRV_ANALYSIS_VERTEX_INFO_H
#define PGS_SPIRV_ANALYSIS_VERTEX_INFO_H

#include "spirv/analysis/push_loops.h"
#include "spirv/io/xfb.h"
#include "spirv/ir/shader.h"

struct pgs_spv_io_vars;
struct pgs_spv_module;

/* What a vertex shader reads. attribute_mask: one bit per input location (all locations of arrays,
 * matrices and 64-bit vectors). */
struct pgs_spv_vertex_info {
    uint32_t attribute_mask;
    bool reads_push_constants, reads_view_index;
    bool has_side_effects;          /* writes memory that other invocations or commands see */
    uint8_t clip_count, cull_count; /* distances that it writes */
    uint64_t output_mask;           /* locations that it writes */
    uint32_t steps; /* instructions that run; UINT32_MAX if it has loops or uses images */
    struct pgs_spv_push_loops push_loops; /* of these loops, if it has no others */
    uint32_t round_steps; /* instructions, of which all loops together run none more often than
                           * pgs_spv_push_times; UINT32_MAX if there are others, or images */
};

enum pgs_spv_result pgs_spv_vertex_info(const struct pgs_spv_shader *vs,
                                        struct pgs_spv_vertex_info *info);

/* What a vertex shader without a geometry shader captures. The layout of its vertex has only
 * captured outputs. */
enum pgs_spv_result pgs_spv_vertex_xfb(const struct pgs_spv_shader *vs, struct pgs_spv_layout *out,
                                       struct pgs_spv_xfb *xfb);

/* Parses and specializes a vertex shader, drops dead code and takes apart the interface that it
 * references. With keep_interface, also outputs that it could capture and does not write. The
 * caller finishes m, also on failure. */
enum pgs_spv_result pgs_spv_open_vertex(struct pgs_spv_module *m, const struct pgs_spv_shader *vs,
                                        bool keep_interface, struct pgs_spv_io_vars *inputs,
                                        struct pgs_spv_io_vars *outputs);

#endif
