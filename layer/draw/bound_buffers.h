/* SPDX-License-Identifier: MIT
 *
 * The buffers that a large draw's compute shader reaches by descriptors (poly_gs/bound.h), on
 * drivers that like that better than addresses. Internal to draw/.
 */
#ifndef PGS_DRAW_BOUND_BUFFERS_H
#define PGS_DRAW_BOUND_BUFFERS_H

#include "draw/compute.h"
#include "poly_gs/bound.h"

struct pgs_bound_buffer {
    VkBuffer buffer;
    VkDeviceSize offset_B, size_B;
    uint32_t base; /* low word of the address where it begins */
};

/* What PGS_VARIANT_BOUND of a subdraw reads and stores. */
struct pgs_bound_buffers {
    VkPipelineLayout layout; /* of the variant */
    uint32_t set;
    struct pgs_bound_buffer of[PGS_BOUND_BUFFERS]; /* those that the draw has none of: any */
};

/* Sets draw->bound, for a draw that has its plan, or NULL: the draw is not so large that it pays,
 * its pipeline has no such variant, or none yet (which is then compiled by a thread), what it reads
 * does not lie within a descriptor's limits, or the application pushes descriptors, too: Debian
 * 12's validation layer takes two sets that are pushed in turns for one. Out of host memory is the
 * same.
 */
void pgs_bound_buffers_find(struct pgs_arena *arena, const struct pgs_graphics_state *state,
                            const struct pgs_draw_call *call, struct pgs_draw *draw);

/* Those of a subdraw. False: it is dispatched with PGS_VARIANT_FUSED, as it stores more than a
 * descriptor may have, or stands for several calls, whose buffers may differ. */
bool pgs_bound_buffers_of(const struct pgs_draw *draw, const struct pgs_subdraw *subdraw,
                          struct pgs_bound_buffers *bound);

/* Binds them for the next dispatch, whose pipeline and other sets are bound, and pushes where they
 * begin. */
void pgs_bound_buffers_push(const struct pgs_bound_buffers *bound, const struct pgs_device *dev,
                            VkCommandBuffer cb);

#endif
