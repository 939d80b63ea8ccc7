/* SPDX-License-Identifier: MIT
 *
 * How long draws of a pipeline go on in the way that takes least to compile. On CPUs that is
 * inline: one shader instead of two or more and several kernels. What it costs more to draw so is
 * added up. When it nears what the compilation costs, threads begin with that, and once it is done,
 * or the sum is reached, draws are stored. So a pipeline that is hardly used compiles little, and
 * one that is used much loses no more than about what its compilation takes. Internal to draw/.
 *
 * The size of indirect and tessellated draws is read when their command buffer is reset.
 */
#ifndef PGS_DRAW_TIER_H
#define PGS_DRAW_TIER_H

#include "draw/compute.h"
#include "draw/plan.h"

/* Sets what the rules say of it. pipeline may be NULL. Thread-safe. */
void pgs_tier_rules(const struct pgs_emulated_pipeline *pipeline,
                    const struct pgs_graphics_state *state, struct pgs_device *dev,
                    struct pgs_plan_rules *rules);

/* Adds what a planned draw costs. Thread-safe. */
void pgs_tier_charge(const struct pgs_emulated_pipeline *pipeline, const struct pgs_draw_plan *plan,
                     struct pgs_device *dev);

/* Notes a prepared draw whose plan is `watched`, until the reset. Errors: out of host memory. */
VkResult pgs_tier_watch(struct pgs_batch_memory *memory, const struct pgs_draw *draw);

/* Adds what the noted draws turned out to cost, and forgets them. When the GPU is done with them,
 * and the memory is not reset yet. The pipelines may be gone. */
void pgs_tier_read(struct pgs_batch_memory *memory, struct pgs_device *dev);

#endif
