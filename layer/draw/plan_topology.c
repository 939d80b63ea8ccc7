/* SPDX-License-Identifier: MIT */
#include "draw/plan_topology.h"

#include "draw/topology.h"

uint32_t pgs_patch_control_points(const struct pgs_emulated_pipeline *pipeline,
                                  const struct pgs_graphics_state *state)
{
    return (pipeline->dynamic & PGS_DYNAMIC_PATCH_CONTROL_POINTS) ? state->patch_control_points
                                                                  : pipeline->patch_control_points;
}

uint32_t pgs_record_topology(const struct pgs_emulated_pipeline *pipeline,
                             const struct pgs_graphics_state *state,
                             const struct pgs_draw_plan *plan)
{
    if (!pgs_plan_runs(plan, PGS_STAGE_TESS_COUNT))
        return (uint32_t)plan->topology;
    return (uint32_t)plan->topology | pgs_patch_control_points(pipeline, state)
                                          << PGS_PATCH_VERTICES_LOG2;
}

uint32_t pgs_draw_primitives(const struct pgs_emulated_pipeline *pipeline,
                             const struct pgs_graphics_state *state, VkPrimitiveTopology topology,
                             uint32_t count)
{
    if (!pipeline->tessellated)
        return pgs_input_primitives(topology, count);
    const uint32_t of_patch = pgs_patch_control_points(pipeline, state);
    return of_patch && of_patch <= PGS_MAX_PATCH_VERTICES ? count / of_patch : 0;
}
