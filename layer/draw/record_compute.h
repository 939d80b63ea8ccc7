/* SPDX-License-Identifier: MIT
 *
 * Records the dispatches of a pass, stage by stage. Internal to draw/.
 */
#ifndef PGS_DRAW_RECORD_COMPUTE_H
#define PGS_DRAW_RECORD_COMPUTE_H

#include "draw/compute.h"
#include "draw/pass_kernels.h"

/* Invocations in a workgroup, summed over the dispatches that use a grid of struct pgs_grids; by
 * the number of the grid. */
void pgs_compute_weigh(const struct pgs_draw *draw, const struct pgs_kernels *kernels,
                       uint32_t weights[PGS_GRID_COUNT]);

/* Records the dispatches of a list of draws and of their feedback program, with the barriers that
 * are needed before, between and after. `close`: pools that no later batch takes from; NULL where
 * there is none. linear: mapped memory of `cb`, or NULL (dispatch.h). Returns the invocations that
 * it dispatches. */
uint64_t pgs_compute_record(const struct pgs_device *dev, VkCommandBuffer cb,
                            const struct pgs_draw *draws, const struct pgs_program *program,
                            const struct pgs_kernels *kernels,
                            const struct pgs_draw_pool *const close[PGS_POOL_KINDS],
                            enum pgs_batch_place place, struct pgs_linear *linear);

#endif
