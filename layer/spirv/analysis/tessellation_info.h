/* SPDX-License-Identifier: MIT
 *
 * What pipeline creation must know about tessellation shaders.
 */
#ifndef PGS_SPIRV_ANALYSIS_TESSELLATION_INFO_H
#define PGS_SPIRV_ANALYSIS_TESSELLATION_INFO_H

#include "spirv/io/io_layout.h"
#include "spirv/ir/shader.h"

struct pgs_spv_io_vars;
struct pgs_spv_module;

/* Execution modes that either shader may declare (SPIR-V specification). 0 if neither declares the
 * mode; if both do, they must agree (valid usage). */
enum pgs_spv_domain {
    PGS_SPV_DOMAIN_NONE,
    PGS_SPV_DOMAIN_TRIANGLES,
    PGS_SPV_DOMAIN_QUADS,
    PGS_SPV_DOMAIN_ISOLINES
};

enum pgs_spv_spacing {
    PGS_SPV_SPACING_NONE,
    PGS_SPV_SPACING_EQUAL,
    PGS_SPV_SPACING_FRACTIONAL_EVEN,
    PGS_SPV_SPACING_FRACTIONAL_ODD
};

enum pgs_spv_order { PGS_SPV_ORDER_NONE, PGS_SPV_ORDER_CW, PGS_SPV_ORDER_CCW };

struct pgs_spv_tessellation_modes {
    enum pgs_spv_domain domain;
    enum pgs_spv_spacing spacing;
    enum pgs_spv_order order;
    bool point_mode;
    uint32_t output_vertices; /* of the output patch */
};

/* What pipeline creation must know about a control shader, after specialization. */
struct pgs_spv_control_info {
    struct pgs_spv_tessellation_modes modes;
    bool reads_push_constants, reads_view_index, has_side_effects;
    uint32_t shared_B;                /* minimum Workgroup memory of the compute shader */
    struct pgs_spv_layout in;         /* per vertex; inputs that it reads from the vertex stage
                                       */
    struct pgs_spv_layout out, patch; /* outputs that must be in memory for the control shader
                                       * itself, per vertex and per patch */
};

/* What pipeline creation must know about an evaluation shader. */
struct pgs_spv_evaluation_info {
    struct pgs_spv_tessellation_modes modes;
    bool reads_push_constants, reads_view_index, has_side_effects;
    struct pgs_spv_layout in;    /* per vertex; the inputs that it reads from the control stage */
    struct pgs_spv_layout patch; /* the per-patch inputs that it reads; tessellation levels are
                                  * stored separately */
};

enum pgs_spv_result pgs_spv_evaluation_info(const struct pgs_spv_shader *tes,
                                            struct pgs_spv_evaluation_info *info);

/* Parses and specializes a control or evaluation shader, drops dead code and takes apart the
 * interface that it references. Fails if the layer cannot carry an I/O variable. The caller
 * finishes m, also on failure. */
enum pgs_spv_result pgs_spv_open_tessellation(struct pgs_spv_module *m,
                                              const struct pgs_spv_shader *shader,
                                              enum pgs_spv_stage stage,
                                              struct pgs_spv_io_vars *inputs,
                                              struct pgs_spv_io_vars *outputs);
void pgs_spv_tessellation_modes(struct pgs_spv_module *m, struct pgs_spv_tessellation_modes *modes);

/* The per-vertex I/O variables of a patch, or the user's per-patch ones. */
struct pgs_spv_io_vars pgs_spv_vertex_io_vars(struct pgs_spv_module *m,
                                              const struct pgs_spv_io_vars *vars);
struct pgs_spv_io_vars pgs_spv_patch_io_vars(struct pgs_spv_module *m,
                                             const struct pgs_spv_io_vars *vars);

#endif
