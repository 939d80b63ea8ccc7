/* SPDX-License-Identifier: MIT */
#include "draw/plan.h"

#include "draw/plan_inline.h"
#include "draw/plan_instanced.h"
#include "draw/plan_listing.h"
#include "draw/plan_picked.h"
#include "draw/plan_rounds.h"
#include "draw/plan_topology.h"
#include "draw/sizes.h"
#include "draw/topology.h"
#include "pipeline/inline_list.h"
#include "pipeline/stored_ahead.h"
#include "poly_gs/abi.h"
#include "poly_gs/tessellation.h"

#include <assert.h>

static bool discards(const struct pgs_emulated_pipeline *pipeline,
                     const struct pgs_graphics_state *state)
{
    return (pipeline->dynamic & PGS_DYNAMIC_DISCARD) ? state->rasterizer_discard
                                                     : pipeline->rasterizer_discard;
}

/* True if no shader emits to the rasterized stream. */
static bool rasterizes_nothing(const struct pgs_emulated_pipeline *pipeline,
                               const struct pgs_graphics_state *state)
{
    const uint32_t stream = pgs_raster_stream(pipeline, state);
    return stream >= PGS_MAX_STREAMS || !(pipeline->gs.stream_mask >> stream & 1);
}

/* What transform feedback and queries ask for. */
struct demand {
    bool capture, count;
    bool static_emits; /* emits are known in advance, and a second run of the shader may capture
                          them */
    bool may_run_out;  /* there may be no memory for what geometry shaders emit */
};

static bool wants_capture(const struct pgs_emulated_pipeline *pipeline,
                          const struct pgs_graphics_state *state)
{
    const bool stores = !pipeline->native_raster || pgs_pipeline_has_geometry(pipeline) ||
                        pgs_pipeline_has(pipeline, PGS_VARIANT_VERTEX);
    return state->interval && stores && pipeline->gs.xfb.enabled && pipeline->gs.xfb.copy_count;
}

static bool wants_count(const struct pgs_graphics_state *state)
{
    bool any = state->queries.statistics;
    for (uint32_t i = 0; i < PGS_MAX_STREAMS; i++)
        any |= state->queries.generated[i] || (state->interval && state->queries.xfb[i]);
    return any;
}

/* A second run of the geometry shader captures. So the shader must not have effects if it also runs
 * for the rasterizer, and its input must not be in memory of a pool. */
static bool has_static_emits(const struct pgs_emulated_pipeline *pipeline, bool capture,
                             bool indirect, enum pgs_raster_path raster)
{
    const bool fused = pgs_pipeline_has(pipeline, PGS_VARIANT_FUSED);
    const bool no_memory = pgs_pipeline_has(pipeline, PGS_VARIANT_NO_MEMORY);
    if (!pipeline->gs.pattern.is_known || pipeline->tessellated ||
        !pgs_pipeline_has_geometry(pipeline))
        return false;
    if (!capture)
        return true;
    return pgs_pipeline_has(pipeline, PGS_VARIANT_XFB) && (fused || no_memory || !indirect) &&
           !(pipeline->has_effects && pgs_raster_reads_stored(raster));
}

static struct demand demand_of(const struct pgs_emulated_pipeline *pipeline,
                               const struct pgs_graphics_state *state, bool indirect,
                               enum pgs_raster_path raster)
{
    const bool capture = wants_capture(pipeline, state);
    return (struct demand){
        .capture = capture,
        .count = capture || wants_count(state),
        .static_emits = has_static_emits(pipeline, capture, indirect, raster),
        .may_run_out = indirect,
    };
}

/* The raster path if the raster draw does not run the shaders. */
static enum pgs_raster_path usual_raster(const struct pgs_emulated_pipeline *pipeline,
                                         const struct pgs_graphics_state *state)
{
    if (pipeline->native_raster)
        return PGS_RASTER_NATIVE;
    if (rasterizes_nothing(pipeline, state) || discards(pipeline, state))
        return PGS_RASTER_NONE;
    if (pipeline->polygons != PGS_SPV_POLYGONS_FILLED)
        return PGS_RASTER_POLYGONS;
    return pipeline->tes_stored ? PGS_RASTER_TES_STORED : PGS_RASTER_STORED;
}

static bool runs_geometry(const struct pgs_emulated_pipeline *pipeline, const struct demand *demand,
                          enum pgs_raster_path raster)
{
    /* Tessellation alone knows its primitives without a geometry shader. */
    const bool counts =
        pipeline->tessellated && pipeline->pass_through ? demand->capture : demand->count;
    const bool asked = pgs_pipeline_has_geometry(pipeline) && counts && !demand->static_emits;
    switch (raster) {
    case PGS_RASTER_NATIVE:
    case PGS_RASTER_TES_STORED:
    case PGS_RASTER_TES_STORED_OR_INLINE:
        return asked;
    case PGS_RASTER_NONE:
        if (demand->static_emits)
            return pipeline->has_effects && !demand->capture;
        return !pipeline->tes_stored || asked;
    case PGS_RASTER_STORED:
    case PGS_RASTER_STORED_OR_INLINE:
    case PGS_RASTER_POLYGONS:
        return true;
    case PGS_RASTER_INLINE_TES:
        return demand->capture;
    case PGS_RASTER_INLINE_GS:
    case PGS_RASTER_INSTANCED:
    case PGS_RASTER_SIFTED:
    case PGS_RASTER_PICKED:
    case PGS_RASTER_INLINE_TES_GS:
        break;
    }
    return false;
}

static enum pgs_xfb_path xfb_path(const struct pgs_emulated_pipeline *pipeline,
                                  const struct demand *demand, bool geometry)
{
    const bool no_memory = demand->may_run_out && pgs_pipeline_has(pipeline, PGS_VARIANT_NO_MEMORY);
    if (!demand->capture)
        return PGS_XFB_NONE;
    if (demand->static_emits)
        return no_memory ? PGS_XFB_GS_NO_MEMORY : PGS_XFB_GS;
    if (!geometry)
        return PGS_XFB_VS;
    return no_memory ? PGS_XFB_COPY_OR_CHUNKS : PGS_XFB_COPY;
}

static enum pgs_count_path count_path(const struct pgs_emulated_pipeline *pipeline,
                                      const struct demand *demand, bool geometry)
{
    if (!demand->count)
        return PGS_COUNT_NONE;
    if (demand->static_emits)
        return PGS_COUNT_STATIC;
    if (geometry)
        return PGS_COUNT_EMITS;
    return pipeline->tessellated ? PGS_COUNT_TESSELLATOR : PGS_COUNT_INPUT;
}

static uint32_t stages_of_sizing(enum pgs_sizing sizing)
{
    switch (sizing) {
    case PGS_SIZE_SETUP:
        return PGS_STAGE_BIT(SETUP);
    case PGS_SIZE_GPU:
        return PGS_STAGE_BIT(INDIRECT);
    case PGS_SIZE_CPU:
        break;
    }
    return 0;
}

/* Kernels that know more cases take long to compile. */
static uint32_t stages_of_lists(const struct pgs_emulated_pipeline *pipeline)
{
    if (pipeline->joins_lines)
        return PGS_STAGE_BIT(COUNT_TILES_ANY) | PGS_STAGE_BIT(EXPAND_ANY);
    return PGS_STAGE_BIT(COUNT_TILES) | (pipeline->stipple.goes_on ? PGS_STAGE_BIT(STIPPLE) : 0) |
           (pipeline->lists || pipeline->polygons ? PGS_STAGE_BIT(EXPAND_POLYGONS)
            : pipeline->expands_any               ? PGS_STAGE_BIT(EXPAND_ANY)
                                                  : PGS_STAGE_BIT(EXPAND));
}

static uint32_t stages_of_raster(const struct pgs_emulated_pipeline *pipeline,
                                 enum pgs_raster_path raster)
{
    switch (raster) {
    case PGS_RASTER_STORED:
    case PGS_RASTER_STORED_OR_INLINE:
    case PGS_RASTER_POLYGONS:
        return PGS_STAGE_BIT(SCAN_TILES) | stages_of_lists(pipeline);
    case PGS_RASTER_NONE:
    case PGS_RASTER_NATIVE:
    case PGS_RASTER_INSTANCED:
    case PGS_RASTER_SIFTED:
    case PGS_RASTER_PICKED:
    case PGS_RASTER_TES_STORED:
    case PGS_RASTER_TES_STORED_OR_INLINE:
    case PGS_RASTER_INLINE_GS:
    case PGS_RASTER_INLINE_TES:
    case PGS_RASTER_INLINE_TES_GS:
        break;
    }
    return 0;
}

static uint32_t stages_of_xfb(enum pgs_xfb_path xfb)
{
    switch (xfb) {
    case PGS_XFB_COPY:
        return PGS_STAGE_BIT(XFB_COPY);
    case PGS_XFB_COPY_OR_CHUNKS:
        return PGS_STAGE_BIT(XFB_COPY) | PGS_STAGE_BIT(CHUNKS_CAPTURE);
    case PGS_XFB_VS:
    case PGS_XFB_GS:
    case PGS_XFB_GS_NO_MEMORY:
        return PGS_STAGE_BIT(XFB_SHADER);
    case PGS_XFB_NONE:
        break;
    }
    return 0;
}

/* `chunks`: the no-memory variant of an indirect draw counts as well. */
static uint32_t stages_of_count(enum pgs_count_path count, bool chunks)
{
    const uint32_t emits = PGS_STAGE_BIT(XFB_TILES) | PGS_STAGE_BIT(XFB_SCAN);
    switch (count) {
    case PGS_COUNT_EMITS:
        return PGS_STAGE_BIT(XFB_PROGRAM) | emits | (chunks ? PGS_STAGE_BIT(CHUNKS_COUNT) : 0);
    case PGS_COUNT_INPUT:
    case PGS_COUNT_TESSELLATOR:
    case PGS_COUNT_STATIC:
        return PGS_STAGE_BIT(XFB_PROGRAM);
    case PGS_COUNT_NONE:
        break;
    }
    return 0;
}

/* All shaders except the one that only captures. */
static uint32_t stages_of_shaders(const struct pgs_emulated_pipeline *pipeline,
                                  const struct pgs_draw_plan *plan, bool geometry)
{
    const bool tessellated = pipeline->tessellated;
    const bool evaluation = geometry || (tessellated && !pipeline->native_raster &&
                                         !pgs_raster_evaluates(plan->raster));
    const bool vertex = tessellated ? !pipeline->native_raster || plan->count != PGS_COUNT_NONE
                                    : geometry || plan->xfb == PGS_XFB_GS;
    uint32_t stages = tessellated ? PGS_STAGES_TESSELLATION : 0;
    if (vertex && !pgs_pipeline_has(pipeline, PGS_VARIANT_FUSED))
        stages |= PGS_STAGE_BIT(VERTEX);
    if (tessellated && evaluation)
        stages |= PGS_STAGE_BIT(TESSELLATE) | PGS_STAGE_BIT(EVALUATION);
    return geometry ? stages | PGS_STAGE_BIT(GEOMETRY) : stages;
}

/* True if only the GPU knows how much memory some stage of the draw takes. */
static bool takes_from_pool(const struct pgs_draw_plan *plan)
{
    return (plan->stages & PGS_STAGE_BIT(EVALUATION)) ||
           (plan->sizing == PGS_SIZE_GPU && plan->stages & (PGS_STAGES_STORE | PGS_STAGES_RESTART));
}

/* True if a kernel looks stored vertices up, and begins to count them anew. */
static bool lists_indices(const struct pgs_draw_plan *plan)
{
    return plan->stages & PGS_STAGES_EXPAND;
}

/* Derives the rest of the plan from raster path and sizing. */
static void choose_rest(const struct pgs_emulated_pipeline *pipeline, const struct demand *demand,
                        bool restart, struct pgs_draw_plan *plan)
{
    const bool geometry = runs_geometry(pipeline, demand, plan->raster);
    plan->xfb = xfb_path(pipeline, demand, geometry);
    plan->count = count_path(pipeline, demand, geometry);
    const bool no_memory = demand->may_run_out && pgs_pipeline_has(pipeline, PGS_VARIANT_NO_MEMORY);
    plan->stages = stages_of_sizing(plan->sizing) | (restart ? PGS_STAGES_RESTART : 0) |
                   stages_of_raster(pipeline, plan->raster) | stages_of_xfb(plan->xfb) |
                   stages_of_count(plan->count, no_memory) |
                   stages_of_shaders(pipeline, plan, geometry);
    plan->packed = pipeline->packs && lists_indices(plan);
    if (takes_from_pool(plan))
        plan->stages |= PGS_STAGE_BIT(POOL_CLOSE);
}

/* True if strips outside of the clip volume need not be listed: nobody captures them, and neither
 * the layer nor a query of the driver counts them. With pgs_plan_lists_primitives, too, counts of
 * primitives are those of what is listed. */
static bool may_cull(const struct pgs_emulated_pipeline *pipeline,
                     const struct pgs_graphics_state *state, const struct pgs_draw_plan *plan)
{
    return pipeline->cull_planes && lists_indices(plan) && plan->count == PGS_COUNT_NONE &&
           !state->driver_queries;
}

static uint32_t raster_variants(const struct pgs_emulated_pipeline *pipeline,
                                const struct pgs_graphics_state *state,
                                const struct pgs_draw_plan *plan)
{
    const uint32_t in_line = PGS_VARIANT_BIT(plan->in_line);
    const uint32_t stored =
        PGS_VARIANT_BIT(pgs_stored_variant(pipeline, pgs_raster_stream(pipeline, state)));
    switch (plan->raster) {
    case PGS_RASTER_STORED:
    case PGS_RASTER_TES_STORED:
    case PGS_RASTER_POLYGONS:
        return stored;
    case PGS_RASTER_INLINE_GS:
    case PGS_RASTER_INLINE_TES:
    case PGS_RASTER_INLINE_TES_GS:
        return in_line;
    case PGS_RASTER_STORED_OR_INLINE:
    case PGS_RASTER_TES_STORED_OR_INLINE:
        return stored | in_line;
    case PGS_RASTER_INSTANCED:
    case PGS_RASTER_SIFTED:
        return PGS_VARIANT_BIT(PGS_VARIANT_INSTANCED);
    case PGS_RASTER_PICKED:
        return PGS_VARIANT_BIT(PGS_VARIANT_PICKED);
    case PGS_RASTER_NONE:
    case PGS_RASTER_NATIVE:
        break;
    }
    return 0;
}

static uint32_t xfb_variants(enum pgs_xfb_path xfb)
{
    switch (xfb) {
    case PGS_XFB_VS:
        return PGS_VARIANT_BIT(PGS_VARIANT_VERTEX);
    case PGS_XFB_GS:
        return PGS_VARIANT_BIT(PGS_VARIANT_XFB);
    case PGS_XFB_GS_NO_MEMORY:
    case PGS_XFB_COPY_OR_CHUNKS:
        return PGS_VARIANT_BIT(PGS_VARIANT_NO_MEMORY);
    case PGS_XFB_NONE:
    case PGS_XFB_COPY:
        break;
    }
    return 0;
}

static uint32_t variants_of(const struct pgs_emulated_pipeline *pipeline,
                            const struct pgs_graphics_state *state,
                            const struct pgs_draw_plan *plan)
{
    uint32_t variants = raster_variants(pipeline, state, plan) | xfb_variants(plan->xfb);
    if (pgs_plan_runs(plan, PGS_STAGE_VERTEX) && !plan->fuses_control)
        variants |= PGS_VARIANT_BIT(PGS_VARIANT_VERTEX);
    if (pgs_plan_runs(plan, PGS_STAGE_CONTROL))
        variants |= PGS_VARIANT_BIT(pgs_plan_control_variant(plan));
    if (pgs_plan_runs(plan, PGS_STAGE_EVALUATION))
        variants |= PGS_VARIANT_BIT(PGS_VARIANT_EVALUATION);
    if (pgs_plan_runs(plan, PGS_STAGE_GEOMETRY))
        variants |= PGS_VARIANT_BIT(pgs_plan_geometry_variant(pipeline, plan));
    if (pgs_plan_runs(plan, PGS_STAGE_CHUNKS_COUNT))
        variants |= PGS_VARIANT_BIT(PGS_VARIANT_NO_MEMORY);
    return variants;
}

/* True if the topology matches what the shaders read. Topologies of native draws are the driver's
 * business. */
static bool fits_shader(const struct pgs_emulated_pipeline *pipeline, VkPrimitiveTopology topology)
{
    if (pipeline->tessellated)
        return topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    if (pipeline->native_raster && !pgs_pipeline_has_geometry(pipeline))
        return pgs_input_vertices(topology) > 0;
    return (pipeline->pass_through ? pgs_main_vertices(topology) : pgs_input_vertices(topology)) ==
           pipeline->gs.input_vertices;
}

static uint32_t invocations_of(const struct pgs_emulated_pipeline *pipeline)
{
    return pipeline->native_raster && !pgs_pipeline_has_geometry(pipeline)
               ? 1
               : pipeline->gs.invocations;
}

/* Limit for all instances together. */
static uint32_t most_primitives(const struct pgs_emulated_pipeline *pipeline)
{
    return pipeline->tessellated ? PGS_MAX_PATCHES : PGS_MAX_INVOCATIONS / invocations_of(pipeline);
}

/* The room in the buffers will bound the invocations, so only the kernels of restart limit the
 * draw. */
static bool measure_vertex_capture(const struct pgs_draw_call *call, struct pgs_draw_plan *plan)
{
    const uint32_t vertices_per_primitive = pgs_main_vertices(plan->topology);
    const uint64_t primitives = (uint64_t)call->instance_count * plan->primitives;
    const bool many = primitives > PGS_MAX_INVOCATIONS / vertices_per_primitive;
    plan->xfb_invocations =
        many ? PGS_MAX_INVOCATIONS : (uint32_t)primitives * vertices_per_primitive;
    return !pgs_plan_runs(plan, PGS_STAGE_RESTART_EMIT) || call->count <= PGS_MAX_INVOCATIONS;
}

static void measure_indirect(const struct pgs_draw_call *call, struct pgs_draw_plan *plan)
{
    plan->xfb_invocations = pgs_plan_runs(plan, PGS_STAGE_XFB_SHADER) ? PGS_MAX_INVOCATIONS : 0;
    plan->primitives = 0;
    plan->subdraw_count = call->max_draws;
}

/* False: the draw is too large. */
static bool measure(const struct pgs_emulated_pipeline *pipeline, const struct pgs_draw_call *call,
                    struct pgs_draw_plan *plan)
{
    plan->subdraw_count = 1;
    if (plan->sizing == PGS_SIZE_GPU) {
        measure_indirect(call, plan);
        return true;
    }
    if (plan->xfb == PGS_XFB_VS)
        return measure_vertex_capture(call, plan);
    const uint32_t invocations = invocations_of(pipeline);
    const uint64_t vertices = (uint64_t)call->instance_count * call->count;
    const uint64_t primitives = (uint64_t)call->instance_count * plan->primitives;
    if (vertices > PGS_MAX_INVOCATIONS || primitives > most_primitives(pipeline))
        return false;
    plan->vertices = (uint32_t)vertices;
    if (pipeline->tessellated) {
        plan->patches = (uint32_t)primitives;
        return true;
    }
    plan->gs_invocations = (uint32_t)primitives * invocations;
    if (call->part_count)
        pgs_plan_part(plan, call->count, invocations, call->part_first, call->part_count);
    plan->xfb_invocations = pgs_plan_runs(plan, PGS_STAGE_XFB_SHADER) ? plan->gs_invocations : 0;
    return true;
}

/* GS invocations whose vertices one index range may span. */
static uint32_t most_in_range(const struct pgs_emulated_pipeline *pipeline,
                              const struct pgs_plan_rules *rules)
{
    const struct pgs_spv_geometry_info *gs = &pipeline->gs;
    const uint64_t each_B = (uint64_t)gs->max_vertices * gs->out_stride_w * 4;
    const uint32_t most = PGS_MAX_OUT_VERTICES / gs->max_vertices;
    const uint64_t fitting = rules->index_range_B && each_B ? rules->index_range_B / each_B : most;
    return fitting >= most ? most : fitting ? (uint32_t)fitting : 1;
}

/* Splits the draw into subdraws; the first is the largest. Small ones need no kernels for many
 * tiles. */
static void split(struct pgs_draw_plan *plan)
{
    const bool geometry = pgs_plan_runs(plan, PGS_STAGE_GEOMETRY);
    if (pgs_gs_invocations_unknown(plan))
        return;
    plan->subdraw_gs_invocations = geometry ? plan->most_gs_invocations : plan->gs_invocations;
    if (plan->subdraw_gs_invocations > plan->gs_invocations)
        plan->subdraw_gs_invocations = plan->gs_invocations;
    if (plan->gs_invocations)
        plan->subdraw_count = plan->gs_invocations / plan->subdraw_gs_invocations +
                              (plan->gs_invocations % plan->subdraw_gs_invocations != 0);
    if (pgs_tiles(plan->subdraw_gs_invocations) <= plan->summed_tiles)
        plan->stages &= ~PGS_STAGES_COUNT_TILES;
    if (!pgs_needs_count_tiles(plan->subdraw_gs_invocations))
        plan->stages &= ~PGS_STAGE_BIT(XFB_TILES);
    if (!pgs_needs_scan_tiles(plan->subdraw_gs_invocations))
        plan->stages &= ~PGS_STAGE_BIT(SCAN_TILES);
}

uint32_t pgs_draw_count_limit(const struct pgs_emulated_pipeline *pipeline, uint32_t instance_count)
{
    /* No topology has more primitives than vertices. */
    const uint32_t instances = instance_count ? instance_count : 1;
    return most_primitives(pipeline) / instances;
}

static enum pgs_sizing sizing_of(const struct pgs_graphics_state *state,
                                 const struct pgs_draw_call *call)
{
    if (call->indirect)
        return PGS_SIZE_GPU;
    const bool patched = call->byte_count || state->condition.buffer || state->inherited_condition;
    return patched ? PGS_SIZE_SETUP : PGS_SIZE_CPU;
}

/* Only where an indirect call may have several draws does a vertex search for its record, or where
 * that would double the variants for each stream, or has an index list otherwise, which cannot be
 * as long as what only the GPU knows. */
static enum pgs_variant inline_variant(const struct pgs_emulated_pipeline *pipeline,
                                       const struct pgs_draw_call *call, enum pgs_sizing sizing,
                                       uint32_t stream)
{
    /* One draw, too, could have too many vertices (pgs_inline_lists_invocations). */
    const bool searches = call->indirect && (call->max_draws > 1 || !pipeline->gs.pattern.is_known);
    const bool as_call = pipeline->tessellated
                             ? pipeline->patch.by_patch /* until pgs_plan_by_patch */
                             : searches || (sizing == PGS_SIZE_GPU && pipeline->indexed_el);
    if ((pipeline->dynamic & PGS_DYNAMIC_STREAM) && pgs_inline_runs_geometry(pipeline))
        return pgs_inline_variant_of(stream % PGS_MAX_STREAMS);
    return as_call ? PGS_VARIANT_INLINE_CALL : PGS_VARIANT_INLINE;
}

/* True if the driver has nothing to draw or count. One call may stand for many indirect draws, so
 * those always go down. */
static bool does_nothing(const struct pgs_emulated_pipeline *pipeline,
                         const struct pgs_graphics_state *state, const struct pgs_draw_plan *plan)
{
    return pgs_plan_runs(plan, PGS_STAGE_XFB_SHADER) && plan->sizing != PGS_SIZE_GPU &&
           discards(pipeline, state) && !state->queries.statistics && !state->driver_queries;
}

/* True if somebody wants a result of the draw and the draw can give it. */
static bool has_work(const struct pgs_emulated_pipeline *pipeline, const struct pgs_draw_call *call,
                     const struct pgs_draw_plan *plan)
{
    const bool any = call->indirect ? call->max_draws : plan->primitives && call->instance_count;
    return any && !pgs_pipeline_is_uncounted(pipeline) && fits_shader(pipeline, plan->topology) &&
           ((plan->stages & PGS_STAGES_SHADERS) || plan->count != PGS_COUNT_NONE);
}

/* Invariants of every plan. */
static void assert_plan(const struct pgs_draw_plan *plan)
{
    const uint32_t stages = plan->stages;
    const bool pool = stages & PGS_STAGE_BIT(POOL_CLOSE);
    (void)stages, (void)pool;
    assert(plan->subdraw_count);
    assert(!(stages & PGS_STAGE_BIT(SETUP)) == (plan->sizing != PGS_SIZE_SETUP));
    assert(!(stages & PGS_STAGES_INDIRECT) == (plan->sizing != PGS_SIZE_GPU));
    assert(!(stages & PGS_STAGE_BIT(XFB_PROGRAM)) == (plan->count == PGS_COUNT_NONE));
    assert(plan->xfb == PGS_XFB_NONE || plan->count != PGS_COUNT_NONE);
    assert(plan->count != PGS_COUNT_EMITS || (stages & PGS_STAGE_BIT(GEOMETRY)));
    assert(!(stages & PGS_STAGE_BIT(EVALUATION)) ||
           ((stages & (PGS_STAGE_BIT(TESS_ALLOT) | PGS_STAGE_BIT(TESS_ROUND))) && pool));
    assert(!(stages & PGS_STAGE_BIT(TESS_COUNT)) || (stages & PGS_STAGE_BIT(VERTEX)));
    assert(!(stages & PGS_STAGE_BIT(TESS_ALLOT)) || (stages & PGS_STAGE_BIT(TESS_COUNT)));
    assert(!(stages & PGS_STAGES_EXPAND) || (stages & PGS_STAGE_BIT(GEOMETRY)));
    assert(!(stages & PGS_STAGE_BIT(CHUNKS_CAPTURE)) || (stages & PGS_STAGE_BIT(CHUNKS_COUNT)));
    assert(!pgs_raster_chooses(plan->raster) || pgs_gs_invocations_unknown(plan));
    assert(plan->raster != PGS_RASTER_INLINE_GS || !(stages & PGS_STAGE_BIT(GEOMETRY)));
    assert(plan->raster != PGS_RASTER_INLINE_TES_GS || pgs_plan_counts_patches_alone(plan));
    assert(plan->raster != PGS_RASTER_NATIVE || !(stages & PGS_STAGES_EXPAND));
    assert(plan->why == PGS_WHY_CHEAPEST || pgs_raster_reads_stored(plan->raster));
}

/* True if the draw takes more memory than there is for one whose size the CPU knows. */
static bool exceeds(const struct pgs_emulated_pipeline *pipeline, const struct pgs_draw_call *call,
                    const struct pgs_draw_plan *plan)
{
    return plan->most_stored_B && plan->raster == PGS_RASTER_STORED &&
           plan->sizing == PGS_SIZE_CPU &&
           pgs_scratch_B(pipeline, plan, call->count) > plan->most_stored_B;
}

/* Without memory for its vertices the draw wishes to be inline. */
static struct pgs_plan_rules rules_for(const struct pgs_emulated_pipeline *pipeline,
                                       const struct pgs_draw_call *call,
                                       const struct pgs_plan_rules *rules,
                                       const struct pgs_draw_plan *plan)
{
    struct pgs_plan_rules here = *rules;
    if (rules->wish != PGS_PLAN_COMPUTE && exceeds(pipeline, call, plan))
        here.wish = PGS_PLAN_VERTEX;
    return here;
}

/* Plans a draw that is the driver's: nothing else is dispatched, whoever knows its arguments. */
static bool plan_instanced(const struct pgs_emulated_pipeline *pipeline,
                           const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                           const struct pgs_plan_rules *rules, bool restart,
                           struct pgs_draw_plan *plan)
{
    plan->raster = PGS_RASTER_INSTANCED;
    plan->sizing = PGS_SIZE_CPU;
    plan->subdraw_count = 1;
    plan->stages = 0;
    if (!restart && !state->driver_queries)
        pgs_plan_sift(pipeline, call, rules, plan);
    plan->variants = variants_of(pipeline, state, plan);
    return call->indirect || (plan->primitives && call->instance_count);
}

/* How stored vertices are listed, and which are not. */
static void choose_lists(const struct pgs_emulated_pipeline *pipeline,
                         const struct pgs_graphics_state *state, const struct pgs_plan_rules *rules,
                         bool restart, struct pgs_draw_plan *plan)
{
    const bool may = may_cull(pipeline, state, plan);
    plan->culls = may && rules->culls_all;
    plan->in_order = !may && rules->draws_in_order && pgs_plan_is_in_order(pipeline, plan);
    plan->direct_indices = restart ? 0 : pgs_plan_direct_indices(pipeline, rules, plan);
    plan->in_order = plan->in_order && plan->direct_indices;
    plan->culls = may && !plan->direct_indices;
    const bool may_list = pgs_plan_may_list(pipeline, state, plan);
    plan->self_listed = may_list && pgs_listing_is_made(pipeline);
    plan->awaits_listing = may_list && !plan->self_listed;
    pgs_plan_place(pipeline, state, plan);
}

/* Plans the draw with its arguments known to `sizing`. */
static bool plan_for(const struct pgs_emulated_pipeline *pipeline,
                     const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                     const struct pgs_plan_rules *rules, enum pgs_sizing sizing,
                     struct pgs_draw_plan *plan, bool *too_large)
{
    const uint32_t stream = pgs_raster_stream(pipeline, state);
    const bool parts_patches = pipeline->tessellated && sizing != PGS_SIZE_GPU;
    const enum pgs_variant shader = inline_variant(pipeline, call, sizing, stream);
    struct pgs_draw_plan p = {
        .raster = usual_raster(pipeline, state),
        .sizing = sizing,
        .in_line = shader,
        .inline_vertices = stream < PGS_MAX_STREAMS
                               ? pgs_inline_vertices_per_gs_invocation(pipeline, shader, stream)
                               : 0,
        .most_stored_B = rules->most_stored_B,
        .spread_from = rules->spread_from,
        .slice_vertices = rules->slice_vertices,
        .summed_tiles =
            rules->summed_tiles > PGS_COUNT_TILES_FREE ? rules->summed_tiles : PGS_COUNT_TILES_FREE,
        .is_part = call->part_count != 0,
        .patch_first = parts_patches ? call->part_first : 0,
        .patch_count = parts_patches ? call->part_count : 0,
        .topology =
            (pipeline->dynamic & PGS_DYNAMIC_TOPOLOGY) ? state->topology : pipeline->topology,
    };
    const bool restart =
        call->indexed && ((pipeline->dynamic & PGS_DYNAMIC_RESTART) ? state->primitive_restart
                                                                    : pipeline->primitive_restart);
    struct demand demand = demand_of(pipeline, state, sizing == PGS_SIZE_GPU, p.raster);
    const bool round = sizing == PGS_SIZE_GPU && p.is_part;
    if (round) /* what each one emits is counted, and what finds no memory is left to the next */
        demand.static_emits = demand.may_run_out = false;
    p.primitives = pgs_draw_primitives(pipeline, state, p.topology, call->count);
    *too_large = false;
    p.uninstanced = pgs_plan_uninstanced(pipeline, state, call, demand.count, rules);
    if (p.raster == PGS_RASTER_STORED && p.uninstanced == PGS_UNINSTANCED_NO) {
        *plan = p;
        return plan_instanced(pipeline, state, call, rules, restart, plan);
    }
    if (p.raster == PGS_RASTER_STORED && fits_shader(pipeline, p.topology) &&
        pgs_plan_pick(pipeline, state, call, demand.count, restart, rules, &p)) {
        p.variants = variants_of(pipeline, state, &p);
        *plan = p;
        return true;
    }
    choose_rest(pipeline, &demand, restart, &p);
    if (!has_work(pipeline, call, &p))
        return false;
    *too_large = !measure(pipeline, call, &p);
    if (*too_large)
        return false;
    if (pgs_raster_reads_stored(p.raster) && (!call->part_count || pipeline->tessellated)) {
        const struct pgs_plan_rules rules_here = rules_for(pipeline, call, rules, &p);
        pgs_plan_inline(pipeline, state, call, &rules_here, &p);
    }
    if (pipeline->tessellated && !(round && pgs_plan_stores_only(&p)))
        demand.may_run_out |= pgs_plan_patches_may_run_out(pipeline, rules, &p);
    choose_rest(pipeline, &demand, restart, &p);
    if (pgs_plan_counts_patches_alone(&p))
        p.stages &= ~PGS_STAGE_BIT(TESS_ALLOT);
    pgs_plan_by_patch(pipeline, &p);
    if (pgs_plan_runs(&p, PGS_STAGE_GEOMETRY))
        p.most_gs_invocations = most_in_range(pipeline, rules);
    p.fetches = pipeline->fetches && pgs_raster_reads_stored(p.raster);
    split(&p);
    choose_lists(pipeline, state, rules, restart, &p);
    const bool in_line = p.raster == PGS_RASTER_INLINE_GS && !call->byte_count;
    if (in_line && p.stages == PGS_STAGE_BIT(INDIRECT))
        p.stages = PGS_STAGE_BIT(INDIRECT_INLINE);
    if (round)
        p.stages = pgs_plan_round_stages(pipeline, &p);
    p.serial = rules->serial && pgs_plan_is_short(&p);
    if (p.raster == PGS_RASTER_NATIVE && does_nothing(pipeline, state, &p))
        p.raster = PGS_RASTER_NONE;
    p.fuses_control = pgs_plan_fuses_control(pipeline, &p);
    p.variants = variants_of(pipeline, state, &p);
    assert_plan(&p);
    *plan = p;
    return true;
}

/* True if the draw comes out right even if its pool has no memory for it. */
static bool needs_no_pool(const struct pgs_emulated_pipeline *pipeline,
                          const struct pgs_draw_plan *plan)
{
    const bool counts =
        plan->count != PGS_COUNT_EMITS || pgs_plan_runs(plan, PGS_STAGE_CHUNKS_COUNT);
    const bool patches = pipeline->tessellated && plan->sizing == PGS_SIZE_GPU;
    switch (plan->raster) {
    case PGS_RASTER_STORED:
    case PGS_RASTER_TES_STORED:
    case PGS_RASTER_POLYGONS:
        return false;
    case PGS_RASTER_NONE:
    case PGS_RASTER_NATIVE:
    case PGS_RASTER_INSTANCED:
    case PGS_RASTER_SIFTED:
    case PGS_RASTER_PICKED:
    case PGS_RASTER_INLINE_GS:
    case PGS_RASTER_INLINE_TES:
    case PGS_RASTER_INLINE_TES_GS:
    case PGS_RASTER_STORED_OR_INLINE:
    case PGS_RASTER_TES_STORED_OR_INLINE:
        break;
    }
    return !patches && !pipeline->has_effects && counts;
}

/* A draw by byte count takes memory for all vertices that it could have, which may be far more than
 * it turns out to have. If that is too much, it is planned like an indirect draw, for which the GPU
 * takes what it needs. If it would be lost where its pool runs out, it is planned so only if it
 * could need more than any pool holds. */
static void plan_large_byte_count(const struct pgs_emulated_pipeline *pipeline,
                                  const struct pgs_graphics_state *state,
                                  const struct pgs_draw_call *call,
                                  const struct pgs_plan_rules *rules, struct pgs_draw_plan *plan)
{
    struct pgs_draw_call unknown = *call;
    struct pgs_draw_plan other;
    bool too_large;
    const uint64_t size_B = pgs_scratch_B(pipeline, plan, call->count);
    if (!(plan->stages & PGS_STAGES_STORE) || size_B <= rules->byte_count_B)
        return;
    unknown.max_draws = 1;
    if (plan_for(pipeline, state, &unknown, rules, PGS_SIZE_GPU, &other, &too_large) &&
        (needs_no_pool(pipeline, &other) || size_B > rules->vital_B))
        *plan = other;
}

bool pgs_draw_plan(const struct pgs_emulated_pipeline *pipeline,
                   const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                   const struct pgs_plan_rules *rules, struct pgs_draw_plan *plan, bool *too_large)
{
    const enum pgs_sizing sizing = sizing_of(state, call);
    *too_large = false;
    *plan = (struct pgs_draw_plan){
        .raster = !pipeline || pipeline->native_raster ? PGS_RASTER_NATIVE : PGS_RASTER_NONE,
        .sizing = sizing,
        .stages = stages_of_sizing(sizing),
        .serial = rules->serial,
    };
    if (!pipeline || !plan_for(pipeline, state, call, rules, sizing, plan, too_large))
        return false;
    if (call->byte_count)
        plan_large_byte_count(pipeline, state, call, rules, plan);
    plan->vital_pool = pgs_plan_runs(plan, PGS_STAGE_POOL_CLOSE) && !needs_no_pool(pipeline, plan);
    plan->vital_lists = !plan->vital_pool && plan->sizing == PGS_SIZE_GPU &&
                        pgs_plan_runs(plan, PGS_STAGE_RESTART_EMIT);
    return true;
}

bool pgs_draw_plan_sized(const struct pgs_emulated_pipeline *pipeline,
                         const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                         struct pgs_draw_plan *plan)
{
    plan->sizing = PGS_SIZE_CPU;
    plan->primitives = pgs_draw_primitives(pipeline, state, plan->topology, call->count);
    return measure(pipeline, call, plan);
}

bool pgs_draw_plan_like(const struct pgs_emulated_pipeline *pipeline,
                        const struct pgs_graphics_state *state, const struct pgs_draw_call *call,
                        const struct pgs_draw_plan *like, uint64_t most_stored_B,
                        struct pgs_draw_plan *plan)
{
    *plan = *like;
    plan->most_stored_B = most_stored_B;
    plan->primitives = pgs_draw_primitives(pipeline, state, like->topology, call->count);
    plan->stages |= stages_of_raster(pipeline, like->raster); /* which small draws have lost */
    if (like->why == PGS_WHY_TOO_MANY || !plan->primitives || !call->instance_count ||
        !measure(pipeline, call, plan))
        return false;
    if (like->pick_from && plan->primitives >= like->pick_from) /* it may be picked */
        return false;
    if (pgs_raster_runs_geometry(like->raster) &&
        (pgs_plan_inlines_too_many(plan) ||
         (pgs_plan_is_small(pipeline, state, like) && !pgs_plan_is_small(pipeline, state, plan))))
        return false;
    if (pgs_plan_runs(plan, PGS_STAGE_TESS_COUNT) && !pgs_plan_runs(plan, PGS_STAGE_TESS_ALLOT) &&
        !pgs_plan_counts_patches_alone(plan))
        return false;
    if (like->limited_el)
        pgs_plan_note_limited(plan);
    split(plan);
    const bool may_list = pgs_plan_may_list(pipeline, state, plan);
    pgs_plan_place(pipeline, state, plan);
    plan->awaits_listing = may_list && !like->self_listed;
    if (like->self_listed && !may_list) /* another shader */
        return false;
    if (like->fuses_control != pgs_plan_fuses_control(pipeline, plan)) /* likewise */
        return false;
    assert_plan(plan);
    return plan->subdraw_count == 1 && !exceeds(pipeline, call, plan);
}

uint32_t pgs_subdraw_gs_invocations(const struct pgs_draw_plan *plan, uint32_t subdraw)
{
    const uint32_t rest = plan->gs_invocations - subdraw * plan->subdraw_gs_invocations;
    return rest < plan->subdraw_gs_invocations ? rest : plan->subdraw_gs_invocations;
}
