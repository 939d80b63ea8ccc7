/* SPDX-License-Identifier: MIT */
#include "draw/sizes.h"

#include "pipeline/tessellation.h"
#include "poly_gs/pick.h"
#include "poly_gs/sift.h"

void pgs_gs_array_sizes(const struct pgs_spv_geometry_info *gs, const struct pgs_draw_plan *plan,
                        uint32_t gs_invocations, struct pgs_subdraw_sizes *sizes)
{
    *sizes = (struct pgs_subdraw_sizes){0};
    const uint64_t out_vertices = (uint64_t)gs_invocations * gs->max_vertices;
    const uint32_t streams = pgs_spv_stream_count(gs->stream_mask);
    const uint32_t planes = streams > 1 ? 3 : plan->expand == PGS_EXPAND_CUT ? 2 : 1;
    const uint64_t planes_w = (uint64_t)(gs->max_vertices + 31) / 32 * planes;
    const uint32_t packed_w = plan->packed ? gs->max_vertices : 0;
    sizes->out_vertices_B = out_vertices * gs->out_stride_w * 4;
    if (plan->fetches && sizes->out_vertices_B) /* the first one begins at a multiple of its size */
        sizes->out_vertices_B += (gs->out_stride_w - 4) * 4;
    sizes->strip_ends_B = (planes_w + packed_w) * gs_invocations * 4;
    sizes->counts_B = (uint64_t)gs_invocations * 4;
    const bool lists = pgs_plan_lists_primitives(plan);
    if (plan->count == PGS_COUNT_EMITS || lists)
        sizes->primitives_B = (uint64_t)gs_invocations * streams * 4;
    if (plan->count == PGS_COUNT_EMITS)
        sizes->capture_tiles_B = (uint64_t)pgs_tiles(gs_invocations) * streams * 4;
    if (!pgs_raster_reads_stored(plan->raster))
        return;
    /* The shortest complete strip has output_kind vertices and ends in one restart index. Points
     * have none. */
    const uint64_t separators = gs->output_kind > 1 ? gs->max_vertices / gs->output_kind : 0;
    if (plan->stages & PGS_STAGES_COUNT_TILES)
        sizes->tile_sums_B = (uint64_t)pgs_tiles(gs_invocations) * 4;
    sizes->indices_B = (out_vertices + gs_invocations * separators) * 4;
    const uint32_t places = pgs_plan_runs(plan, PGS_STAGE_STIPPLE); /* in their patterns */
    if (lists)
        sizes->indices_B = gs->max_vertices >= gs->output_kind
                               ? (uint64_t)gs_invocations * (gs->output_kind + places) *
                                     (gs->max_vertices + 1 - gs->output_kind) * 4
                               : 0;
}

/* As poly_gs/sift.h says. */
static void sifted_sizes(const struct pgs_spv_geometry_info *gs, uint32_t primitives,
                         struct pgs_subdraw_sizes *sizes)
{
    const uint64_t strips = gs->one_vertex.strips;
    const uint64_t groups = PGS_SIFT_GROUPS((uint64_t)primitives);
    *sizes = (struct pgs_subdraw_sizes){
        .counts_B = (uint64_t)primitives * 4,
        .tile_sums_B = strips * groups * 4,
        .indices_B = strips * primitives * 3 * 4,
        .draw_args_B = strips * sizeof(VkDrawIndexedIndirectCommand),
    };
}

uint64_t pgs_picked_indices(const struct pgs_spv_geometry_info *gs, uint32_t primitives)
{
    const uint64_t each =
        gs->pattern.is_known ? gs->pattern.primitives[0] : pgs_spv_most_primitives(gs);
    return primitives * each * gs->output_kind;
}

/* As poly_gs/pick.h says. */
static void picked_sizes(const struct pgs_spv_geometry_info *gs, uint32_t primitives,
                         uint32_t slices, struct pgs_subdraw_sizes *sizes)
{
    *sizes = (struct pgs_subdraw_sizes){
        .counts_B = (uint64_t)primitives * 4,
        .tile_sums_B = PGS_PICK_GROUPS((uint64_t)primitives) * 4,
        .indices_B = pgs_picked_indices(gs, primitives) * 4,
        .draw_args_B = sizeof(VkDrawIndexedIndirectCommand) * (slices ? slices : 1),
    };
}

void pgs_subdraw_sizes(const struct pgs_spv_geometry_info *gs, const struct pgs_draw_plan *plan,
                       uint32_t gs_invocations, struct pgs_subdraw_sizes *sizes)
{
    *sizes = (struct pgs_subdraw_sizes){0};
    if (plan->raster == PGS_RASTER_SIFTED) {
        sifted_sizes(gs, gs_invocations, sizes);
        return;
    }
    if (plan->raster == PGS_RASTER_PICKED) {
        picked_sizes(gs, gs_invocations, plan->slices, sizes);
        return;
    }
    if (pgs_plan_runs(plan, PGS_STAGE_GEOMETRY) && !pgs_plan_runs(plan, PGS_STAGE_TESS_COUNT))
        pgs_gs_array_sizes(gs, plan, gs_invocations, sizes);
    if (!pgs_raster_reads_stored(plan->raster))
        return;
    sizes->draw_args_B = sizeof(VkDrawIndexedIndirectCommand) * (plan->slices ? plan->slices : 1);
    if (sizes->counts_B && !sizes->indices_B)
        sizes->indices_B = 4; /* there is no primitive, but draws bind the list all the same */
}

void pgs_draw_sizes(const struct pgs_emulated_pipeline *pipeline, const struct pgs_draw_plan *plan,
                    uint32_t vertex_count, struct pgs_draw_sizes *sizes)
{
    const bool tessellated = pgs_plan_runs(plan, PGS_STAGE_TESS_COUNT);
    const struct pgs_spv_layout *stored = tessellated ? &pipeline->control_in : &pipeline->gs.in;
    *sizes = (struct pgs_draw_sizes){
        .vertices_B = pgs_plan_runs(plan, PGS_STAGE_VERTEX)
                          ? (uint64_t)plan->vertices * stored->stride_w * 4
                          : 0,
    };
    if (tessellated) {
        sizes->patches_B = (uint64_t)plan->patches * pipeline->patch.stride_w * 4;
        sizes->starts_B = (uint64_t)plan->patches * 8;
        sizes->patch_tiles_B = (uint64_t)pgs_tiles(plan->patches) * 8;
        sizes->grids_B = sizeof(struct pgs_grids);
    }
    if (pgs_plan_runs(plan, PGS_STAGE_RESTART_EMIT)) {
        sizes->primitive_list_B = (uint64_t)plan->primitives * sizeof(struct pgs_primitive);
        sizes->restart_tiles_B =
            (uint64_t)pgs_tiles(vertex_count) * sizeof(struct pgs_restart_tile);
        sizes->restart_count_B = 8;
    }
}

uint64_t pgs_scratch_B(const struct pgs_emulated_pipeline *pipeline,
                       const struct pgs_draw_plan *plan, uint32_t vertex_count)
{
    struct pgs_draw_sizes d;
    struct pgs_subdraw_sizes s;
    pgs_draw_sizes(pipeline, plan, vertex_count, &d);
    pgs_subdraw_sizes(&pipeline->gs, plan, plan->gs_invocations, &s);
    return d.vertices_B + d.primitive_list_B + d.restart_tiles_B + d.restart_count_B + d.patches_B +
           d.starts_B + d.patch_tiles_B + d.grids_B + s.out_vertices_B + s.strip_ends_B +
           s.counts_B + s.tile_sums_B + s.indices_B + s.draw_args_B + s.primitives_B +
           s.capture_tiles_B;
}

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

uint32_t pgs_max_out_vertices(const struct pgs_device *dev)
{
    const bool far = dev->physical->features.fullDrawIndexUint32; /* the layer enables it */
    return far ? PGS_MAX_OUT_VERTICES_UINT32 : PGS_MAX_OUT_VERTICES;
}

uint32_t pgs_max_record_vertices(const struct pgs_device *dev,
                                 const struct pgs_emulated_pipeline *pipeline)
{
    const uint32_t most = pgs_max_out_vertices(dev), listed = UINT32_MAX / 3;
    if (pipeline->polygons != PGS_SPV_POLYGONS_FILLED)
        return PGS_MAX_OUT_VERTICES;
    return pipeline->lists && listed < most ? listed : most;
}

uint32_t pgs_max_gs_invocations(uint32_t max_out_vertices, const struct pgs_spv_geometry_info *gs)
{
    return max_out_vertices / (gs->max_vertices ? gs->max_vertices : 1);
}

/* Rounds as the kernels do. */
static uint64_t quads_B(uint64_t size_B)
{
    return (size_B + 15) / 16 * 16;
}

uint64_t pgs_tess_worst_B(uint32_t max_out_vertices, const struct pgs_emulated_pipeline *pipeline,
                          const struct pgs_draw_plan *plan)
{
    if (!pgs_plan_runs(plan, PGS_STAGE_EVALUATION))
        return 0;
    const struct pgs_tess_bound bound = pgs_tess_bound(pipeline->tessellation_flags);
    const uint64_t patches = plan->patch_count ? plan->patch_count : plan->patches;
    const uint64_t vertices = patches * bound.vertices, primitives = patches * bound.primitives;
    const uint64_t gs_invocations =
        pgs_plan_runs(plan, PGS_STAGE_GEOMETRY) ? primitives * pipeline->gs.invocations : 0;
    if (gs_invocations > pgs_max_gs_invocations(max_out_vertices, &pipeline->gs) ||
        vertices > UINT32_MAX)
        return PGS_POOL_UNKNOWN_B;
    struct pgs_subdraw_sizes s;
    pgs_gs_array_sizes(&pipeline->gs, plan, (uint32_t)gs_invocations, &s);
    const bool drawn = pgs_raster_draws_evaluated(plan->raster);
    const uint64_t primitive_B =
        drawn ? 4 * pgs_tessellated_primitive_vertices(pipeline) : PGS_TESS_PRIMITIVE_STRIDE_B;
    const uint64_t stored_B = quads_B(vertices * pipeline->gs.in.stride_w * 4) +
                              (plan->fetches && drawn ? (pipeline->gs.in.stride_w - 4) * 4 : 0);
    const uint64_t sum_B = vertices * PGS_COORD_STRIDE_B + stored_B +
                           quads_B(primitives * primitive_B) + quads_B(s.out_vertices_B) +
                           quads_B(s.strip_ends_B) + quads_B(s.counts_B) + quads_B(s.tile_sums_B) +
                           quads_B(s.indices_B) + quads_B(s.primitives_B) +
                           quads_B(s.capture_tiles_B);
    return (sum_B + PGS_POOL_UNIT_B - 1) / PGS_POOL_UNIT_B * PGS_POOL_UNIT_B;
}
