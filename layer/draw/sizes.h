/* SPDX-License-Identifier: MIT
 *
 * Memory and work that a plan needs at most. Pure. Internal to draw/.
 */
#ifndef PGS_DRAW_SIZES_H
#define PGS_DRAW_SIZES_H

#include "draw/technique.h"
#include "poly_gs/tessellation.h"

/* Slots (possible output vertices) that one record may have. Slot numbers are indices of the raster
 * draw, and without fullDrawIndexUint32 an index is at most 2^24 - 1. */
#define PGS_MAX_OUT_VERTICES ((UINT32_C(1) << 24) - 1)
/* With fullDrawIndexUint32: the indices of all output vertices must be countable in 32 bits. */
#define PGS_MAX_OUT_VERTICES_UINT32 ((UINT32_C(1) << 31) - 1)

/* Bytes of scratch for each array of a subdraw (abi.h, feedback.h). For tessellated draws without
 * the arrays that come from the pool. */
struct pgs_subdraw_sizes {
    uint64_t out_vertices_B, strip_ends_B, counts_B, tile_sums_B, indices_B, draw_args_B;
    uint64_t primitives_B, capture_tiles_B;
};
void pgs_subdraw_sizes(const struct pgs_spv_geometry_info *gs, const struct pgs_draw_plan *plan,
                       uint32_t gs_invocations, struct pgs_subdraw_sizes *sizes);
/* Sizes of the arrays that grow with gs_invocations, whether or not they come from the pool. */
void pgs_gs_array_sizes(const struct pgs_spv_geometry_info *gs, const struct pgs_draw_plan *plan,
                        uint32_t gs_invocations, struct pgs_subdraw_sizes *sizes);

/* Bytes of the arrays that the subdraws of a draw share. */
struct pgs_draw_sizes {
    uint64_t vertices_B, primitive_list_B, restart_tiles_B, restart_count_B;
    uint64_t patches_B, starts_B, patch_tiles_B, grids_B; /* tessellated draws only */
};
void pgs_draw_sizes(const struct pgs_emulated_pipeline *pipeline, const struct pgs_draw_plan *plan,
                    uint32_t vertex_count, struct pgs_draw_sizes *sizes);

/* Bytes of scratch that the draw takes in all, except from a pool. */
uint64_t pgs_scratch_B(const struct pgs_emulated_pipeline *pipeline,
                       const struct pgs_draw_plan *plan, uint32_t vertex_count);

#define PGS_POOL_UNKNOWN_B UINT64_MAX /* no upper bound is known */

/* Upper bound for one patch: all levels at their maximum. */
struct pgs_tess_bound {
    uint32_t vertices, primitives;
};
struct pgs_tess_bound pgs_tess_bound(uint32_t flags);

/* Bytes that the draw takes from the pool at most, for any levels. PGS_POOL_UNKNOWN_B: more than
 * can be addressed. */
uint64_t pgs_tess_worst_B(uint32_t max_out_vertices, const struct pgs_emulated_pipeline *pipeline,
                          const struct pgs_draw_plan *plan);

/* Vertices of all primitives of the draw at most, counted for each primitive. An inline draw, which
 * has one vertex for each of them, leaves out primitives beyond UINT32_MAX. Only draws that take
 * from a pool can report that. */
uint64_t pgs_tess_worst_vertices(const struct pgs_emulated_pipeline *pipeline,
                                 const struct pgs_draw_plan *plan);

/* PGS_MAX_OUT_VERTICES, or PGS_MAX_OUT_VERTICES_UINT32 if the device can. */
uint32_t pgs_max_out_vertices(const struct pgs_device *dev);

/* Output vertices that one record of the pipeline may have, so that what is drawn of them can be
 * counted in 32 bits: lists have up to three indices for each, polygons as lines more vertices. */
uint32_t pgs_max_record_vertices(const struct pgs_device *dev,
                                 const struct pgs_emulated_pipeline *pipeline);

/* Geometry shader invocations that a tessellated draw may have: all output vertices must be valid
 * indices. */
uint32_t pgs_max_gs_invocations(uint32_t max_out_vertices, const struct pgs_spv_geometry_info *gs);

/* Indices of a draw that is picked (poly_gs/pick.h), at most. */
uint64_t pgs_picked_indices(const struct pgs_spv_geometry_info *gs, uint32_t primitives);

#endif
