/* SPDX-License-Identifier: MIT
 *
 * Memory that a plan needs, array by array. Pure. Internal to draw/.
 */
#ifndef PGS_DRAW_SIZES_H
#define PGS_DRAW_SIZES_H

#include "draw/technique.h"
#include "poly_gs/tessellation.h"

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

#define PGS_POOL_UNKNOWN_B UINT64_MAX /* a worst case that nobody can tell */

/* What the tessellator makes of one patch at most: with all levels at their maximum. */
struct pgs_tess_bound {
    uint32_t vertices, primitives;
};
struct pgs_tess_bound pgs_tess_bound(uint32_t flags);

/* What the draw takes from the pool at most, whatever the levels are; PGS_POOL_UNKNOWN_B for more
 * than there ever is. */
uint64_t pgs_tess_worst_B(uint32_t max_slots, const struct pgs_emulated_pipeline *pipeline,
                          const struct pgs_draw_plan *plan);

/* Corners of all primitives that the tessellator makes of the draw at most. An inline draw, which
 * has one vertex for each, leaves out the primitives beyond UINT32_MAX; only one that takes from a
 * pool can tell whether it did. */
uint64_t pgs_tess_worst_vertices(const struct pgs_emulated_pipeline *pipeline,
                                 const struct pgs_draw_plan *plan);

/* PGS_MAX_SLOTS, or PGS_MAX_SLOTS_UINT32 where the device can. */
uint32_t pgs_max_slots(const struct pgs_device *dev);

/* Units of a tessellated draw that can be drawn: all slots must be indices for the driver. */
uint32_t pgs_max_gs_invocations(uint32_t max_slots, const struct pgs_spv_geometry_info *gs);

#endif
