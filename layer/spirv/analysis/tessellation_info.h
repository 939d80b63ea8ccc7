/* SPDX-License-Identifier: MIT
 *
 * The second face of the spirv room: tessellation shaders. Everything that spirv.h says of its
 * functions holds here.
 */
#ifndef PGS_SPIRV_TESSELLATION_H
#define PGS_SPIRV_TESSELLATION_H

#include "spirv/spirv.h"

/* Execution modes that either shader may declare (SPIR-V specification). What none of the two says
 * is 0; what both say must agree (valid usage). */
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
    uint32_t output_vertices; /* of a patch */
};

/* What pipeline creation must know of a control shader (specialization applied). */
struct pgs_spv_control_info {
    struct pgs_spv_tessellation_modes modes;
    bool reads_push_constants, has_side_effects;
    uint32_t shared_B;                /* Workgroup memory that the compute shader takes, at least */
    struct pgs_spv_layout in;         /* per vertex; what it reads of the vertex stage */
    struct pgs_spv_layout out, patch; /* per vertex, and per-patch locations: what of its outputs
                                         must be in memory for itself */
};
enum pgs_spv_result pgs_spv_control_info(const struct pgs_spv_shader *tcs,
                                         struct pgs_spv_control_info *info);

/* Of an evaluation shader. */
struct pgs_spv_evaluation_info {
    struct pgs_spv_tessellation_modes modes;
    bool reads_push_constants, has_side_effects;
    struct pgs_spv_layout in;    /* per vertex; what it reads of the control stage */
    struct pgs_spv_layout patch; /* locations of what it reads of per-patch outputs; the levels have
                                    a place of their own */
};
enum pgs_spv_result pgs_spv_evaluation_info(const struct pgs_spv_shader *tes,
                                            struct pgs_spv_evaluation_info *info);

/* A stored patch, in words: see PGS_PATCH_OUTER_W and the rest of poly_gs/tessellation.h. */
struct pgs_spv_patch {
    uint32_t vertex_count;        /* that the control shader puts out */
    struct pgs_spv_layout patch;  /* begins at word PGS_PATCH_OUTPUTS_W */
    struct pgs_spv_layout vertex; /* of each vertex */
    uint32_t vertices_w;          /* where the first vertex is */
    uint32_t stride_w;            /* of a patch; a multiple of 4, like vertices_w */
};
/* That of two shaders which belong together. */
void pgs_spv_make_patch(const struct pgs_spv_control_info *control,
                        const struct pgs_spv_evaluation_info *evaluation,
                        struct pgs_spv_patch *patch);

/* Control shader -> compute shader: one workgroup of patch->vertex_count invocations per patch
 * (linear workgroup number = patch). Root: pgs_draw_record with its pgs_tessellation. Reads
 * vertices of the record with the layout info->in, writes the patch, where others read behind
 * barriers what it wrote. Outputs that cannot be addressed there (pointers to them are handed on,
 * or they begin with a value) are Workgroup memory until all invocations are done. */
enum pgs_spv_result pgs_spv_control_to_compute(const struct pgs_spv_shader *tcs,
                                               const struct pgs_spv_control_info *info,
                                               const struct pgs_spv_patch *patch,
                                               struct pgs_spv_blob *out);

/* Evaluation shader -> compute shader: one vertex of the tessellation per invocation, group size
 * PGS_SHADER_GROUP_EL. Reads coords and patches, writes vertices of the pgs_tessellation with the
 * layout `out` (the geometry shader's `in`). triangles: the domain, for the third coordinate. */
enum pgs_spv_result pgs_spv_evaluation_to_compute(const struct pgs_spv_shader *tes,
                                                  const struct pgs_spv_patch *patch, bool triangles,
                                                  const struct pgs_spv_layout *out,
                                                  struct pgs_spv_blob *blob);

/* Evaluation shader -> vertex shader of a raster pipeline that draws lists: vertex n is corner n %
 * corners of primitive n / corners of the whole draw. Attribute location 0 (R32G32_UINT, instance
 * rate) is the address of the draw record; which patch and where in it follows from starts and
 * tile_sums, so nothing is stored for each vertex. Push constants are those of the record, outputs
 * and descriptors stay the application's. primitive_id_location: the patch's number in its instance
 * goes there as a flat int; UINT32_MAX: nowhere. UNSUPPORTED for outputs that pick a layer or a
 * viewport, for points without a size, and where one block is input as well as output. */
struct pgs_spv_evaluation_raster_options {
    const struct pgs_spv_patch *patch;
    bool triangles;
    uint32_t corners;
    uint32_t primitive_id_location;
};
enum pgs_spv_result
pgs_spv_evaluation_to_raster(const struct pgs_spv_shader *tes,
                             const struct pgs_spv_evaluation_raster_options *options,
                             struct pgs_spv_blob *out);

/* pgs_spv_pass_through_geometry takes evaluation shaders, too (by the stage of the shader):
 * corners 1 with point mode, 2 for isolines, else 3. gl_PrimitiveID is the patch's. */

#endif
