/* SPDX-License-Identifier: MIT */
#include "spirv/stages/early_end.h"

#include "spirv/ir/builder.h"

struct pass {
    struct pgs_spv_emit_loops loops;
    uint32_t done, argument;
};

/* The place of the last emit of a block that may end its loop. PGS_SPV_NO_BLOCK: there is none. */
static uint32_t last_emit(const struct pgs_spv_emit_loops *loops, uint32_t block)
{
    const struct pgs_spv_block *b = &loops->blocks.items[block];
    uint32_t at = b->end;
    while (at > b->begin && !pgs_spv_is_emit(loops, loops->list->items[at - 1]))
        at--;
    if (at == b->begin || b->turn == PGS_SPV_NO_BLOCK)
        return PGS_SPV_NO_BLOCK;
    const uint32_t *merge = pgs_spv_loop_around(loops, block);
    const bool ends =
        merge && !pgs_spv_is_behind(loops, merge[2], block) && pgs_spv_shader_ends(loops, merge[1]);
    return ends ? at - 1 : PGS_SPV_NO_BLOCK;
}

/* What follows is a block of its own. Returns its label. */
static uint32_t write_end(const struct pass *p, struct pgs_spv_list *list, uint32_t behind)
{
    struct pgs_spv_module *m = p->loops.m;
    const uint32_t bool_type = pgs_spv_type(m, SpvOpTypeBool, NULL, 0);
    const uint32_t leave = pgs_spv_new_id(m), rest = pgs_spv_new_id(m);
    const uint32_t is_done =
        PGS_SPV_VALUE(m, list, SpvOpFunctionCall, bool_type, p->done, pgs_spv_uint(m, p->argument));
    PGS_SPV_APPEND(m, list, SpvOpSelectionMerge, rest, SpvSelectionControlMaskNone);
    PGS_SPV_APPEND(m, list, SpvOpBranchConditional, is_done, leave, rest);
    PGS_SPV_APPEND(m, list, SpvOpLabel, leave);
    PGS_SPV_APPEND(m, list, SpvOpBranch, behind);
    PGS_SPV_APPEND(m, list, SpvOpLabel, rest);
    return rest;
}

/* Values come from the block that ends what was one. */
static void rename_ways(const struct pgs_spv_emit_loops *loops, const uint32_t *renamed)
{
    for (uint32_t i = loops->first; i < loops->end; i++) {
        uint32_t *ins = loops->list->items[i];
        for (uint32_t k = 4; pgs_spv_op(ins) == SpvOpPhi && k < pgs_spv_length(ins); k += 2) {
            const uint32_t block = pgs_spv_labelled_block(loops, ins[k]);
            if (block != PGS_SPV_NO_BLOCK && renamed[block])
                ins[k] = renamed[block];
        }
    }
}

void pgs_spv_end_early(struct pgs_spv_module *m, const struct pgs_spv_emit_functions *functions,
                       uint32_t done, uint32_t argument)
{
    struct pass p = {.done = done, .argument = argument};
    struct pgs_spv_emit_loops *loops = &p.loops;
    if (!pgs_spv_find_emit_loops(m, functions, loops))
        return;
    const uint32_t count = loops->blocks.count;
    uint32_t *emit_at = pgs_spv_alloc(m, count + 1u, sizeof(*emit_at));
    uint32_t *renamed = pgs_spv_zalloc(m, count + 1u, sizeof(*renamed));
    struct pgs_spv_list out = {0};
    uint32_t block = 0;
    for (uint32_t i = 0; i < count && m->result == PGS_SPV_OK; i++)
        emit_at[i] = last_emit(loops, i);
    for (uint32_t i = 0; i < loops->list->count && m->result == PGS_SPV_OK; i++) {
        pgs_spv_push(m, &out, loops->list->items[i]);
        while (block < count && loops->blocks.items[block].end <= i)
            block++;
        if (block < count && emit_at[block] == i)
            renamed[block] = write_end(&p, &out, pgs_spv_loop_around(loops, block)[1]);
    }
    if (m->result != PGS_SPV_OK)
        return;
    rename_ways(loops, renamed);
    m->sections[PGS_SPV_FUNCTIONS] = out;
}
