/* SPDX-License-Identifier: MIT
 *
 * What the patches of a pipeline become, on GPUs. An inline draw evaluates each vertex for each of
 * its primitives; a stored one does so once, with three dispatches more. Which is faster is a
 * matter of levels, which nobody knows beforehand. The GPU counts vertices and primitives anyway,
 * in memory that the CPU can read. That is done when the command buffer is reset, and later draws
 * are inline if as many patches are likely to evaluate little more so. What is drawn is the same.
 * For CPUs see tier.h. Internal to draw/.
 */
#ifndef PGS_DRAW_PATCHES_H
#define PGS_DRAW_PATCHES_H

#include "draw/compute.h"
#include "draw/plan.h"

/* Sets rules->more_each from what is known of the pipeline, which may be NULL. Thread-safe. */
void pgs_patches_rules(const struct pgs_emulated_pipeline *pipeline, struct pgs_device *dev,
                       struct pgs_plan_rules *rules);

/* Notes a prepared draw if it is to tell. Without memory none does. */
void pgs_patches_note(struct pgs_batch_memory *memory, struct pgs_draw *draw);

/* Learns from what was noted, and forgets it. When the GPU is done with it, and the memory is not
 * reset yet. The pipelines may be gone. */
void pgs_patches_read(struct pgs_batch_memory *memory, struct pgs_device *dev);

#endif
