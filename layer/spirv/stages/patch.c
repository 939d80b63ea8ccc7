/* SPDX-License-Identifier: MIT
 *
 * How a patch is stored.
 */
#include "spirv/stages/patch.h"

#include "poly_gs/tessellation.h"

void pgs_spv_make_patch(const struct pgs_spv_control_info *control,
                        const struct pgs_spv_evaluation_info *evaluation, uint32_t modes,
                        struct pgs_spv_patch *patch)
{
    *patch = (struct pgs_spv_patch){.vertex_count = control->modes.output_vertices
                                                        ? control->modes.output_vertices
                                                        : evaluation->modes.output_vertices};
    const bool stripless =
        modes & PGS_TESS_POINT_MODE || (modes & PGS_TESS_DOMAIN) == PGS_TESS_ISOLINES;
    patch->modes = modes & PGS_TESS_MODES;
    patch->restarts = true;
    patch->outputs_w = stripless ? PGS_PATCH_STRIPLESS_W : PGS_PATCH_OUTPUTS_W;
    pgs_spv_merge_layouts(&control->patch, &evaluation->patch, &patch->patch);
    pgs_spv_merge_layouts(&control->out, &evaluation->in, &patch->vertex);
    patch->vertices_w = patch->outputs_w + patch->patch.stride_w;
    patch->stride_w = patch->vertices_w + patch->vertex_count * patch->vertex.stride_w;
}
