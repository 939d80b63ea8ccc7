/* SPDX-License-Identifier: MIT
 *
 * What the CPU knows of a tessellated draw: its struct pgs_tessellation, and how much the GPU could
 * make of it. Pure. Internal to draw/.
 */
#ifndef PGS_DRAW_TESSELLATION_H
#define PGS_DRAW_TESSELLATION_H

#include "draw/plan.h"
#include "draw/pool.h"
#include "draw/record.h"
#include "poly_gs/tessellation.h"

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

void pgs_tess_fill(struct pgs_tessellation *tessellation,
                   const struct pgs_emulated_pipeline *pipeline,
                   const struct pgs_graphics_state *state, const struct pgs_draw_plan *plan,
                   const struct pgs_draw_ranges *ranges);

#endif
