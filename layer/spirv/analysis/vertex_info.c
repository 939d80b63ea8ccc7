/* SPDX-License-Identifier: MIT
 *
 * Reflection of vertex shaders.
 */
#include "spirv/analysis/vertex_info.h"

#include "spirv/analysis/effects.h"
#include "spirv/io/io_vars.h"
#include "spirv/io/push_constants.h"
#include "spirv/ir/dce.h"
#include "spirv/ir/spec_constants.h"

enum pgs_spv_result pgs_spv_open_vertex(struct pgs_spv_module *m, const struct pgs_spv_shader *vs,
                                        bool keep_interface, struct pgs_spv_io_vars *inputs,
                                        struct pgs_spv_io_vars *outputs)
{
    pgs_spv_parse(m, vs->words, vs->word_count);
    m->int64 = vs->int64;
    m->is_trial = vs->is_trial;
    m->pairs_words = vs->pairs_words;
    m->joins_loads = vs->joins_loads;
    pgs_spv_keep_names(m, vs->keeps_names);
    if (vs->stage != PGS_SPV_VERTEX)
        pgs_spv_fail(m, PGS_SPV_INVALID);
    if (m->result != PGS_SPV_OK)
        return m->result;
    pgs_spv_fold(m, vs);
    pgs_spv_dce_functions(m, vs);
    if (m->result != PGS_SPV_OK)
        return m->result;
    pgs_spv_dce_globals(m, keep_interface);
    pgs_spv_collect_io_vars(m, (struct pgs_spv_io_scope){.storage_class = SpvStorageClassInput},
                            inputs);
    pgs_spv_collect_io_vars(m, (struct pgs_spv_io_scope){.storage_class = SpvStorageClassOutput},
                            outputs);
    for (uint32_t i = 0; i < outputs->count; i++) {
        if (pgs_spv_is_level(&outputs->items[i])) /* has no place in a vertex */
            pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
    }
    return m->result;
}

static bool has_loops(const struct pgs_spv_module *m)
{
    const struct pgs_spv_list *functions = &m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < functions->count; i++) {
        if (pgs_spv_op(functions->items[i]) == SpvOpLoopMerge)
            return true;
    }
    return false;
}

static void find_steps(const struct pgs_spv_module *m, struct pgs_spv_vertex_info *info)
{
    const bool takes_long = pgs_spv_takes_long(m);
    info->steps = info->round_steps = m->sections[PGS_SPV_FUNCTIONS].count;
    if (takes_long || !pgs_spv_add_push_loops(m, &info->push_loops))
        info->round_steps = UINT32_MAX;
    if (takes_long || has_loops(m))
        info->steps = UINT32_MAX;
    if (info->round_steps == UINT32_MAX)
        info->push_loops.count = 0;
}

static void note_outputs(const struct pgs_spv_io_vars *outputs, struct pgs_spv_vertex_info *info)
{
    for (uint32_t i = 0; i < outputs->count; i++) {
        const struct pgs_spv_io_var *var = &outputs->items[i];
        info->clip_count += var->builtin == SpvBuiltInClipDistance;
        info->cull_count += var->builtin == SpvBuiltInCullDistance;
        if (var->builtin != PGS_SPV_NO_BUILTIN || var->location >= 63)
            continue;
        info->output_mask |= UINT64_C(1) << var->location;
        if (var->width_bits == 64 && var->count > 2)
            info->output_mask |= UINT64_C(2) << var->location;
    }
}

enum pgs_spv_result pgs_spv_vertex_info(const struct pgs_spv_shader *vs,
                                        struct pgs_spv_vertex_info *info)
{
    struct pgs_spv_module m;
    struct pgs_spv_io_vars inputs, outputs;
    *info = (struct pgs_spv_vertex_info){0};
    if (pgs_spv_open_vertex(&m, vs, false, &inputs, &outputs) == PGS_SPV_OK) {
        info->reads_push_constants = pgs_spv_has_push_constants(&m);
        info->has_side_effects = pgs_spv_has_side_effects(&m);
        info->reads_view_index = pgs_spv_io_vars_have(&inputs, SpvBuiltInViewIndex);
        find_steps(&m, info);
        note_outputs(&outputs, info);
        for (uint32_t i = 0; i < inputs.count; i++) {
            const struct pgs_spv_io_var *var = &inputs.items[i];
            if (var->builtin != PGS_SPV_NO_BUILTIN)
                continue;
            if (var->location >= 32)
                pgs_spv_fail(&m, PGS_SPV_INVALID);
            else
                info->attribute_mask |= 1u << var->location;
            if (var->width_bits == 64 && var->count > 2 && var->location < 31)
                info->attribute_mask |= 2u << var->location;
        }
    }
    pgs_spv_finish(&m);
    return m.result;
}

enum pgs_spv_result pgs_spv_vertex_xfb(const struct pgs_spv_shader *vs, struct pgs_spv_layout *out,
                                       struct pgs_spv_xfb *xfb)
{
    struct pgs_spv_module m;
    struct pgs_spv_io_vars inputs, outputs;
    *out = (struct pgs_spv_layout){0};
    *xfb = (struct pgs_spv_xfb){0};
    if (pgs_spv_open_vertex(&m, vs, true, &inputs, &outputs) == PGS_SPV_OK) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < outputs.count; i++) {
            if (outputs.items[i].captured && outputs.items[i].stream == 0)
                outputs.items[count++] = outputs.items[i];
        }
        outputs.count = count;
        if (!pgs_spv_make_layout(&outputs, out))
            pgs_spv_fail(&m, PGS_SPV_UNSUPPORTED);
        else
            pgs_spv_make_xfb(&m, &outputs, out, xfb);
    }
    pgs_spv_finish(&m);
    if (m.result != PGS_SPV_OK) {
        *out = (struct pgs_spv_layout){0};
        *xfb = (struct pgs_spv_xfb){0};
    }
    return m.result;
}
