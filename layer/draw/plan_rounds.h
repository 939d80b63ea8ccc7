/* SPDX-License-Identifier: MIT
 *
 * How the rounds of a draw differ from the whole (rounds.h). Pure. Internal to draw/.
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

/* True if a round of a draw of known size, which is not tessellated, runs a vertex shader that
 * stores, and only for what its GS invocations read: only kernels that run later know the
 * primitives between restarts. */
bool pgs_plan_shades_part(const struct pgs_draw_plan *plan);

/* Makes a plan of a draw of known size that of a round: of so many GS invocations from `first` on,
 * of `vertices` per instance. */
void pgs_plan_part(struct pgs_draw_plan *plan, uint32_t vertices, uint32_t invocations,
                   uint32_t first, uint32_t gs_invocations);

/* The most that the vertex shader of such a round runs for, wherever it begins. */
uint32_t pgs_plan_part_vertices(const struct pgs_draw_plan *plan, uint32_t vertices,
                                uint32_t invocations, uint32_t gs_invocations);

#endif
