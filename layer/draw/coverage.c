/* SPDX-License-Identifier: MIT */
#include "draw/coverage.h"

#include "poly_gs/coverage.h"

#include <string.h>

/* The first viewport, which draws take that choose none; NULL: none was set. */
static const VkViewport *viewport_of(const struct pgs_graphics_state *state)
{
    const struct pgs_emulated_pipeline *pipeline = state->pipeline;
    if (!(pipeline->dynamic & PGS_DYNAMIC_VIEWPORT))
        return pipeline->viewports.viewport_count ? pipeline->viewports.viewports : NULL;
    return state->viewport_mask & 1 ? state->viewports.viewports : NULL;
}

/* NaN is none. */
static bool is_whole(float value, float least, float most)
{
    return value >= least && value <= most && value == (float)(int32_t)value;
}

static bool begins_between_pixels(const VkViewport *viewport)
{
    const float most = PGS_COVERAGE_MOST_PX;
    const float height = viewport->height < 0 ? -viewport->height : viewport->height;
    return is_whole(viewport->x, -most, most) && is_whole(viewport->y, -most, most) &&
           is_whole(viewport->width, 1, most) && is_whole(height, 1, most);
}

/* A viewport of negative height turns triangles round. */
static uint32_t culled(const struct pgs_graphics_state *state, bool turned)
{
    const struct pgs_emulated_pipeline *pipeline = state->pipeline;
    const VkCullModeFlags mode = pipeline->dynamic & PGS_DYNAMIC_CULL_MODE
                                     ? state->polygons.cull_mode
                                     : pipeline->polygon_state.cull_mode;
    const VkFrontFace front = pipeline->dynamic & PGS_DYNAMIC_FRONT_FACE
                                  ? state->polygons.front_face
                                  : pipeline->polygon_state.front_face;
    const bool front_is_clockwise = (front == VK_FRONT_FACE_CLOCKWISE) != turned;
    const uint32_t fronts =
        front_is_clockwise ? PGS_DRAW_CULLS_CLOCKWISE : PGS_DRAW_CULLS_COUNTER_CLOCKWISE;
    const uint32_t backs =
        front_is_clockwise ? PGS_DRAW_CULLS_COUNTER_CLOCKWISE : PGS_DRAW_CULLS_CLOCKWISE;
    return (mode & VK_CULL_MODE_FRONT_BIT ? fronts : 0) |
           (mode & VK_CULL_MODE_BACK_BIT ? backs : 0);
}

struct pgs_coverage pgs_coverage_find(const struct pgs_graphics_state *state)
{
    struct pgs_coverage found = {0};
    if (!(state->pipeline->cull_planes & (PGS_DRAW_COVERAGE | PGS_DRAW_CUTS)))
        return found;
    const VkViewport *viewport = viewport_of(state);
    if (!viewport || !begins_between_pixels(viewport))
        return found;
    const bool turned = viewport->height < 0;
    const float half_px[] = {viewport->width / 2,
                             turned ? -viewport->height / 2 : viewport->height / 2};
    _Static_assert(sizeof(half_px) == sizeof(found.half_px), "two floats");
    found.flags = culled(state, turned);
    memcpy(&found.half_px, half_px, sizeof(half_px));
    return found;
}
