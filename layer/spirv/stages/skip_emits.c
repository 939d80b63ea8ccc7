/* SPDX-License-Identifier: MIT */
#include "spirv/stages/skip_emits.h"

#include "spirv/analysis/counted_loop.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/operands.h"
#include "spirv/ir/rewrite.h"

#include <string.h>

static uint32_t renamed(const struct pgs_spv_names *names, uint32_t id)
{
    return id < names->bound && names->value[id] ? names->value[id] : id;
}

/* Writes the test in front of the loop. */
static void copy_test(const struct pgs_spv_emit_loops *s, const struct pgs_spv_counted_loop *l,
                      struct pgs_spv_names *names, struct pgs_spv_list *out)
{
    struct pgs_spv_module *m = s->m;
    const struct pgs_spv_block *b = &s->blocks.items[l->test];
    for (uint32_t at = b->begin; at < b->end && m->result == PGS_SPV_OK; at++) {
        const uint32_t *ins = s->list->items[at];
        const uint32_t length = pgs_spv_length(ins), op = pgs_spv_op(ins);
        if (!pgs_spv_is_of_test(ins))
            continue;
        const uint32_t result = ins[pgs_spv_result_word(ins)], id = pgs_spv_new_id(m);
        uint32_t *words = pgs_spv_alloc(m, length, sizeof(*words));
        if (!words)
            return;
        memcpy(words, ins, length * sizeof(*words));
        pgs_spv_rename_operands(names, words);
        words[pgs_spv_result_word(ins)] = id;
        names->value[result] = id;
        pgs_spv_append(m, out, op, words + 1, length - 1);
    }
}

/* At the end of the block in front of the loop. */
static void write_skip(const struct pgs_spv_emit_loops *s, const struct pgs_spv_counted_loop *l,
                       uint32_t skip, struct pgs_spv_list *out)
{
    struct pgs_spv_module *m = s->m;
    struct pgs_spv_names names = pgs_spv_no_names(m);
    uint32_t *phi = l->is_phi ? pgs_spv_def(m, l->counter) : NULL;
    if (m->result != PGS_SPV_OK)
        return;
    const uint32_t way = phi ? pgs_spv_way_word(s, phi, l->before) : 0;
    if (phi)
        names.value[l->value] = phi[way];
    const uint32_t type = pgs_spv_type_of(m, l->value), uint_type = pgs_spv_type_uint(m);
    copy_test(s, l, &names, out);
    const uint32_t first = renamed(&names, l->value);
    uint32_t times = PGS_SPV_VALUE(m, out, SpvOpISub, uint_type, renamed(&names, l->bound), first);
    if (l->is_inclusive)
        times = PGS_SPV_VALUE(m, out, SpvOpIAdd, uint_type, times, pgs_spv_uint(m, 1));
    times = PGS_SPV_VALUE(m, out, SpvOpSelect, uint_type, renamed(&names, l->compare), times,
                          pgs_spv_uint(m, 0));
    const uint32_t skipped =
        PGS_SPV_VALUE(m, out, SpvOpFunctionCall, uint_type, skip, times, pgs_spv_uint(m, l->each));
    const uint32_t begin = PGS_SPV_VALUE(m, out, SpvOpIAdd, type, first, skipped);
    if (phi)
        phi[way] = begin;
    else
        PGS_SPV_APPEND(m, out, SpvOpStore, l->counter, begin);
}

bool pgs_spv_skip_emits(struct pgs_spv_module *m, const struct pgs_spv_emit_functions *functions,
                        uint32_t skip)
{
    struct pgs_spv_emit_loops loops;
    struct pgs_spv_list out = {0};
    struct pgs_spv_counted_loop l;
    if (!pgs_spv_find_emit_loops(m, functions, &loops) || !pgs_spv_find_counted_loop(&loops, &l))
        return false;
    const uint32_t at = loops.blocks.items[l.before].end - 1;
    for (uint32_t i = 0; i < loops.list->count && m->result == PGS_SPV_OK; i++) {
        if (i == at)
            write_skip(&loops, &l, skip, &out);
        pgs_spv_push(m, &out, loops.list->items[i]);
    }
    if (m->result == PGS_SPV_OK)
        m->sections[PGS_SPV_FUNCTIONS] = out;
    return true;
}
