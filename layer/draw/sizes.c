/* SPDX-License-Identifier: MIT */
#include "draw/sizes.h"

void pgs_gs_array_sizes(const struct pgs_spv_geometry_info *gs, const struct pgs_draw_plan *plan,
                        uint32_t gs_invocations, struct pgs_subdraw_sizes *sizes)
{
    *sizes = (struct pgs_subdraw_sizes){0};
    const uint64_t slots = (uint64_t)gs_invocations * gs->max_vertices;
    const uint64_t cut_words = (gs->max_vertices + 31) / 32;
    const uint32_t streams = pgs_spv_stream_count(gs->stream_mask);
    sizes->slots_B = slots * gs->out_stride_w * 4;
    sizes->cuts_B = cut_words * gs_invocations * (streams > 1 ? 3 : 1) * 4;
    sizes->counts_B = (uint64_t)gs_invocations * 4;
    if (plan->count == PGS_COUNT_EMITS) {
        sizes->primitives_B = (uint64_t)gs_invocations * streams * 4;
        sizes->capture_tiles_B = (uint64_t)pgs_tiles(gs_invocations) * streams * 4;
    }
    if (!pgs_raster_reads_stored(plan->raster))
        return;
    /* The shortest strip that counts has output_kind vertices, and each ends in one separator.
     * Points have none. */
    const uint64_t separators = gs->output_kind > 1 ? gs->max_vertices / gs->output_kind : 0;
    sizes->tile_sums_B = (uint64_t)pgs_tiles(gs_invocations) * 4;
    sizes->indices_B = (slots + gs_invocations * separators) * 4;
}

void pgs_subdraw_sizes(const struct pgs_spv_geometry_info *gs, const struct pgs_draw_plan *plan,
                       uint32_t gs_invocations, struct pgs_subdraw_sizes *sizes)
{
    *sizes = (struct pgs_subdraw_sizes){0};
    if (pgs_plan_runs(plan, PGS_STAGE_GEOMETRY) && !pgs_plan_runs(plan, PGS_STAGE_TESS_ALLOT))
        pgs_gs_array_sizes(gs, plan, gs_invocations, sizes);
    if (pgs_raster_reads_stored(plan->raster))
        sizes->draw_args_B = sizeof(VkDrawIndexedIndirectCommand);
}

void pgs_draw_sizes(const struct pgs_emulated_pipeline *pipeline, const struct pgs_draw_plan *plan,
                    uint32_t vertex_count, struct pgs_draw_sizes *sizes)
{
    const bool tessellated = pgs_plan_runs(plan, PGS_STAGE_TESS_ALLOT);
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
