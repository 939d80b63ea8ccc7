/* SPDX-License-Identifier: MIT
 *
 * The chooser: by which technique a draw is done, how much work and memory that is, in how many
 * subdraws. Pure: the same inputs give the same plan, and nothing is allocated.
 */
#ifndef PGS_DRAW_PLAN_H
#define PGS_DRAW_PLAN_H

#include "draw/draw.h"
#include "draw/technique.h"

/* What the choice depends on besides the pipeline, the state and the call. */
struct pgs_plan_rules {
    enum pgs_plan wish;
    uint32_t max_slots; /* PGS_MAX_SLOTS*, of the device */
    uint64_t sure_B;    /* left for tessellated draws whose worst case must fit */
};

/* Chooses how to do the draw. Pure. False: nothing to do (no instances, no complete primitive, a
 * topology that is not the shader's, or the driver draws and nobody captures or counts), then the
 * plan has no work but what finds the arguments of a native draw. `pipeline` may be NULL: a native
 * one of which nothing is known. *too_large: the draw needs more invocations than 32 bits count. */
bool pgs_draw_plan(const struct pgs_emulated_pipeline *pipeline,
                   const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                   const struct pgs_plan_rules *rules, struct pgs_draw_plan *plan, bool *too_large);

/* No draw of this pipeline and so many instances is too large up to this count. */
uint32_t pgs_draw_count_limit(const struct pgs_emulated_pipeline *pipeline,
                              uint32_t instance_count);

/* Vertices of a patch of the draw; 0 where nobody said. */
uint32_t pgs_patch_control_points(const struct pgs_emulated_pipeline *pipeline,
                                  const struct pgs_graphics_state *state);

/* As it stands in records: with the vertices of a patch. */
uint32_t pgs_record_topology(const struct pgs_emulated_pipeline *pipeline,
                             const struct pgs_graphics_state *state,
                             const struct pgs_draw_plan *plan);

/* Geometry shader invocations of a subdraw. */
uint32_t pgs_subdraw_gs_invocations(const struct pgs_draw_plan *plan, uint32_t subdraw);

#endif
