/* SPDX-License-Identifier: MIT
 *
 * How a patch is stored.
 */
#ifndef PGS_SPIRV_STAGES_PATCH_H
#define PGS_SPIRV_STAGES_PATCH_H

#include "spirv/analysis/tessellation_info.h"

/* A stored patch, in words: see PGS_PATCH_OUTER_W and the rest of poly_gs/tessellation.h. */
struct pgs_spv_patch {
    uint32_t vertex_count; /* control points of the output patch */
    uint32_t outputs_w;    /* where `patch` begins */
    struct pgs_spv_layout patch;
    struct pgs_spv_layout vertex; /* of each vertex */
    uint32_t vertices_w;          /* offset of the first vertex */
    uint32_t stride_w;            /* stride of patches; a multiple of 4, like vertices_w */
    uint32_t modes;               /* PGS_TESS_MODES */
    bool by_patch;                /* draws may be PGS_TESS_BY_PATCH, so the control shader counts */
    bool restarts;                /* draws of the control shader may have primitive restart */
};

/* Makes the patch layout of two shaders of one pipeline, whose draws may restart. modes:
 * PGS_TESS_MODES that either of them declares. */
void pgs_spv_make_patch(const struct pgs_spv_control_info *control,
                        const struct pgs_spv_evaluation_info *evaluation, uint32_t modes,
                        struct pgs_spv_patch *patch);

#endif
