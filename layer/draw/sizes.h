/* SPDX-License-Identifier: MIT
 *
 * Memory that a plan needs, array by array. Pure. Internal to draw/.
 */
#ifndef PGS_DRAW_SIZES_H
#define PGS_DRAW_SIZES_H

#include "draw/plan.h"

/* Bytes of scratch that a subdraw of `gs_invocations` needs for each of its arrays (abi.h,
 * feedback.h). Of tessellated draws those that need not come from the pool. */
struct pgs_subdraw_sizes {
    uint64_t slots_B, cuts_B, counts_B, tile_sums_B, indices_B, draw_args_B;
    uint64_t primitives_B, capture_tiles_B;
};
void pgs_subdraw_sizes(const struct pgs_spv_geometry_info *gs, const struct pgs_draw_plan *plan,
                       uint32_t gs_invocations, struct pgs_subdraw_sizes *sizes);
/* Those that grow with the gs_invocations, wherever they come from. */
void pgs_gs_array_sizes(const struct pgs_spv_geometry_info *gs, const struct pgs_draw_plan *plan,
                        uint32_t gs_invocations, struct pgs_subdraw_sizes *sizes);

/* What all subdraws of a draw share. */
struct pgs_draw_sizes {
    uint64_t vertices_B, primitive_list_B, restart_tiles_B, restart_count_B;
    uint64_t patches_B, starts_B, patch_tiles_B, grids_B; /* tessellated draws only */
};
void pgs_draw_sizes(const struct pgs_emulated_pipeline *pipeline, const struct pgs_draw_plan *plan,
                    uint32_t vertex_count, struct pgs_draw_sizes *sizes);

#endif
