/* SPDX-License-Identifier: MIT
 *
 * Functions around an entry point, which become the entry point.
 */
#include "spirv/ir/wrap_entry.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/dce.h"

uint32_t pgs_spv_begin_wrapper(struct pgs_spv_module *m)
{
    struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS];
    const uint32_t void_type = pgs_spv_type_void(m), procedure = pgs_spv_type_procedure(m);
    const uint32_t function = pgs_spv_new_id(m);
    PGS_SPV_APPEND(m, list, SpvOpFunction, void_type, function, SpvFunctionControlMaskNone,
                   procedure);
    PGS_SPV_APPEND(m, list, SpvOpLabel, pgs_spv_new_id(m));
    return function;
}

void pgs_spv_call_wrapped(struct pgs_spv_module *m)
{
    PGS_SPV_VALUE(m, &m->sections[PGS_SPV_FUNCTIONS], SpvOpFunctionCall, pgs_spv_type_void(m),
                  m->entry[2]);
}

static bool names_function(const uint32_t *ins, void *context)
{
    return pgs_spv_op(ins) == SpvOpName && ins[1] == *(const uint32_t *)context;
}

void pgs_spv_end_wrapper(struct pgs_spv_module *m, uint32_t function, const char *name)
{
    struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS];
    const struct pgs_spv_list *modes = &m->sections[PGS_SPV_MODES];
    pgs_spv_append(m, list, SpvOpReturn, NULL, 0);
    pgs_spv_append(m, list, SpvOpFunctionEnd, NULL, 0);
    if (m->result != PGS_SPV_OK)
        return;
    /* translators to other languages need unique function names */
    pgs_spv_filter(&m->sections[PGS_SPV_NAMES], names_function, &m->entry[2]);
    for (uint32_t i = 0; i < modes->count; i++)
        modes->items[i][1] = function;
    pgs_spv_dce_globals(m, false);
    pgs_spv_set_entry(m, m->entry[1], function, name);
}
