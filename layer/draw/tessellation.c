/* SPDX-License-Identifier: MIT */
#include "draw/tessellation.h"

#include "draw/sizes.h"

struct pgs_tess_bound pgs_tess_bound(uint32_t flags)
{
    const uint32_t n = PGS_MAX_TESSELLATION_LEVEL;
    struct pgs_tess_bound bound;
    switch (flags & PGS_TESS_DOMAIN) {
    case PGS_TESS_TRIANGLES: /* rings of n, n - 2, ... segments on each side, around a point */
        bound.vertices = 3 * (n / 2) * (n / 2 + 1) + 1;
        bound.primitives = n * n * 3 / 2;
        break;
    case PGS_TESS_QUADS:
        bound.vertices = (n + 1) * (n + 1);
        bound.primitives = n * n * 2;
        break;
    default: /* n lines; the edge at v = 1 has none */
        bound.vertices = n * (n + 1);
        bound.primitives = n * n;
        break;
    }
    if (flags & PGS_TESS_POINT_MODE)
        bound.primitives = bound.vertices;
    return bound;
}

uint64_t pgs_tess_worst_vertices(const struct pgs_emulated_pipeline *pipeline,
                                 const struct pgs_draw_plan *plan)
{
    const uint32_t flags = pipeline->tessellation_flags;
    const bool lines = (flags & PGS_TESS_DOMAIN) == PGS_TESS_ISOLINES;
    const uint32_t vertices_per_primitive = flags & PGS_TESS_POINT_MODE ? 1 : lines ? 2 : 3;
    return (uint64_t)plan->patches * pgs_tess_bound(flags).primitives * vertices_per_primitive;
}

uint32_t pgs_max_slots(const struct pgs_device *dev)
{
    const bool far = dev->physical->features.fullDrawIndexUint32; /* we enable it */
    return far ? PGS_MAX_SLOTS_UINT32 : PGS_MAX_SLOTS;
}

uint32_t pgs_max_gs_invocations(uint32_t max_slots, const struct pgs_spv_geometry_info *gs)
{
    return max_slots / (gs->max_vertices ? gs->max_vertices : 1);
}

/* The kernels round in the same way. */
static uint64_t quads_B(uint64_t size_B)
{
    return (size_B + 15) / 16 * 16;
}

uint64_t pgs_tess_worst_B(uint32_t max_slots, const struct pgs_emulated_pipeline *pipeline,
                          const struct pgs_draw_plan *plan)
{
    if (!pgs_plan_runs(plan, PGS_STAGE_EVALUATION))
        return 0;
    const struct pgs_tess_bound bound = pgs_tess_bound(pipeline->tessellation_flags);
    const uint64_t vertices = (uint64_t)plan->patches * bound.vertices;
    const uint64_t primitives = (uint64_t)plan->patches * bound.primitives;
    const uint64_t gs_invocations =
        pgs_plan_runs(plan, PGS_STAGE_GEOMETRY) ? primitives * pipeline->gs.invocations : 0;
    if (gs_invocations > pgs_max_gs_invocations(max_slots, &pipeline->gs) || vertices > UINT32_MAX)
        return PGS_POOL_UNKNOWN_B;
    struct pgs_subdraw_sizes s;
    pgs_gs_array_sizes(&pipeline->gs, plan, (uint32_t)gs_invocations, &s);
    const uint64_t sum_B =
        vertices * PGS_COORD_STRIDE_B + quads_B(vertices * pipeline->gs.in.stride_w * 4) +
        primitives * PGS_TESS_PRIMITIVE_STRIDE_B + quads_B(s.slots_B) + quads_B(s.cuts_B) +
        quads_B(s.counts_B) + quads_B(s.tile_sums_B) + quads_B(s.indices_B) +
        quads_B(s.primitives_B) + quads_B(s.capture_tiles_B);
    return (sum_B + PGS_POOL_UNIT_B - 1) / PGS_POOL_UNIT_B * PGS_POOL_UNIT_B;
}

void pgs_tess_fill(struct pgs_tessellation *tessellation,
                   const struct pgs_emulated_pipeline *pipeline,
                   const struct pgs_graphics_state *state, const struct pgs_draw_plan *plan,
                   const struct pgs_draw_ranges *ranges)
{
    *tessellation = (struct pgs_tessellation){
        .patches = ranges->patches.address,
        .starts = ranges->starts.address,
        .tile_sums = ranges->patch_tiles.address,
        .flags = pgs_tessellation_flags(pipeline, state) |
                 (pgs_plan_runs(plan, PGS_STAGE_EVALUATION) ? 0 : PGS_TESS_COUNT_ONLY) |
                 (plan->raster == PGS_RASTER_TES_STORED ? PGS_TESS_DIRECT : 0) |
                 (plan->raster == PGS_RASTER_INLINE_TES ? PGS_TESS_PLACED : 0),
        .patch_vertices_in = pgs_patch_control_points(pipeline, state),
        .patch_vertices_out = pipeline->patch.vertex_count,
        .patch_stride_w = pipeline->patch.stride_w,
        .vertex_stride_w = pipeline->gs.in.stride_w,
    };
}
