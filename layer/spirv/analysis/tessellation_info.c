/* SPDX-License-Identifier: MIT
 *
 * Reflection of tessellation shaders.
 */
#include "spirv/analysis/tessellation_info.h"

#include "poly_gs/tessellation.h"
#include "spirv/analysis/effects.h"
#include "spirv/io/io_vars.h"
#include "spirv/io/push_constants.h"
#include "spirv/ir/dce.h"
#include "spirv/ir/spec_constants.h"

/* Built-ins by stage and storage class, and what each one means there. */
static const struct {
    uint32_t builtin, count;
    bool is_float;
    bool control_in, control_out, evaluation_in, evaluation_out;
} known[] = {
    {SpvBuiltInPosition, 4, true, true, true, true, true},
    {SpvBuiltInPointSize, 1, true, true, true, true, true},
    {SpvBuiltInClipDistance, 1, true, true, true, true, true},
    {SpvBuiltInCullDistance, 1, true, true, true, true, true},
    {SpvBuiltInTessLevelOuter, 1, true, false, true, true, false},
    {SpvBuiltInTessLevelInner, 1, true, false, true, true, false},
    {SpvBuiltInTessCoord, 3, true, false, false, true, false},
    {SpvBuiltInPrimitiveId, 1, false, true, false, true, false},
    {SpvBuiltInPatchVertices, 1, false, true, false, true, false},
    {SpvBuiltInInvocationId, 1, false, true, false, false, false},
    {SpvBuiltInLayer, 1, false, false, false, false, true},
    {SpvBuiltInViewportIndex, 1, false, false, false, false, true},
};

static bool belongs(size_t i, enum pgs_spv_stage stage, bool is_input)
{
    if (stage == PGS_SPV_CONTROL)
        return is_input ? known[i].control_in : known[i].control_out;
    return is_input ? known[i].evaluation_in : known[i].evaluation_out;
}

static bool is_vertex_builtin(uint32_t builtin)
{
    return builtin == SpvBuiltInPosition || builtin == SpvBuiltInPointSize ||
           builtin == SpvBuiltInClipDistance || builtin == SpvBuiltInCullDistance;
}

/* A built-in that is not in the list may still be one that the driver has in a compute shader; the
 * pass decides that. */
static void check_var(struct pgs_spv_module *m, const struct pgs_spv_io_var *var,
                      enum pgs_spv_stage stage, bool is_input)
{
    size_t i = 0;
    if (var->builtin == PGS_SPV_NO_BUILTIN)
        return;
    while (i < sizeof(known) / sizeof(known[0]) && known[i].builtin != var->builtin)
        i++;
    if (i == sizeof(known) / sizeof(known[0]) || !belongs(i, stage, is_input)) {
        if (!is_input || i < sizeof(known) / sizeof(known[0]))
            pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
        return;
    }
    const uint32_t levels = var->builtin == SpvBuiltInTessLevelOuter   ? 4
                            : var->builtin == SpvBuiltInTessLevelInner ? 2
                                                                       : UINT32_MAX;
    const bool arrayed = stage == PGS_SPV_CONTROL || is_input;
    if (var->count != known[i].count || var->width_bits != 32 ||
        var->is_float != known[i].is_float || var->element >= levels ||
        (is_vertex_builtin(var->builtin) && arrayed) != (var->vertices != 0))
        pgs_spv_fail(m, PGS_SPV_INVALID);
}

enum pgs_spv_result pgs_spv_open_tessellation(struct pgs_spv_module *m,
                                              const struct pgs_spv_shader *shader,
                                              enum pgs_spv_stage stage,
                                              struct pgs_spv_io_vars *inputs,
                                              struct pgs_spv_io_vars *outputs)
{
    pgs_spv_parse(m, shader->words, shader->word_count);
    m->int64 = shader->int64;
    m->is_trial = shader->is_trial;
    m->pairs_words = shader->pairs_words;
    m->joins_loads = shader->joins_loads;
    pgs_spv_keep_names(m, shader->keeps_names);
    if (shader->stage != stage)
        pgs_spv_fail(m, PGS_SPV_INVALID);
    if (m->result != PGS_SPV_OK)
        return m->result;
    pgs_spv_fold(m, shader);
    pgs_spv_dce_functions(m, shader);
    if (m->result != PGS_SPV_OK)
        return m->result;
    pgs_spv_dce_globals(m, false);
    pgs_spv_collect_io_vars(
        m, (struct pgs_spv_io_scope){.storage_class = SpvStorageClassInput, .per_vertex = true},
        inputs);
    pgs_spv_collect_io_vars(m,
                            (struct pgs_spv_io_scope){.storage_class = SpvStorageClassOutput,
                                                      .per_vertex = stage == PGS_SPV_CONTROL},
                            outputs);
    for (uint32_t i = 0; i < inputs->count; i++)
        check_var(m, &inputs->items[i], stage, true);
    for (uint32_t i = 0; i < outputs->count; i++)
        check_var(m, &outputs->items[i], stage, false);
    return m->result;
}

void pgs_spv_tessellation_modes(struct pgs_spv_module *m, struct pgs_spv_tessellation_modes *modes)
{
    const struct pgs_spv_list *list = &m->sections[PGS_SPV_MODES];
    *modes = (struct pgs_spv_tessellation_modes){0};
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t *ins = list->items[i];
        switch (ins[2]) {
        case SpvExecutionModeTriangles:
            modes->domain = PGS_SPV_DOMAIN_TRIANGLES;
            break;
        case SpvExecutionModeQuads:
            modes->domain = PGS_SPV_DOMAIN_QUADS;
            break;
        case SpvExecutionModeIsolines:
            modes->domain = PGS_SPV_DOMAIN_ISOLINES;
            break;
        case SpvExecutionModeSpacingEqual:
            modes->spacing = PGS_SPV_SPACING_EQUAL;
            break;
        case SpvExecutionModeSpacingFractionalEven:
            modes->spacing = PGS_SPV_SPACING_FRACTIONAL_EVEN;
            break;
        case SpvExecutionModeSpacingFractionalOdd:
            modes->spacing = PGS_SPV_SPACING_FRACTIONAL_ODD;
            break;
        case SpvExecutionModeVertexOrderCw:
            modes->order = PGS_SPV_ORDER_CW;
            break;
        case SpvExecutionModeVertexOrderCcw:
            modes->order = PGS_SPV_ORDER_CCW;
            break;
        case SpvExecutionModePointMode:
            modes->point_mode = true;
            break;
        case SpvExecutionModeOutputVertices:
            modes->output_vertices =
                pgs_spv_op(ins) == SpvOpExecutionMode && pgs_spv_length(ins) > 3 ? ins[3] : 0;
            if (modes->output_vertices == 0 || modes->output_vertices > PGS_MAX_PATCH_VERTICES)
                pgs_spv_fail(m, PGS_SPV_INVALID);
            break;
        default:
            break;
        }
    }
}

static struct pgs_spv_io_vars pick(struct pgs_spv_module *m, const struct pgs_spv_io_vars *vars,
                                   bool of_vertices)
{
    struct pgs_spv_io_vars some = {.items =
                                       pgs_spv_zalloc(m, vars->count + 1u, sizeof(*some.items)),
                                   .capacity = vars->count + 1};
    for (uint32_t i = 0; some.items && i < vars->count; i++) {
        const struct pgs_spv_io_var *var = &vars->items[i];
        if (of_vertices ? var->vertices != 0
                        : var->vertices == 0 && var->builtin == PGS_SPV_NO_BUILTIN)
            some.items[some.count++] = *var;
    }
    return some;
}

struct pgs_spv_io_vars pgs_spv_vertex_io_vars(struct pgs_spv_module *m,
                                              const struct pgs_spv_io_vars *vars)
{
    return pick(m, vars, true);
}

struct pgs_spv_io_vars pgs_spv_patch_io_vars(struct pgs_spv_module *m,
                                             const struct pgs_spv_io_vars *vars)
{
    return pick(m, vars, false);
}

enum pgs_spv_result pgs_spv_evaluation_info(const struct pgs_spv_shader *tes,
                                            struct pgs_spv_evaluation_info *info)
{
    struct pgs_spv_module m;
    struct pgs_spv_io_vars inputs, outputs;
    *info = (struct pgs_spv_evaluation_info){0};
    if (pgs_spv_open_tessellation(&m, tes, PGS_SPV_EVALUATION, &inputs, &outputs) == PGS_SPV_OK) {
        const struct pgs_spv_io_vars vertex = pgs_spv_vertex_io_vars(&m, &inputs),
                                     patch = pgs_spv_patch_io_vars(&m, &inputs);
        pgs_spv_tessellation_modes(&m, &info->modes);
        if (m.result == PGS_SPV_OK && (!pgs_spv_make_layout(&vertex, &info->in) ||
                                       !pgs_spv_make_layout(&patch, &info->patch)))
            pgs_spv_fail(&m, PGS_SPV_UNSUPPORTED);
        info->reads_push_constants = pgs_spv_has_push_constants(&m);
        info->has_side_effects = pgs_spv_must_run_once(&m);
        info->reads_view_index = pgs_spv_io_vars_have(&inputs, SpvBuiltInViewIndex);
    }
    pgs_spv_finish(&m);
    if (m.result != PGS_SPV_OK)
        *info = (struct pgs_spv_evaluation_info){0};
    return m.result;
}
