/* SPDX-License-Identifier: MIT
 *
 * Indirect draws of the driver with a count in a buffer, on drivers that cannot read it, or with a
 * first instance, on drivers that know none: the GPU copies their arguments, empties those beyond
 * the count and writes zeros for first instances. Internal to draw/.
 */
#ifndef PGS_DRAW_DRAW_COUNT_H
#define PGS_DRAW_DRAW_COUNT_H

#include "draw/compute.h"

/* The call has a count or not. Takes memory for the arguments of the draw and writes the record of
 * the kernel `draw_count`. If the layer cannot read arguments or count, nothing is drawn; logged.
 * Errors: out of host or device memory. */
VkResult pgs_draw_count_prepare(struct pgs_draw *draw, const struct pgs_draw_call *call,
                                struct pgs_batch_memory *memory);

/* Draws them, inside the pass. */
void pgs_draw_count_replay(const struct pgs_draw *draw, VkCommandBuffer cb);

#endif
