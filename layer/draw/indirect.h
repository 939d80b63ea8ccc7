/* SPDX-License-Identifier: MIT
 *
 * What the kernel `indirect` is told of a call (struct pgs_indirect). Internal to draw/.
 */
#ifndef PGS_DRAW_INDIRECT_H
#define PGS_DRAW_INDIRECT_H

#include "draw/technique.h"
#include "poly_gs/indirect.h"

/* `shared` is what the CPU filled in for all draws; their own records lie from `records` on.
 * Arguments and counts that lie not wholly in a buffer that we may read draw nothing. */
void pgs_indirect_fill(struct pgs_indirect *indirect, struct pgs_device *dev,
                       const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                       const struct pgs_draw_plan *plan, const struct pgs_draw_record *shared,
                       VkDeviceAddress records, uint32_t record_stride_B);

#endif
