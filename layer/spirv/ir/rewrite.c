/* SPDX-License-Identifier: MIT
 *
 * Ids of functions that stand for others.
 */
#include "spirv/ir/rewrite.h"

#include "spirv/ir/operands.h"

struct pgs_spv_names pgs_spv_no_names(struct pgs_spv_module *m)
{
    return (struct pgs_spv_names){.bound = m->bound, .value = pgs_spv_zalloc(m, m->bound, 4)};
}

uint32_t pgs_spv_final_name(const struct pgs_spv_names *names, uint32_t id)
{
    while (id < names->bound && names->value[id])
        id = names->value[id];
    return id;
}

bool pgs_spv_stand_for(struct pgs_spv_names *names, uint32_t id, uint32_t value)
{
    const uint32_t final = pgs_spv_final_name(names, value);
    if (final == id || id >= names->bound)
        return false;
    names->value[id] = final;
    return true;
}

void pgs_spv_rename_operands(const struct pgs_spv_names *names, uint32_t *ins)
{
    const struct pgs_spv_id_words ids = pgs_spv_id_words(ins);
    uint32_t type_word, id_word;
    pgs_spv_result_words(pgs_spv_op(ins), &type_word, &id_word);
    /* The cases of a switch may have 64 bits, and are literals and labels. */
    const uint32_t end = pgs_spv_op(ins) == SpvOpSwitch ? 2 : ids.end;
    for (uint32_t i = (type_word > id_word ? type_word : id_word) + 1; i < end; i++) {
        if (ins[i] < names->bound && names->value[ins[i]] &&
            (i < ids.sure || pgs_spv_is_mixed_id(ins, i)))
            ins[i] = pgs_spv_final_name(names, ins[i]);
    }
}

bool pgs_spv_can_rename(const struct pgs_spv_module *m)
{
    const struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < list->count; i++) {
        if (!pgs_spv_knows_operands(pgs_spv_op(list->items[i])))
            return false;
    }
    return true;
}
