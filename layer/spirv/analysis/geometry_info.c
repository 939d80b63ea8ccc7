/* SPDX-License-Identifier: MIT
 *
 * Reflection of geometry shaders.
 */
#include "spirv/analysis/geometry_info.h"

#include "spirv/analysis/counted_loop.h"
#include "spirv/analysis/effects.h"
#include "spirv/analysis/longest_strip.h"
#include "spirv/analysis/picked.h"
#include "spirv/io/io_vars.h"
#include "spirv/io/push_constants.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/dce.h"
#include "spirv/ir/spec_constants.h"

#include <string.h>

enum pgs_spv_result pgs_spv_open_geometry(struct pgs_spv_module *m, const struct pgs_spv_shader *gs,
                                          struct pgs_spv_io_vars *inputs,
                                          struct pgs_spv_io_vars *outputs)
{
    pgs_spv_parse(m, gs->words, gs->word_count);
    m->int64 = gs->int64;
    m->is_trial = gs->is_trial;
    m->pairs_words = gs->pairs_words;
    m->joins_loads = gs->joins_loads;
    pgs_spv_keep_names(m, gs->keeps_names);
    if (gs->stage != PGS_SPV_GEOMETRY)
        pgs_spv_fail(m, PGS_SPV_INVALID);
    if (pgs_spv_has_capability(m, SpvCapabilityGeometryShaderPassthroughNV))
        pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
    if (m->result != PGS_SPV_OK)
        return m->result;
    pgs_spv_fold(m, gs);
    pgs_spv_dce_functions(m, gs);
    if (m->result != PGS_SPV_OK)
        return m->result;
    pgs_spv_dce_globals(m, true);
    pgs_spv_collect_io_vars(
        m, (struct pgs_spv_io_scope){.storage_class = SpvStorageClassInput, .per_vertex = true},
        inputs);
    pgs_spv_collect_io_vars(
        m, (struct pgs_spv_io_scope){.storage_class = SpvStorageClassOutput, .unreferenced = true},
        outputs);
    return m->result;
}

static void read_modes(struct pgs_spv_module *m, struct pgs_spv_geometry_info *info)
{
    const struct pgs_spv_list *modes = &m->sections[PGS_SPV_MODES];
    info->invocations = 1;
    for (uint32_t i = 0; i < modes->count; i++) {
        const uint32_t *ins = modes->items[i];
        const uint32_t value =
            pgs_spv_op(ins) == SpvOpExecutionMode && pgs_spv_length(ins) > 3 ? ins[3] : 0;
        switch (ins[2]) {
        case SpvExecutionModeInputPoints:
            info->input_vertices = 1;
            break;
        case SpvExecutionModeInputLines:
            info->input_vertices = 2;
            break;
        case SpvExecutionModeTriangles:
            info->input_vertices = 3;
            break;
        case SpvExecutionModeInputLinesAdjacency:
            info->input_vertices = 4;
            break;
        case SpvExecutionModeInputTrianglesAdjacency:
            info->input_vertices = 6;
            break;
        case SpvExecutionModeOutputPoints:
            info->output_kind = 1;
            break;
        case SpvExecutionModeOutputLineStrip:
            info->output_kind = 2;
            break;
        case SpvExecutionModeOutputTriangleStrip:
            info->output_kind = 3;
            break;
        case SpvExecutionModeOutputVertices:
            info->max_vertices = value;
            break;
        case SpvExecutionModeInvocations:
            info->invocations = value;
            break;
        default:
            break;
        }
    }
    if (!info->input_vertices || !info->output_kind || !info->max_vertices || !info->invocations ||
        info->max_vertices > UINT16_MAX || info->invocations > UINT16_MAX)
        pgs_spv_fail(m, PGS_SPV_INVALID);
}

/* Bit s: the shader emits to stream s. */
static uint32_t stream_mask(struct pgs_spv_module *m)
{
    const struct pgs_spv_list *functions = &m->sections[PGS_SPV_FUNCTIONS];
    uint32_t mask = 0;
    for (uint32_t i = 0; i < functions->count; i++) {
        const uint32_t *ins = functions->items[i];
        const uint32_t op = pgs_spv_op(ins);
        uint32_t stream = 0;
        if ((op == SpvOpEmitStreamVertex || op == SpvOpEndStreamPrimitive) &&
            (!pgs_spv_constant(m, ins[1], &stream) || stream >= PGS_SPV_STREAMS)) {
            pgs_spv_fail(m, PGS_SPV_INVALID);
            return 0;
        }
        if (op == SpvOpEmitVertex || op == SpvOpEmitStreamVertex)
            mask |= 1u << stream;
    }
    return mask;
}

/* Checks that the layer can carry every input and output. */
static void check_vars(struct pgs_spv_module *m, const struct pgs_spv_io_vars *vars, bool is_input)
{
    for (uint32_t i = 0; i < vars->count; i++) {
        const struct pgs_spv_io_var *var = &vars->items[i];
        switch (var->builtin) {
        case PGS_SPV_NO_BUILTIN:
        case SpvBuiltInPrimitiveId:
            break;
        case SpvBuiltInPosition:
            if (var->count != 4 || var->width_bits != 32)
                pgs_spv_fail(m, PGS_SPV_INVALID);
            break;
        case SpvBuiltInPointSize:
        case SpvBuiltInClipDistance:
        case SpvBuiltInCullDistance:
            if (var->count != 1 || var->width_bits != 32)
                pgs_spv_fail(m, PGS_SPV_INVALID);
            break;
        case SpvBuiltInLayer: /* inputs of generated geometry shaders only */
        case SpvBuiltInViewportIndex:
        case SpvBuiltInPrimitiveShadingRateKHR:
            if (var->count != 1 || var->width_bits != 32 || var->is_float)
                pgs_spv_fail(m, PGS_SPV_INVALID);
            break;
        default: /* levels have places of their own, which vertices lack */
            if (!is_input || pgs_spv_is_level(var))
                pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
            break;
        }
    }
}

static void make_layouts(struct pgs_spv_module *m, const struct pgs_spv_io_vars *inputs,
                         const struct pgs_spv_io_vars *outputs, bool split,
                         struct pgs_spv_geometry_info *info)
{
    struct pgs_spv_io_vars per_vertex = {
        .items = pgs_spv_zalloc(m, inputs->count + 1u, sizeof(*per_vertex.items))};
    for (uint32_t i = 0; i < inputs->count && per_vertex.items; i++) {
        if (inputs->items[i].vertices)
            per_vertex.items[per_vertex.count++] = inputs->items[i];
    }
    if (m->result == PGS_SPV_OK && !pgs_spv_make_layout(&per_vertex, &info->in))
        pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
    for (uint32_t s = 0; s < PGS_SPV_STREAMS && m->result == PGS_SPV_OK; s++) {
        const struct pgs_spv_io_vars vars = pgs_spv_io_vars_of_stream(m, outputs, s);
        if (!pgs_spv_make_layout(&vars, &info->out[s]))
            pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
    }
    if (m->result == PGS_SPV_OK && split && pgs_spv_split_layouts(info->out, PGS_SPV_STREAMS))
        info->out_head_w = info->out[0].head_w;
    for (uint32_t s = 0; s < PGS_SPV_STREAMS && m->result == PGS_SPV_OK; s++) {
        if (info->out[s].stride_w > info->out_stride_w)
            info->out_stride_w = info->out[s].stride_w;
    }
}

/* A captured output has a location in the vertex even if nothing writes it; it does not count as
 * written. */
static void note_written(const struct pgs_spv_io_vars *outputs, struct pgs_spv_geometry_info *info)
{
    for (uint32_t i = 0; i < outputs->count; i++) {
        const struct pgs_spv_io_var *var = &outputs->items[i];
        info->writes_primitive_id |= var->referenced && var->builtin == SpvBuiltInPrimitiveId;
        info->writes_layer |= var->referenced && var->builtin == SpvBuiltInLayer;
        info->writes_viewport_index |= var->referenced && var->builtin == SpvBuiltInViewportIndex;
        info->writes_point_size |= var->referenced && var->builtin == SpvBuiltInPointSize;
    }
}

/* What the vertices that it emits are made of. */
static void find_vertices(struct pgs_spv_module *m, const struct pgs_spv_io_vars *inputs,
                          const struct pgs_spv_io_vars *outputs, struct pgs_spv_geometry_info *info)
{
    const struct pgs_spv_emit_facts facts = pgs_spv_emit_facts_of(info);
    if (info->has_side_effects || info->reads_view_index)
        return;
    if (info->writes_layer || !pgs_spv_has_several_strips(info))
        pgs_spv_find_one_vertex(m, &facts, inputs, outputs, &info->one_vertex);
    info->may_pick = !info->one_vertex.strips && pgs_spv_may_pick(&facts);
}

static bool has_ends(const struct pgs_spv_module *m)
{
    const struct pgs_spv_list *functions = &m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < functions->count; i++) {
        const uint32_t op = pgs_spv_op(functions->items[i]);
        if (op == SpvOpEndPrimitive || op == SpvOpEndStreamPrimitive)
            return true;
    }
    return false;
}

static void find_push_loops(const struct pgs_spv_module *m, struct pgs_spv_geometry_info *info)
{
    const struct pgs_spv_list *functions = &m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < functions->count; i++)
        if (pgs_spv_op(functions->items[i]) == SpvOpLoopMerge &&
            pgs_spv_add_push_loop(m, functions, i, NULL))
            info->has_many_push_loops |= !pgs_spv_add_push_loop(m, functions, i, &info->push_loops);
}

/* As in the pattern, if emits are not static: a part of the instructions will stand in loops. */
static uint32_t round_steps(const struct pgs_spv_module *m, uint32_t max_vertices)
{
    const uint64_t all = m->sections[PGS_SPV_FUNCTIONS].count;
    const uint64_t steps = all + all / 16 * max_vertices;
    return pgs_spv_takes_long(m) || steps > UINT32_MAX ? UINT32_MAX : (uint32_t)steps;
}

/* Strips of several streams may be open at once. */
static void find_emits(struct pgs_spv_module *m, struct pgs_spv_geometry_info *info)
{
    bool one_strip = false;
    find_push_loops(m, info);
    pgs_spv_find_pattern(m, info->output_kind, info->max_vertices, &info->pattern);
    if (!info->pattern.is_known)
        info->pattern.round_steps = round_steps(m, info->max_vertices);
    if (pgs_spv_stream_count(info->stream_mask) != 1)
        return;
    if (!info->pattern.is_known)
        info->longest_strip_el =
            pgs_spv_longest_strip(m, info->stream_mask, info->max_vertices, &one_strip);
    info->one_strip = one_strip || info->output_kind == 1 || !has_ends(m);
    info->skips_emits = !info->pattern.is_known && info->one_strip && pgs_spv_has_counted_loop(m);
}

static enum pgs_spv_result find_info(const struct pgs_spv_shader *gs, bool split,
                                     struct pgs_spv_geometry_info *info)
{
    struct pgs_spv_module m;
    struct pgs_spv_io_vars inputs, outputs;
    memset(info, 0, sizeof(*info));
    if (pgs_spv_open_geometry(&m, gs, &inputs, &outputs) == PGS_SPV_OK) {
        read_modes(&m, info);
        check_vars(&m, &inputs, true);
        check_vars(&m, &outputs, false);
        make_layouts(&m, &inputs, &outputs, split, info);
        if (m.result == PGS_SPV_OK)
            pgs_spv_make_xfb(&m, &outputs, info->out, &info->xfb);
        note_written(&outputs, info);
        info->stream_mask = stream_mask(&m);
        find_emits(&m, info);
        info->reads_push_constants = pgs_spv_has_push_constants(&m);
        info->has_side_effects = pgs_spv_must_run_once(&m);
        info->vulkan_memory = m.sections[PGS_SPV_MEMORY_MODEL].items[0][2] == SpvMemoryModelVulkan;
        info->reads_view_index = pgs_spv_io_vars_have(&inputs, SpvBuiltInViewIndex);
        find_vertices(&m, &inputs, &outputs, info);
    }
    pgs_spv_finish(&m);
    if (m.result != PGS_SPV_OK)
        memset(info, 0, sizeof(*info));
    return m.result;
}

enum pgs_spv_result pgs_spv_geometry_info(const struct pgs_spv_shader *gs,
                                          struct pgs_spv_geometry_info *info)
{
    return find_info(gs, false, info);
}

enum pgs_spv_result pgs_spv_geometry_split_info(const struct pgs_spv_shader *gs,
                                                struct pgs_spv_geometry_info *info)
{
    return find_info(gs, true, info);
}
