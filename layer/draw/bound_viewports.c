/* SPDX-License-Identifier: MIT */
#include "draw/bound_viewports.h"

#include <string.h>

struct pgs_viewports pgs_bound_viewports(const struct pgs_graphics_state *state)
{
    const struct pgs_emulated_pipeline *pipeline = state->pipeline;
    const struct pgs_viewports *dynamic = &state->viewports;
    struct pgs_viewports all = pipeline->viewports;
    if (pipeline->dynamic & PGS_DYNAMIC_VIEWPORT)
        memcpy(all.viewports, dynamic->viewports, sizeof(all.viewports));
    if (pipeline->dynamic & PGS_DYNAMIC_SCISSOR)
        memcpy(all.scissors, dynamic->scissors, sizeof(all.scissors));
    if (pipeline->dynamic & PGS_DYNAMIC_VIEWPORT_COUNT)
        all.viewport_count = dynamic->viewport_count;
    if (pipeline->dynamic & PGS_DYNAMIC_SCISSOR_COUNT)
        all.scissor_count = dynamic->scissor_count;
    if (all.viewport_count > all.scissor_count) /* only of invalid draws */
        all.viewport_count = all.scissor_count;
    return all;
}

bool pgs_bound_negative_one_to_one(const struct pgs_graphics_state *state)
{
    return state->pipeline->dynamic & PGS_DYNAMIC_DEPTH_BEGIN
               ? state->negative_one_to_one
               : state->pipeline->negative_one_to_one;
}
