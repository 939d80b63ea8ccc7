/* SPDX-License-Identifier: MIT
 *
 * Fills struct pgs_indirect, which tells the kernel `indirect` about a call. Internal to draw/.
 */
#ifndef PGS_DRAW_INDIRECT_H
#define PGS_DRAW_INDIRECT_H

#include "draw/technique.h"
#include "poly_gs/indirect.h"

/* Number of the call's commands that lie entirely in their buffer. *address: of the first one; 0 if
 * the layer cannot read it. */
uint32_t pgs_indirect_args(struct pgs_device *dev, const struct pgs_draw_call *call,
                           VkDeviceAddress *address);

/* `shared`: what the CPU filled in for the records of all draws, which begin at `records`. Draws
 * whose arguments or count are not entirely in a buffer that the layer can read draw nothing. */
void pgs_indirect_fill(struct pgs_indirect *indirect, struct pgs_device *dev,
                       const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                       const struct pgs_draw_plan *plan, const struct pgs_draw_record *shared,
                       VkDeviceAddress records, uint32_t record_stride_B);

#endif
