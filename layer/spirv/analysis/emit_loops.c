/* SPDX-License-Identifier: MIT */
#include "spirv/analysis/emit_loops.h"

bool pgs_spv_find_emit_loops(struct pgs_spv_module *m,
                             const struct pgs_spv_emit_functions *functions,
                             struct pgs_spv_emit_loops *loops)
{
    const struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS];
    *loops = (struct pgs_spv_emit_loops){.m = m, .list = list, .functions = *functions};
    if (m->result != PGS_SPV_OK)
        return false;
    uint32_t first = 0, end;
    while (first < list->count && !(pgs_spv_op(list->items[first]) == SpvOpFunction &&
                                    list->items[first][2] == m->entry[2]))
        first++;
    for (end = first; end < list->count && pgs_spv_op(list->items[end]) != SpvOpFunctionEnd;)
        end++;
    loops->first = first;
    loops->end = end;
    loops->blocks = pgs_spv_no_blocks(m);
    pgs_spv_find_blocks(&loops->blocks, first, end);
    return end < list->count && m->result == PGS_SPV_OK;
}

const uint32_t *pgs_spv_block_end(const struct pgs_spv_emit_loops *loops, uint32_t block)
{
    const struct pgs_spv_block *b = &loops->blocks.items[block];
    return b->end > b->begin ? loops->list->items[b->end - 1] : NULL;
}

const uint32_t *pgs_spv_loop_merge(const struct pgs_spv_emit_loops *loops, uint32_t block)
{
    const struct pgs_spv_block *b = &loops->blocks.items[block];
    const uint32_t *ins = b->end - b->begin >= 2 ? loops->list->items[b->end - 2] : NULL;
    return ins && pgs_spv_op(ins) == SpvOpLoopMerge ? ins : NULL;
}

uint32_t pgs_spv_labelled_block(const struct pgs_spv_emit_loops *loops, uint32_t label)
{
    const struct pgs_spv_blocks *b = &loops->blocks;
    const uint32_t number = label < b->bound ? b->number_of[label] : 0;
    const bool is_there = number && number <= b->count;
    return is_there && b->items[number - 1].turn != PGS_SPV_NO_BLOCK ? number - 1
                                                                     : PGS_SPV_NO_BLOCK;
}

bool pgs_spv_is_behind(const struct pgs_spv_emit_loops *loops, uint32_t label, uint32_t block)
{
    const uint32_t by = pgs_spv_labelled_block(loops, label);
    return by != PGS_SPV_NO_BLOCK && pgs_spv_dominates(&loops->blocks, by, block);
}

const uint32_t *pgs_spv_loop_around(const struct pgs_spv_emit_loops *loops, uint32_t block)
{
    const uint32_t *innermost = NULL;
    uint32_t turn = 0;
    for (uint32_t i = 0; i < loops->blocks.count; i++) {
        const uint32_t *merge = pgs_spv_loop_merge(loops, i);
        const uint32_t at = loops->blocks.items[i].turn;
        if (!merge || at == PGS_SPV_NO_BLOCK || (innermost && at < turn) ||
            !pgs_spv_dominates(&loops->blocks, i, block) ||
            pgs_spv_is_behind(loops, merge[1], block))
            continue;
        innermost = merge;
        turn = at;
    }
    return pgs_spv_loop_merge(loops, block) ? NULL : innermost;
}

static bool is_end_of_strip(const struct pgs_spv_emit_loops *loops, const uint32_t *ins)
{
    const uint32_t op = pgs_spv_op(ins), function = loops->functions.end_primitive;
    return op == SpvOpEndPrimitive || op == SpvOpEndStreamPrimitive ||
           (op == SpvOpFunctionCall && function && ins[3] == function);
}

bool pgs_spv_shader_ends(const struct pgs_spv_emit_loops *loops, uint32_t label)
{
    const uint32_t block = pgs_spv_labelled_block(loops, label);
    if (block == PGS_SPV_NO_BLOCK)
        return false;
    const struct pgs_spv_block *b = &loops->blocks.items[block];
    for (uint32_t i = b->begin; i + 1 < b->end; i++)
        if (!is_end_of_strip(loops, loops->list->items[i]))
            return false;
    const uint32_t *end = pgs_spv_block_end(loops, block);
    return end && pgs_spv_op(end) == SpvOpReturn;
}

bool pgs_spv_is_emit(const struct pgs_spv_emit_loops *loops, const uint32_t *ins)
{
    bool is = pgs_spv_op(ins) == SpvOpEmitVertex || pgs_spv_op(ins) == SpvOpEmitStreamVertex;
    for (uint32_t i = 0; i < PGS_SPV_STREAMS && pgs_spv_op(ins) == SpvOpFunctionCall; i++)
        is |= loops->functions.emits[i] && ins[3] == loops->functions.emits[i];
    return is;
}
