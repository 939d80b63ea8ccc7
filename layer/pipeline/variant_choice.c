/* SPDX-License-Identifier: MIT */
#include "pipeline/variant_choice.h"

#include "base/log.h"
#include "pipeline/bind_sets.h"
#include "pipeline/create_state.h"
#include "pipeline/culling.h"
#include "pipeline/device.h"
#include "pipeline/indexed_strips.h"
#include "pipeline/inline_list.h"
#include "pipeline/instancing.h"
#include "pipeline/joined_strips.h"
#include "pipeline/kernel.h"
#include "pipeline/layout.h"
#include "pipeline/polygons.h"
#include "pipeline/raster_info.h"
#include "pipeline/record_inputs.h"
#include "poly_gs/coverage.h"
#include "poly_gs/tessellation.h"

/* Vertices of a GS invocation in joined strips, where each runs what it needs of a loop. With 64 of
 * which half are emitted an H200 takes 200, 1000 and 10000 invocations 0.61, 0.89 and 0.95 of the
 * time that stored ones do. Where the whole loop runs for each, 1000 and 10000 take 1.4 and 1.6
 * times as long. */
#define MOST_JOINED 66

#define BIT(variant) PGS_VARIANT_BIT(PGS_VARIANT_##variant)

/* -- vertex and geometry shader in one -- */

/* How often a vertex is shaded at most. The topology stands for its class. */
static uint32_t vertex_runs(const struct pgs_emulated_pipeline *p)
{
    switch ((int)p->topology) {
    case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY:
        return p->gs.invocations;
    default:
        return p->gs.invocations * p->gs.input_vertices;
    }
}

static uint32_t cost(const struct pgs_pipeline_source *source, enum pgs_cost which)
{
    return source->dev->physical->traits.costs.of[which];
}

static bool is_worth_fusing(const struct pgs_pipeline_source *source)
{
    const uint32_t runs = vertex_runs(source->pipeline);
    return runs == 1 || (source->vertex_info.steps <= cost(source, PGS_COST_FUSE_STEPS) &&
                         runs <= cost(source, PGS_COST_FUSE_RUNS));
}

/* True if one stage of the driver may have the descriptors of all shaders of the group. */
static bool may_see(const struct pgs_pipeline_source *source, enum pgs_stage_group wanted)
{
    const struct pgs_layout *layout = source->pipeline->layout;
    const enum pgs_stage_group group = pgs_layout_group(layout, wanted);
    return group == PGS_GROUP_ALL || pgs_layout_group_fits(source->dev, layout, group);
}

/* Of the geometry shader and the shader in front of it. */
static bool may_see_both(const struct pgs_pipeline_source *source)
{
    return may_see(source, source->pipeline->tessellated ? PGS_GROUP_EVALUATION_GEOMETRY
                                                         : PGS_GROUP_VERTEX_GEOMETRY);
}

/* A compiler that sees both shaders may assume that two variables on one buffer do not alias, and
 * let the vertex shader load what the geometry shader stores later. So shaders with effects stay
 * apart. */
static bool may_fuse(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    const enum pgs_fuse wish = source->dev->physical->instance->settings.fuse;
    return !p->tessellated && wish != PGS_FUSE_NEVER && !p->has_effects && may_see_both(source) &&
           (wish == PGS_FUSE_ALWAYS || is_worth_fusing(source));
}

/* What the vertex shader takes in a control shader. A lone invocation shades one vertex after the
 * other: for 5000 patches of 32, 16, 8 and 4 vertices of which one came out, with up to 250 steps
 * each, lavapipe took 1.23, 1.15, 1.12 and 1.06 of the time, but 0.86 for 32 of which three did. A
 * dynamic number of vertices is not known. */
static uint64_t steps_in_control(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    const bool in_turn =
        p->patch.vertex_count == 1 && !(p->dynamic & PGS_DYNAMIC_PATCH_CONTROL_POINTS);
    return (uint64_t)source->vertex_info.steps * (in_turn ? p->patch_control_points : 1);
}

/* As may_fuse, of vertex and control shader. No vertex is shaded more often, since no position of a
 * draw is in two patches. */
static bool may_fuse_control(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    const enum pgs_fuse wish = source->dev->physical->instance->settings.fuse;
    const uint32_t most = cost(source, PGS_COST_FUSE_CONTROL_STEPS);
    return p->tessellated && wish != PGS_FUSE_NEVER && !p->vertex_has_effects &&
           source->control_info && !source->control_info->has_side_effects &&
           may_see(source, PGS_GROUP_VERTEX_CONTROL) &&
           (wish == PGS_FUSE_ALWAYS || steps_in_control(source) <= most);
}

/* Where nothing is made ahead, a small draw would have to wait for what large ones do not need. */
static bool makes_both(const struct pgs_pipeline_source *source)
{
    const struct pgs_physical_device *physical = source->dev->physical;
    return pgs_compile_threads(physical) || physical->instance->settings.compile == PGS_COMPILE_ALL;
}

/* The variants that make patches. Sets fused_patches, by which patch_shaders chooses of them. */
static uint32_t all_patch_shaders(const struct pgs_pipeline_source *source)
{
    struct pgs_emulated_pipeline *p = source->pipeline;
    const bool always = source->dev->physical->instance->settings.fuse == PGS_FUSE_ALWAYS;
    const uint32_t most = always ? PGS_COST_MOST : cost(source, PGS_COST_FUSE_PATCHES);
    /* Of draws of the driver's only those that are captured or counted run either. */
    const bool few = makes_both(source) && !p->native_raster;
    p->fused_patches = may_fuse_control(source) && (few || most == PGS_COST_MOST) ? most : 0;
    if (p->fused_patches == PGS_COST_MOST)
        return BIT(FUSED_CONTROL);
    return (p->fused_patches ? BIT(FUSED_CONTROL) : 0) | BIT(VERTEX) | BIT(CONTROL);
}

static uint32_t patch_shaders(const struct pgs_emulated_pipeline *p, bool small)
{
    const bool fuses = pgs_pipeline_has(p, PGS_VARIANT_FUSED_CONTROL) &&
                       (small || p->fused_patches == PGS_COST_MOST);
    return fuses ? BIT(FUSED_CONTROL) : BIT(VERTEX) | BIT(CONTROL);
}

/* -- transform feedback -- */

static bool captures(const struct pgs_emulated_pipeline *p)
{
    return p->gs.xfb.enabled && p->gs.xfb.copy_count;
}

/* With static emits nothing must be counted first, so invocations can write captures directly. */
static bool captures_directly(const struct pgs_emulated_pipeline *p)
{
    return p->gs.pattern.is_known && captures(p) && !p->tessellated;
}

/* True if a shader must not run again behind the stages that store patches. */
static bool evaluates_once(const struct pgs_pipeline_source *source)
{
    return source->pipeline->gs.has_side_effects || source->evaluation_has_effects;
}

/* An indirect or tessellated draw may find no memory, and still must capture and count. */
static bool needs_no_memory(const struct pgs_pipeline_source *source, bool fused)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    if (p->tessellated)
        return !evaluates_once(source) && may_see_both(source);
    if (p->has_effects || !may_see_both(source))
        return false;
    return p->gs.pattern.is_known ? captures(p) && !fused : true;
}

/* -- inline -- */

/* The shaders may run repeatedly, and no other raster variant is needed. */
static bool may_inline(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    const struct pgs_layout *layout = p->layout;
    if (source->dev->physical->instance->settings.plan == PGS_PLAN_COMPUTE ||
        p->polygons != PGS_SPV_POLYGONS_FILLED ||
        (p->rasterizer_discard && !(p->dynamic & PGS_DYNAMIC_DISCARD)))
        return false;
    if (pgs_layout_needs_raster_group(layout) &&
        !pgs_layout_group_fits(source->dev, layout, PGS_GROUP_RASTER))
        return false;
    if (!pgs_inline_runs_geometry(p))
        return !p->by_layer && !source->evaluation_has_effects;
    return !(p->tessellated ? evaluates_once(source) : p->has_effects) &&
           ((p->dynamic & PGS_DYNAMIC_STREAM) || (p->gs.stream_mask >> p->raster_stream & 1));
}

/* Those of a pipeline that may be inline. */
static uint32_t inline_variants_of(const struct pgs_emulated_pipeline *p)
{
    uint32_t variants = 0;
    if (!(p->dynamic & PGS_DYNAMIC_STREAM) || !pgs_inline_runs_geometry(p))
        return BIT(INLINE) | (p->tessellated && !p->patch.by_patch ? 0 : BIT(INLINE_CALL));
    for (uint32_t s = 0; s < PGS_SPV_STREAMS; s++)
        if (p->gs.stream_mask >> s & 1)
            variants |= PGS_VARIANT_BIT(pgs_inline_variant_of(s));
    return variants;
}

/* The layer's own geometry shader emits each line of a strip as a strip, which stipples restart. A
 * dynamic topology may be one of the same class. */
static bool joins_lines(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    return source->dev->stipples && p->pass_through && !p->tessellated && p->gs.output_kind == 2 &&
           p->polygons == PGS_SPV_POLYGONS_FILLED && pgs_may_stipple(source->info);
}

/* Inline draws are lists; the geometry shader emits strips. */
static bool strips_stipple(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    return p->joins_lines ||
           (p->gs.output_kind == 2 && p->gs.max_vertices > 2 && pgs_may_stipple(source->info));
}

/* Edges are lines. */
static void warn_of_stipple(const struct pgs_pipeline_source *source)
{
    if (source->pipeline->polygons == PGS_SPV_POLYGONS_LINES && pgs_may_stipple(source->info))
        pgs_log_once(PGS_LOG_WARN,
                     "a pipeline draws polygons as lines, which the driver cannot, and these may "
                     "be stippled: the pattern starts again at each edge");
}

/* Instructions that a run of the geometry shader takes, about. Of one without static emits a part
 * will stand in loops, which go round once if the others can be skipped. */
static uint64_t geometry_steps(const struct pgs_pipeline_source *source)
{
    const struct pgs_spv_geometry_info *gs = &source->pipeline->gs;
    const uint64_t instructions = source->gs->code.word_count / 4;
    const uint64_t times = gs->skips_emits ? 0 : gs->max_vertices;
    return gs->pattern.is_known ? gs->pattern.steps : instructions + instructions / 16 * times;
}

/* Likewise of a GS invocation that shades its vertices, too, without tessellation. */
static uint64_t invocation_steps(const struct pgs_pipeline_source *source)
{
    const uint64_t input_vertices = source->pipeline->gs.input_vertices;
    return input_vertices * source->vertex_info.steps + geometry_steps(source);
}

/* False: it loops or reads images. */
static bool knows_steps(const struct pgs_pipeline_source *source)
{
    const struct pgs_spv_emit_pattern *pattern = &source->pipeline->gs.pattern;
    return source->vertex_info.steps != UINT32_MAX &&
           !(pattern->is_known && pattern->steps == UINT32_MAX);
}

/* For each GS invocation. */
static uint32_t inline_vertices(const struct pgs_emulated_pipeline *p)
{
    return pgs_inline_vertices_per_gs_invocation(p, PGS_VARIANT_INLINE, p->raster_stream);
}

static uint32_t most_inline_vertices(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    const uint32_t most = cost(source, PGS_COST_INLINE_VERTICES);
    return p->joined_el && p->gs.skips_emits && most < MOST_JOINED ? MOST_JOINED : most;
}

/* What a GS invocation takes if loops that push constants bound go round once; UINT32_MAX: there
 * are others. */
static uint64_t round_steps(const struct pgs_pipeline_source *source)
{
    const struct pgs_spv_geometry_info *gs = &source->pipeline->gs;
    const uint64_t vertex = source->vertex_info.round_steps;
    const uint64_t geometry = gs->pattern.round_steps;
    if (vertex == UINT32_MAX || geometry == UINT32_MAX || gs->has_many_push_loops)
        return UINT32_MAX;
    return gs->input_vertices * vertex + geometry;
}

/* True if inline no vertex is shaded twice. */
static bool emits_lists(const struct pgs_emulated_pipeline *p)
{
    return p->gs.pattern.is_known && inline_vertices(p) <= p->gs.pattern.vertices;
}

/* How many vertices of a pass are inline where push constants say that the shaders are short. An
 * H200 took 0.99 instead of 1.12, and 0.77 instead of 0.86 of the native time for 20000 and 100000
 * flat triangles; another one, whose vertex shaders run a third slower, 0.92 instead of 1.03 and
 * 0.70 instead of 0.76. For 20000 and 100000 points to quads without an index list, so that two
 * vertices are shaded twice, they took 0.98 instead of 1.02 and 0.87 instead of 0.88, but 1.08
 * instead of 0.88 and 1.08 instead of 0.77; the first one with an index list takes 0.83 for
 * 100000. */
static void find_short_limit(const struct pgs_pipeline_source *source)
{
    struct pgs_emulated_pipeline *p = source->pipeline;
    const uint64_t steps = round_steps(source), most = cost(source, PGS_COST_INLINE_STEPS);
    struct pgs_short_loops *found = &p->short_loops;
    found->loops = source->vertex_info.push_loops;
    if (!steps || steps > most || p->joined_el ||
        !pgs_spv_join_push_loops(&found->loops, &p->gs.push_loops))
        return;
    found->times = (uint32_t)(most / steps);
    found->limit_el = cost(source, emits_lists(p) ? PGS_COST_PASS_DENSE : PGS_COST_PASS_EMITS);
}

static bool may_learn(const struct pgs_pipeline_source *source)
{
    return cost(source, PGS_COST_PASS_DENSE) &&
           source->dev->physical->instance->settings.plan == PGS_PLAN_AUTO;
}

/* Which draws are inline: all, or small ones. */
static void choose_size(const struct pgs_pipeline_source *source)
{
    struct pgs_emulated_pipeline *p = source->pipeline;
    const uint32_t small = cost(source, PGS_COST_INLINE_INVOCATIONS);
    const bool both = makes_both(source);
    const bool knows_emits = p->gs.pattern.is_known;
    if (p->tessellated || inline_vertices(p) > most_inline_vertices(source))
        return;
    if (!knows_steps(source)) {
        if (!both)
            return;
        p->inline_limit_el = cost(source, knows_emits ? PGS_COST_PASS_STEPS : PGS_COST_PASS_BOTH);
        find_short_limit(source);
        p->learns_emits = p->indexed_el && p->short_loops.limit_el && may_learn(source);
        return;
    }
    if (invocation_steps(source) > cost(source, PGS_COST_INLINE_STEPS))
        return;
    p->inline_limit_el = knows_emits || !both ? 0 : cost(source, PGS_COST_PASS_EMITS);
    const bool cpu = pgs_runs_on_cpu(source->dev->physical);
    const bool joined = !knows_emits && both && p->joined_el && p->gs.skips_emits;
    p->learns_emits = (cpu ? joined : p->inline_limit_el > 0) && may_learn(source);
    p->small_gs_invocations = knows_emits ? small : 0;
    p->prefers_inline = knows_emits && !p->small_gs_invocations;
}

/* How often the inline vertex shader runs for a tessellated primitive; 0: it is not to. */
static uint64_t patch_runs(const struct pgs_emulated_pipeline *p)
{
    if (!pgs_inline_runs_geometry(p))
        return 3;
    if (!p->gs.pattern.is_known)
        return 0;
    return (uint64_t)p->gs.invocations * inline_vertices(p);
}

/* True if a few patches are drawn one by one, so that nobody has to add up what becomes of them: a
 * draw takes a CPU less than a kernel, and the shader does not look for its patch. */
static bool draws_by_patch(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    const uint64_t each = p->tessellated ? patch_runs(p) : 0;
    return each && !((p->dynamic & PGS_DYNAMIC_STREAM) && pgs_inline_runs_geometry(p)) &&
           pgs_runs_on_cpu(source->dev->physical) && pgs_draws_at_once(source->dev->physical) &&
           each * PGS_MOST_PATCH_PRIMITIVES <= UINT32_C(1) << PGS_PATCH_DRAW_LOG2;
}

/* What the limits of CPUs were measured with: of emits that are not static, all primitives of one
 * strip. */
static uint64_t listed_vertices(const struct pgs_emulated_pipeline *p)
{
    const uint64_t kind = p->gs.output_kind, most = p->gs.max_vertices;
    if (p->gs.pattern.is_known || p->joined_el)
        return inline_vertices(p);
    return most < kind ? 0 : kind * (most - kind + 1);
}

/* What an inline draw on a CPU runs, and how much of that is little. */
static void find_inline_steps(const struct pgs_pipeline_source *source)
{
    struct pgs_emulated_pipeline *p = source->pipeline;
    uint64_t runs, steps; /* of each GS invocation, or tessellated primitive */
    if (!pgs_runs_on_cpu(source->dev->physical))
        return;
    if (p->tessellated) {
        runs = patch_runs(p);
        steps = source->tes->code.word_count / 4;
        if (pgs_inline_runs_geometry(p))
            steps = p->gs.input_vertices * steps + geometry_steps(source);
    } else {
        runs = listed_vertices(p);
        steps = invocation_steps(source);
    }
    if (steps >= UINT32_MAX || runs * steps >= UINT32_MAX || !runs)
        return;
    p->inline_steps = (uint32_t)(runs * steps + 1);
    p->inline_is_bounded = runs <= cost(source, PGS_COST_INLINE_VERTICES) &&
                           steps <= cost(source, PGS_COST_INLINE_STEPS);
    p->small_gs_invocations = cost(source, PGS_COST_CPU_STEPS) / p->inline_steps;
    /* Of one vertex little is loaded for each that is drawn. */
    p->stores_large =
        source->dev->physical->traits.stores_large && p->prefers_inline && p->gs.input_vertices > 1;
}

/* -- all of them -- */

static uint32_t compute_variants_of(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    if (p->native_raster && !p->tessellated && !source->gs)
        return p->gs.xfb.enabled ? BIT(VERTEX) : 0;
    const bool fused = may_fuse(source);
    uint32_t variants = fused ? BIT(FUSED) : BIT(VERTEX);
    if (p->tessellated)
        variants = BIT(EVALUATION) | all_patch_shaders(source);
    if (!fused && (!p->tes_stored || p->gs.xfb.enabled)) /* otherwise nothing would run it */
        variants |= BIT(GEOMETRY);
    if (captures_directly(p))
        variants |= BIT(XFB);
    if (variants & (BIT(GEOMETRY) | BIT(FUSED)) && needs_no_memory(source, fused))
        variants |= BIT(NO_MEMORY);
    return variants;
}

static uint32_t stored_variants_of(const struct pgs_emulated_pipeline *p)
{
    uint32_t variants = PGS_VARIANT_BIT(pgs_stored_variant_of(p->stored_stream));
    for (uint32_t s = 0; s < PGS_SPV_STREAMS && (p->dynamic & PGS_DYNAMIC_STREAM); s++)
        if (p->gs.stream_mask >> s & 1)
            variants |= PGS_VARIANT_BIT(pgs_stored_variant_of(s));
    return variants;
}

/* No vertex shader can stand in for the geometry shader, which may run in parts, or for shaders
 * that store patches. Those in front of them that store run once, and stippled strips are one
 * piece. */
static bool goes_in_rounds(const struct pgs_pipeline_source *source, bool may_inline)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    const bool discards = p->rasterizer_discard && !(p->dynamic & PGS_DYNAMIC_DISCARD);
    if (!p->layout || p->vertex_has_effects || p->joins_lines)
        return false;
    if (p->tessellated)
        return source->control_info && !source->control_info->has_side_effects;
    return p->has_effects || (!may_inline && !discards);
}

/* Dynamic vertex input may be instanced. */
static bool reads_instances(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    bool reads = (p->dynamic & PGS_DYNAMIC_VERTEX_INPUT) ||
                 pgs_spv_module_has_instance(source->vs->code.words, source->vs->code.word_count);
    for (uint32_t i = 0; i < p->attribute_count; i++)
        reads |= p->bindings[p->attributes[i].binding].instance_rate;
    return reads;
}

/* Of a pipeline of which is known how its stored vertices are listed. */
static bool may_list(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    return source->dev->physical->traits.lists_at_once && p->layout && !p->expands_any &&
           !p->lists && !p->tessellated && p->polygons == PGS_SPV_POLYGONS_FILLED &&
           pgs_spv_can_list(&p->gs);
}

/* True if large draws may have descriptors for what their compute shader reads and stores: its
 * attributes lie where pipelines say. */
static bool may_bind(const struct pgs_pipeline_source *source, uint32_t variants)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    return source->dev->physical->traits.binds_words && (variants & BIT(FUSED)) &&
           !(p->dynamic & PGS_DYNAMIC_VERTEX_INPUT) &&
           pgs_layout_may_bind(source->dev, p->layout,
                               pgs_layout_group(p->layout, PGS_GROUP_VERTEX_GEOMETRY));
}

/* Of a pipeline of which is known what of its strips need not be drawn. */
static uint32_t instanced_variants_of(const struct pgs_emulated_pipeline *p)
{
    const bool sifts = p->layout && p->cull_planes && pgs_spv_can_sift(&p->gs);
    return BIT(INSTANCED) | (sifts ? BIT(SIFT) : 0);
}

uint32_t pgs_variants_of(struct pgs_pipeline_source *source)
{
    struct pgs_emulated_pipeline *p = source->pipeline;
    const uint32_t compute = p->layout ? compute_variants_of(source) : 0;
    if (p->native_raster)
        return compute;
    uint32_t variants = compute | stored_variants_of(p);
    p->joins_lines = joins_lines(source);
    p->strips_stipple = strips_stipple(source);
    p->expands_any = p->joins_lines || p->packs || pgs_spv_stream_count(p->gs.stream_mask) > 1;
    p->lists = source->dev->physical->traits.lists_primitives && p->gs.output_kind > 1 &&
               p->polygons == PGS_SPV_POLYGONS_FILLED && !p->tes_stored && !p->strips_stipple;
    variants |= may_list(source) ? BIT(LISTING) : 0;
    variants |= may_bind(source, variants) ? BIT(BOUND) : 0;
    p->cull_planes = pgs_culling_planes(source, variants);
    if (p->cull_planes & PGS_DRAW_CUTS)
        p->cut_from = source->dev->physical->traits.costs.of[PGS_COST_CUT_INVOCATIONS];
    if (p->cull_planes & (PGS_DRAW_COVERAGE | PGS_DRAW_CUTS)) {
        pgs_record_viewports(p, source->info);
        pgs_record_polygons(source->dev, p, source->info);
    }
    p->gathers = p->cull_planes && !p->packs && !p->tessellated && pgs_culling_gathers(source);
    warn_of_stipple(source);
    p->uninstanced = pgs_instancing_refuses(source);
    p->unpicked = pgs_picking_refuses(source);
    if (p->unpicked == PGS_UNINSTANCED_NO &&
        source->vertex_info.steps > cost(source, PGS_COST_FUSE_STEPS))
        p->unpicked = PGS_UNINSTANCED_LONG; /* it runs for decisions, and again to draw */
    const bool inlines = may_inline(source);
    p->goes_in_rounds = goes_in_rounds(source, inlines);
    p->reads_instances = p->goes_in_rounds && reads_instances(source);
    if (!inlines) {
        if (p->uninstanced == PGS_UNINSTANCED_NO)
            p->uninstanced = PGS_UNINSTANCED_STAGES;
        if (p->unpicked == PGS_UNINSTANCED_NO)
            p->unpicked = PGS_UNINSTANCED_STAGES;
        return variants;
    }
    p->patch.by_patch = draws_by_patch(source);
    if (p->tessellated)
        p->evaluation_steps = (uint32_t)(source->tes->code.word_count / 4);
    p->inline_is_exact = !p->strips_stipple || (p->dynamic & PGS_DYNAMIC_LINE_STIPPLE);
    p->joined_el = pgs_joined_el(source);
    p->indexed_el = pgs_indexed_el(source);
    if (p->inline_is_exact && !(p->dynamic & PGS_DYNAMIC_STREAM)) {
        choose_size(source);
        find_inline_steps(source);
    }
    p->takes_record = pgs_may_take_record(source->dev->physical, p);
    if (p->takes_record &&
        !pgs_robustness_counts_attributes(&source->dev->pipelines->robustness, source->info))
        pgs_record_join_attributes(p);
    return variants | inline_variants_of(p) | (p->uninstanced ? 0 : instanced_variants_of(p)) |
           (p->unpicked ? 0 : BIT(PICK) | BIT(PICKED));
}

/* The variants that each draw with stored vertices runs. */
static uint32_t storing_shaders(const struct pgs_emulated_pipeline *p)
{
    if (p->tes_stored)
        return patch_shaders(p, false) | BIT(EVALUATION);
    if (p->tessellated)
        return patch_shaders(p, false) | BIT(EVALUATION) | BIT(GEOMETRY);
    return pgs_pipeline_has(p, PGS_VARIANT_FUSED) ? BIT(FUSED) : BIT(VERTEX) | BIT(GEOMETRY);
}

uint32_t pgs_storing_variants(const struct pgs_emulated_pipeline *pipeline)
{
    return storing_shaders(pipeline) |
           PGS_VARIANT_BIT(pgs_stored_variant_of(pipeline->stored_stream));
}

static uint32_t usual_compute_variants(const struct pgs_emulated_pipeline *p, bool stores)
{
    const bool captured = captures(p);
    uint32_t variants = stores ? storing_shaders(p) : 0;
    if (captured && pgs_pipeline_has(p, PGS_VARIANT_XFB))
        variants |= BIT(XFB) | (pgs_pipeline_has(p, PGS_VARIANT_FUSED) ? 0 : BIT(VERTEX));
    else if (captured && (p->tessellated || pgs_pipeline_has_geometry(p)))
        variants |= storing_shaders(p) | (p->tessellated ? BIT(GEOMETRY) : 0);
    else if (captured)
        variants |= BIT(VERTEX);
    return variants;
}

/* The decision of draw/ for a direct draw that counts nothing. */
static bool usually_inlines(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    if (!pgs_pipeline_has(p, PGS_VARIANT_INLINE) || !p->inline_is_exact ||
        (p->tessellated && pgs_inline_runs_geometry(p) && !p->inline_is_bounded))
        return false;
    switch (source->dev->physical->instance->settings.plan) {
    case PGS_PLAN_AUTO:
        return (p->prefers_inline || p->inline_steps) && !p->primitive_restart;
    case PGS_PLAN_VERTEX:
        return !p->tessellated || !pgs_inline_runs_geometry(p);
    case PGS_PLAN_STORED:
    case PGS_PLAN_COMPUTE:
        break;
    }
    return false;
}

/* Likewise for a small one. */
static bool inlines_small(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    return p->inline_limit_el && !p->primitive_restart &&
           source->dev->physical->instance->settings.plan == PGS_PLAN_AUTO;
}

/* True if small draws are inline, and others if memory runs out. */
static bool evaluates_both(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    return p->tes_stored && !p->inline_steps &&
           source->dev->physical->instance->settings.plan == PGS_PLAN_AUTO;
}

/* Bits of a draw that is rasterized, also of variants that the pipeline does not have. */
static uint32_t uninstanced_variants(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    const bool inlines = usually_inlines(source);
    /* Inline draws evaluate, but do not fetch vertices or run control shaders. */
    const uint32_t patches = inlines && p->tessellated ? patch_shaders(p, true) : 0;
    const bool discards = p->rasterizer_discard && !(p->dynamic & PGS_DYNAMIC_DISCARD);
    const bool stores = !inlines && !(discards && captures(p));
    return usual_compute_variants(p, stores) | patches |
           (inlines ? BIT(INLINE) : PGS_VARIANT_BIT(pgs_stored_variant_of(p->stored_stream)));
}

uint32_t pgs_usual_variants(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    const uint32_t available = atomic_load(&p->variants->available);
    if (source->dev->physical->instance->settings.compile == PGS_COMPILE_ALL)
        return available;
    if (p->native_raster)
        return usual_compute_variants(p, false) & available;
    if (available & BIT(INSTANCED)) /* which is made now or never: it needs all of the info */
        return (usual_compute_variants(p, false) | BIT(INSTANCED)) & available;
    return uninstanced_variants(source) & available;
}

uint32_t pgs_other_variants(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    const uint32_t available = atomic_load(&p->variants->available);
    const uint32_t small = (inlines_small(source) || evaluates_both(source) ? BIT(INLINE) : 0) |
                           (p->tessellated ? patch_shaders(p, true) : 0);
    if (!(available & BIT(INSTANCED)))
        return small & available;
    return pgs_instancing_depends(p) ? (uninstanced_variants(source) | small) & available : 0;
}

/* -- kernels -- */

#define KERNEL(kernel) PGS_KERNEL_BIT(PGS_KERNEL_##kernel)

static uint64_t expanding_kernels(const struct pgs_emulated_pipeline *p)
{
    if (p->polygons || p->lists)
        return KERNEL(EXPAND_POLYGONS) | (p->stipple.goes_on ? KERNEL(STIPPLE) : 0);
    return p->expands_any ? KERNEL(EXPAND_ANY) : KERNEL(EXPAND);
}

static uint64_t summing_kernels(const struct pgs_emulated_pipeline *p)
{
    return KERNEL(SCAN_TILES) | (p->joins_lines ? KERNEL(COUNT_TILES_ANY) : KERNEL(COUNT_TILES));
}

uint64_t pgs_usual_kernels(const struct pgs_pipeline_source *source, uint32_t variants)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    const bool expands = (variants & (BIT(GEOMETRY) | BIT(FUSED))) &&
                         (variants & PGS_VARIANTS_RASTER & ~PGS_VARIANTS_INLINE);
    /* Draws of one tile do without the sums of tiles, and without tess_allot if nothing is stored.
     * CPUs should compile nothing in vain. */
    const bool large = source->dev->physical->properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU;
    uint64_t kernels = 0;
    if (expands)
        kernels |= expanding_kernels(p) | (large ? summing_kernels(p) : 0);
    const bool stores = variants & BIT(EVALUATION);
    const bool few = pgs_runs_on_cpu(source->dev->physical) && !stores;
    const bool counted = !few || !p->patch.by_patch;
    if ((variants & (BIT(CONTROL) | BIT(FUSED_CONTROL))) && counted)
        kernels |= (few ? KERNEL(TESS_FEW) : KERNEL(TESS_COUNT)) | (large ? KERNEL(TESS_ALLOT) : 0);
    if (stores)
        kernels |= KERNEL(TESS_ALLOT) | KERNEL(TESSELLATE) | KERNEL(POOL_CLOSE);
    return p->native_raster ? 0 : kernels;
}

uint64_t pgs_probable_kernels(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    uint64_t kernels = 0;
    if (source->dev->physical->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU)
        return 0;
    if (source->dev->draws_indirectly && !p->native_raster)
        kernels |=
            p->prefers_inline ? KERNEL(INDIRECT_INLINE) : KERNEL(INDIRECT) | KERNEL(POOL_CLOSE);
    if (source->dev->draws_indirectly && p->goes_in_rounds && !p->tessellated)
        kernels |= KERNEL(INDIRECT_ROUND);
    if (captures(p))
        kernels |= KERNEL(XFB_PROGRAM) | KERNEL(INTERVAL_END);
    if (captures(p) && pgs_pipeline_has_geometry(p) && !captures_directly(p))
        kernels |= KERNEL(CAPTURE_TILES) | KERNEL(CAPTURE_SCAN) | KERNEL(CAPTURE_GEOMETRY);
    return kernels;
}
