/* SPDX-License-Identifier: MIT
 *
 * How the rounds of a draw whose size only the GPU knows differ from the whole (rounds.h). Pure.
 * Internal to draw/.
 */
#ifndef PGS_DRAW_PLAN_ROUNDS_H
#define PGS_DRAW_PLAN_ROUNDS_H

#include "draw/technique.h"
#include "pipeline/pipeline.h"

/* True if a tessellated draw is lost where what its patches become finds no memory: no raster
 * vertex shader makes it, and no chunk captures and counts it. */
bool pgs_plan_stores_patches(const struct pgs_emulated_pipeline *pipeline,
                             const struct pgs_draw_plan *plan);

/* True if it is rasterized, and only from stored vertices. */
bool pgs_plan_stores_only(const struct pgs_draw_plan *plan);

/* The stages of the plan, with the kernels that share a pool out among rounds. */
uint32_t pgs_plan_round_stages(const struct pgs_emulated_pipeline *pipeline,
                               const struct pgs_draw_plan *plan);

#endif
