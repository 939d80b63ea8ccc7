/* SPDX-License-Identifier: MIT */
#include "draw/plan.h"

#include "draw/topology.h"
#include "poly_gs/abi.h"
#include "poly_gs/tessellation.h"

static bool discards(const struct pgs_emulated_pipeline *pipeline,
                     const struct pgs_graphics_state *state)
{
    return pipeline->dynamic_discard ? state->rasterizer_discard : pipeline->rasterizer_discard;
}

/* Are the counts of what the geometry shader emits known, and may what it captures be written by a
 * second run of it, or the only one? */
static bool knows_emits(const struct pgs_emulated_pipeline *pipeline,
                        const struct pgs_draw_plan *plan, bool draws)
{
    if (!pipeline->gs.pattern.is_known || pipeline->tessellated || !pipeline->geometry)
        return false;
    if (!plan->capture)
        return true;
    return pipeline->capture && (pipeline->fused || pipeline->bare || !plan->indirect) &&
           !(draws && !plan->discard && pipeline->has_effects);
}

/* What is to be done for transform feedback and queries, and which shaders must run for it. */
static void plan_feedback(const struct pgs_emulated_pipeline *pipeline,
                          const struct pgs_graphics_state *state, struct pgs_draw_plan *plan)
{
    const bool stores = !pipeline->native_raster || pipeline->geometry || pipeline->vertex;
    plan->capture = state->interval && stores && pipeline->gs.feedback.enabled &&
                    pipeline->gs.feedback.run_count;
    plan->counted = plan->capture || state->queries.statistics;
    for (uint32_t i = 0; i < PGS_MAX_STREAMS; i++)
        plan->counted |=
            state->queries.generated[i] || (state->interval && state->queries.feedback[i]);
    /* Tessellation alone says how many primitives it gives. */
    const bool counts =
        pipeline->tessellated && pipeline->pass_through ? plan->capture : plan->counted;
    const bool draws = !pipeline->native_raster && !pipeline->direct;
    plan->known = knows_emits(pipeline, plan, draws);
    plan->geometry = draws || (pipeline->geometry && counts && !plan->known);
    if (plan->known && plan->discard && (plan->capture || !pipeline->has_effects))
        plan->geometry = false;
    plan->evaluation = pipeline->tessellated && (!pipeline->native_raster || plan->geometry);
    plan->straight = plan->capture && (plan->known || !plan->geometry);
    plan->idle = plan->straight && discards(pipeline, state) && !state->queries.statistics &&
                 !state->driver_queries;
    plan->bare = plan->indirect && pipeline->bare &&
                 (plan->known ? plan->straight : plan->geometry && plan->counted);
    const bool captures = plan->capture && !(plan->known && plan->bare);
    plan->vertex = !pipeline->fused && (plan->geometry || plan->evaluation || captures ||
                                        (plan->counted && pipeline->tessellated));
}

/* Does the topology give what the shaders read? Whatever the driver draws is its own business. */
static bool fits_shader(const struct pgs_emulated_pipeline *pipeline, VkPrimitiveTopology topology)
{
    if (pipeline->tessellated)
        return topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    if (pipeline->native_raster && !pipeline->geometry)
        return pgs_input_vertices(topology) > 0;
    return (pipeline->pass_through ? pgs_main_vertices(topology) : pgs_input_vertices(topology)) ==
           pipeline->gs.input_vertices;
}

/* Is the stream that is rasterized one that nobody emits to? */
static bool rasterizes_nothing(const struct pgs_emulated_pipeline *pipeline,
                               const struct pgs_graphics_state *state)
{
    const uint32_t stream = pgs_raster_stream(pipeline, state);
    return stream >= PGS_MAX_STREAMS || !(pipeline->gs.stream_mask >> stream & 1);
}

static uint32_t invocations_of(const struct pgs_emulated_pipeline *pipeline)
{
    return pipeline->native_raster && !pipeline->geometry ? 1 : pipeline->gs.invocations;
}

/* Of all instances. */
static uint32_t most_primitives(const struct pgs_emulated_pipeline *pipeline)
{
    return pipeline->tessellated ? PGS_MAX_PATCHES : PGS_MAX_INVOCATIONS / invocations_of(pipeline);
}

/* What there is room for will bound the invocations, so no draw is too large but for the kernels of
 * restart. */
static bool plan_vertex_capture(const struct pgs_draw_call *call, struct pgs_draw_plan *plan)
{
    const uint32_t corners = pgs_main_vertices(plan->topology);
    const uint64_t primitives = (uint64_t)call->instance_count * plan->primitives;
    const bool many = primitives > PGS_MAX_INVOCATIONS / corners;
    plan->captors = many ? PGS_MAX_INVOCATIONS : (uint32_t)primitives * corners;
    plan->part_count = 1;
    return !plan->restart || call->count <= PGS_MAX_INVOCATIONS;
}

/* False where the draw is too large. */
static bool plan_work(const struct pgs_emulated_pipeline *pipeline,
                      const struct pgs_draw_call *call, struct pgs_draw_plan *plan)
{
    if (pgs_vertex_captures(plan))
        return plan_vertex_capture(call, plan);
    const uint32_t invocations = invocations_of(pipeline);
    const uint64_t vertices = (uint64_t)call->instance_count * call->count;
    const uint64_t primitives = (uint64_t)call->instance_count * plan->primitives;
    if (vertices > PGS_MAX_INVOCATIONS || primitives > most_primitives(pipeline))
        return false;
    plan->vertices = (uint32_t)vertices;
    if (plan->tessellated) {
        plan->patches = (uint32_t)primitives;
        plan->part_count = 1;
        plan->deferred = plan->evaluation;
        return true;
    }
    plan->units = (uint32_t)primitives * invocations;
    plan->captors = plan->straight ? plan->units : 0;
    plan->part_units = plan->geometry ? PGS_MAX_SLOTS / pipeline->gs.max_vertices : plan->units;
    if (plan->part_units > plan->units)
        plan->part_units = plan->units;
    plan->part_count = plan->units / plan->part_units + (plan->units % plan->part_units != 0);
    return true;
}

static void plan_indirect(const struct pgs_draw_call *call, struct pgs_draw_plan *plan)
{
    plan->idle = false; /* the application's call is one for many draws */
    plan->deferred = pgs_plan_stores(plan) || plan->restart;
    plan->captors = plan->straight ? PGS_MAX_INVOCATIONS : 0;
    plan->primitives = 0;
    plan->part_count = call->max_draws;
}

uint32_t pgs_draw_count_limit(const struct pgs_emulated_pipeline *pipeline, uint32_t instance_count)
{
    /* No topology makes more primitives than it has vertices. */
    const uint32_t instances = instance_count ? instance_count : 1;
    return most_primitives(pipeline) / instances;
}

uint32_t pgs_patch_control_points(const struct pgs_emulated_pipeline *pipeline,
                                  const struct pgs_graphics_state *state)
{
    return pipeline->dynamic_patch_control_points ? state->patch_control_points
                                                  : pipeline->patch_control_points;
}

uint32_t pgs_record_topology(const struct pgs_emulated_pipeline *pipeline,
                             const struct pgs_graphics_state *state,
                             const struct pgs_draw_plan *plan)
{
    if (!plan->tessellated)
        return (uint32_t)plan->topology;
    return (uint32_t)plan->topology | pgs_patch_control_points(pipeline, state)
                                          << PGS_PATCH_VERTICES_LOG2;
}

static uint32_t input_primitives(const struct pgs_emulated_pipeline *pipeline,
                                 const struct pgs_graphics_state *state,
                                 VkPrimitiveTopology topology, uint32_t count)
{
    if (!pipeline->tessellated)
        return pgs_input_primitives(topology, count);
    const uint32_t of_patch = pgs_patch_control_points(pipeline, state);
    return of_patch && of_patch <= PGS_MAX_PATCH_VERTICES ? count / of_patch : 0;
}

bool pgs_draw_plan(const struct pgs_emulated_pipeline *pipeline,
                   const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                   struct pgs_draw_plan *plan, bool *too_large)
{
    *too_large = false;
    struct pgs_draw_plan p = {
        .way = PGS_PLAN_COMPUTE,
        .topology = pipeline->dynamic_topology ? state->topology : pipeline->topology,
        .restart = call->indexed && (pipeline->dynamic_restart ? state->primitive_restart
                                                               : pipeline->primitive_restart),
        .tessellated = pipeline->tessellated,
        .indirect = call->indirect,
        .discard = pipeline->native_raster || rasterizes_nothing(pipeline, state) ||
                   discards(pipeline, state),
    };
    plan_feedback(pipeline, state, &p);
    p.direct = pipeline->direct && !p.discard;
    p.primitives = input_primitives(pipeline, state, p.topology, call->count);
    const bool any = call->indirect ? call->max_draws : p.primitives && call->instance_count;
    bool work = any && !pipeline->uncounted && fits_shader(pipeline, p.topology) &&
                (pgs_plan_runs_shaders(&p) || p.counted);
    if (work && call->indirect) {
        plan_indirect(call, &p);
    } else if (work && !plan_work(pipeline, call, &p)) {
        *too_large = true;
        work = false;
    }
    *plan = work ? p : (struct pgs_draw_plan){0};
    return work;
}

void pgs_draw_plan_place(struct pgs_draw_plan *plan)
{
    plan->way = PGS_PLAN_VERTEX;
    plan->placed = true;
    plan->discard = true;
    plan->direct = false;
    plan->evaluation = plan->geometry = plan->capture && !plan->straight;
    plan->deferred = plan->capture || plan->indirect;
    if (plan->tessellated)
        return;
    plan->vertex &= plan->straight && !plan->bare;
    plan->deferred = plan->indirect && plan->restart;
    if (plan->indirect)
        return;
    plan->part_units = plan->units;
    plan->part_count = 1;
}

uint32_t pgs_part_unit_count(const struct pgs_draw_plan *plan, uint32_t part)
{
    const uint32_t rest = plan->units - part * plan->part_units;
    return rest < plan->part_units ? rest : plan->part_units;
}

void pgs_unit_sizes(const struct pgs_spv_geometry_info *gs, const struct pgs_draw_plan *plan,
                    uint32_t units, struct pgs_part_sizes *sizes)
{
    *sizes = (struct pgs_part_sizes){0};
    const uint64_t slots = (uint64_t)units * gs->max_vertices;
    const uint64_t cut_words = (gs->max_vertices + 31) / 32;
    const uint32_t streams = pgs_spv_stream_count(gs->stream_mask);
    sizes->slots_B = slots * gs->out_stride_w * 4;
    sizes->cuts_B = cut_words * units * (streams > 1 ? 3 : 1) * 4;
    sizes->counts_B = (uint64_t)units * 4;
    if (plan->counted && !plan->known) {
        sizes->primitives_B = (uint64_t)units * streams * 4;
        sizes->capture_tiles_B = (uint64_t)pgs_tiles(units) * streams * 4;
    }
    if (plan->discard)
        return;
    /* The shortest strip that counts has output_kind vertices, and each ends in one separator.
     * Points have none. */
    const uint64_t separators = gs->output_kind > 1 ? gs->max_vertices / gs->output_kind : 0;
    sizes->tile_sums_B = (uint64_t)pgs_tiles(units) * 4;
    sizes->indices_B = (slots + units * separators) * 4;
}

void pgs_part_sizes(const struct pgs_spv_geometry_info *gs, const struct pgs_draw_plan *plan,
                    uint32_t units, struct pgs_part_sizes *sizes)
{
    *sizes = (struct pgs_part_sizes){0};
    if (!plan->geometry && !plan->evaluation)
        return;
    if (!plan->tessellated)
        pgs_unit_sizes(gs, plan, units, sizes);
    if (!plan->discard)
        sizes->draw_args_B = sizeof(VkDrawIndexedIndirectCommand);
}

void pgs_draw_sizes(const struct pgs_emulated_pipeline *pipeline, const struct pgs_draw_plan *plan,
                    uint32_t vertex_count, struct pgs_draw_sizes *sizes)
{
    const struct pgs_spv_layout *stored =
        plan->tessellated ? &pipeline->control_in : &pipeline->gs.in;
    *sizes = (struct pgs_draw_sizes){
        .vertices_B = plan->vertex && !pgs_vertex_captures(plan)
                          ? (uint64_t)plan->vertices * stored->stride_w * 4
                          : 0,
    };
    if (plan->tessellated) {
        sizes->patches_B = (uint64_t)plan->patches * pipeline->patch.stride_w * 4;
        sizes->starts_B = (uint64_t)plan->patches * 8;
        sizes->patch_tiles_B = (uint64_t)pgs_tiles(plan->patches) * 8;
        sizes->grids_B = sizeof(struct pgs_grids);
    }
    if (plan->restart) {
        sizes->primitive_list_B = (uint64_t)plan->primitives * sizeof(struct pgs_primitive);
        sizes->restart_tiles_B =
            (uint64_t)pgs_tiles(vertex_count) * sizeof(struct pgs_restart_tile);
        sizes->restart_count_B = 8;
    }
}
