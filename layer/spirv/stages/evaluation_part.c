/* SPDX-License-Identifier: MIT
 *
 * A tessellation evaluation shader as a function in a geometry shader's module.
 */
#include "spirv/stages/evaluation_part.h"

#include "spirv/analysis/effects.h"
#include "spirv/io/outputs.h"
#include "spirv/ir/builder.h"

static uint32_t write_run(const struct pgs_spv_evaluation *e, const struct pgs_spv_layout *out,
                          uint32_t stored, const struct pgs_spv_io_vars *inputs,
                          const struct pgs_spv_io_vars *outputs, uint8_t writes[])
{
    struct pgs_spv_module *m = e->m;
    const uint32_t function = pgs_spv_new_id(m), void_type = pgs_spv_type_void(m);
    PGS_SPV_APPEND(m, e->list, SpvOpFunction, void_type, function, SpvFunctionControlMaskNone,
                   pgs_spv_type_procedure(m));
    PGS_SPV_APPEND(m, e->list, SpvOpLabel, pgs_spv_new_id(m));
    pgs_spv_zero_targets(m, e->list, outputs);
    pgs_spv_store_initial_values(m);
    pgs_spv_fill_evaluation(e, inputs);
    PGS_SPV_VALUE(m, e->list, SpvOpFunctionCall, void_type, m->entry[2]);
    pgs_spv_store_part_outputs(m, out, stored, outputs, writes);
    pgs_spv_append(m, e->list, SpvOpReturn, NULL, 0);
    pgs_spv_append(m, e->list, SpvOpFunctionEnd, NULL, 0);
    return function;
}

static bool calls_function(const struct pgs_spv_module *m, uint32_t function)
{
    const struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < list->count; i++)
        if (pgs_spv_op(list->items[i]) == SpvOpFunctionCall && list->items[i][3] == function)
            return true;
    return false;
}

void pgs_spv_add_evaluation(struct pgs_spv_module *m, const struct pgs_spv_shader *tes,
                            const struct pgs_spv_evaluation_options *options,
                            const struct pgs_spv_layout *out,
                            uint32_t functions[PGS_SPV_EVALUATION_FUNCTION_COUNT],
                            struct pgs_spv_vertex_part *part)
{
    struct pgs_spv_module v;
    struct pgs_spv_io_vars inputs, outputs;
    uint32_t calls[PGS_SPV_EVALUATION_FUNCTION_COUNT] = {0};
    uint8_t *writes = pgs_spv_zalloc(m, out->stride_w + 1u, 1);
    *part = (struct pgs_spv_vertex_part){.patch = options->patch, .writes = writes};
    if (!writes)
        return;
    if (pgs_spv_open_tessellation(&v, tes, PGS_SPV_EVALUATION, &inputs, &outputs) == PGS_SPV_OK) {
        struct pgs_spv_evaluation e = {.m = &v,
                                       .list = &v.sections[PGS_SPV_FUNCTIONS],
                                       .patch = options->patch,
                                       .triangles = options->triangles};
        if (pgs_spv_needs_subgroups(&v) || pgs_spv_has_side_effects(&v))
            pgs_spv_fail(&v, PGS_SPV_UNSUPPORTED);
        if (pgs_spv_lower_evaluation(&e, SpvStorageClassPrivate, &inputs))
            pgs_spv_add_capability(&v, SpvCapabilityPhysicalStorageBufferAddresses);
        part->stored = pgs_spv_make_part_outputs(&v, out->stride_w);
        part->run = write_run(&e, out, part->stored, &inputs, &outputs, writes);
        for (uint32_t i = 0; i < PGS_SPV_EVALUATION_FUNCTION_COUNT && v.result == PGS_SPV_OK; i++)
            calls[i] = calls_function(&v, e.functions[i]) ? e.functions[i] : 0;
    }
    pgs_spv_join_part(m, &v, calls, functions, PGS_SPV_EVALUATION_FUNCTION_COUNT, part);
    pgs_spv_finish(&v);
}
