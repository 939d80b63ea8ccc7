/* SPDX-License-Identifier: MIT */
#include "draw/plan.h"

#include "draw/topology.h"
#include "poly_gs/abi.h"

bool pgs_draw_plan(const struct pgs_emulated_pipeline *pipeline,
                   const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                   enum pgs_plan wish, struct pgs_draw_plan *plan, bool *too_large)
{
    const struct pgs_spv_geometry_info *gs = &pipeline->gs;
    *too_large = false;
    *plan = (struct pgs_draw_plan){
        .way = wish == PGS_PLAN_AUTO ? PGS_PLAN_COMPUTE : wish,
        .topology = pipeline->dynamic_topology ? state->topology : pipeline->topology,
        .restart = call->indexed && (pipeline->dynamic_restart ? state->primitive_restart
                                                               : pipeline->primitive_restart),
        .discard =
            pipeline->dynamic_discard ? state->rasterizer_discard : pipeline->rasterizer_discard,
    };
    /* The kernels read gs->input_vertices vertices of each primitive. */
    if ((pipeline->pass_through ? pgs_main_vertices(plan->topology)
                                : pgs_input_vertices(plan->topology)) != gs->input_vertices)
        return false;
    plan->primitives = pgs_input_primitives(plan->topology, call->count);
    if (!plan->primitives || !call->instance_count)
        return false;

    const uint64_t vertices = (uint64_t)call->instance_count * call->count;
    const uint64_t primitives = (uint64_t)call->instance_count * plan->primitives;
    if (vertices > PGS_MAX_INVOCATIONS || primitives > PGS_MAX_INVOCATIONS / gs->invocations) {
        *too_large = true;
        return false;
    }
    plan->vertices = (uint32_t)vertices;
    plan->units = (uint32_t)primitives * gs->invocations;
    plan->part_units = PGS_MAX_SLOTS / gs->max_vertices;
    if (plan->part_units > plan->units)
        plan->part_units = plan->units;
    plan->part_count = plan->units / plan->part_units + (plan->units % plan->part_units != 0);
    return true;
}

uint32_t pgs_part_unit_count(const struct pgs_draw_plan *plan, uint32_t part)
{
    const uint32_t rest = plan->units - part * plan->part_units;
    return rest < plan->part_units ? rest : plan->part_units;
}

void pgs_part_sizes(const struct pgs_spv_geometry_info *gs, uint32_t units,
                    struct pgs_part_sizes *sizes)
{
    const uint64_t slots = (uint64_t)units * gs->max_vertices;
    const uint64_t cut_words = (gs->max_vertices + 31) / 32;
    /* The shortest strip that counts has output_kind vertices, and each ends in one separator.
     * Points have none. */
    const uint64_t separators = gs->output_kind > 1 ? gs->max_vertices / gs->output_kind : 0;
    *sizes = (struct pgs_part_sizes){
        .slots_B = slots * gs->out_stride_w * 4,
        .cuts_B = units * cut_words * 4,
        .counts_B = (uint64_t)units * 4,
        .tile_sums_B = (uint64_t)pgs_tiles(units) * 4,
        .indices_B = (slots + units * separators) * 4,
        .draw_args_B = sizeof(VkDrawIndexedIndirectCommand),
    };
}

void pgs_draw_sizes(const struct pgs_emulated_pipeline *pipeline, const struct pgs_draw_plan *plan,
                    uint32_t vertex_count, struct pgs_draw_sizes *sizes)
{
    *sizes = (struct pgs_draw_sizes){
        .vertices_B = (uint64_t)plan->vertices * pipeline->gs.in.stride_w * 4,
    };
    if (plan->restart) {
        sizes->primitive_list_B = (uint64_t)plan->primitives * sizeof(struct pgs_primitive);
        sizes->restart_tiles_B =
            (uint64_t)pgs_tiles(vertex_count) * sizeof(struct pgs_restart_tile);
        sizes->restart_count_B = 4;
    }
}
