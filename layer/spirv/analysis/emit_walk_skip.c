/* SPDX-License-Identifier: MIT
 *
 * When a branch depends on an unknown value, all blocks that could follow are examined, up to the
 * point where the paths merge.
 */
#include "spirv/analysis/emit_walk_skip.h"

#include "spirv/analysis/emit_walk_values.h"
#include "spirv/analysis/push_loops.h"
#include "spirv/ir/operands.h"

/* Adds a label or function to the search. False if the id is neither. */
static bool find(struct pgs_spv_emit_walk *w, uint32_t id, uint32_t op)
{
    if (!pgs_spv_def_op(w->m, id, op) || !w->place[id])
        return false;
    if (w->seen[id] != w->search) {
        w->seen[id] = w->search;
        w->found[w->found_count++] = id;
    }
    return true;
}

static bool find_label(struct pgs_spv_emit_walk *w, uint32_t id, uint32_t merge)
{
    if (id != merge)
        return find(w, id, SpvOpLabel);
    w->finds_end |= id != 0;
    return id != 0;
}

/* Words of one case of a switch, the literal and the label; 0 if unknown. */
static uint32_t words_of_case(const struct pgs_spv_emit_walk *w, const uint32_t *ins)
{
    const uint32_t *selector = pgs_spv_def(w->m, pgs_spv_word(ins, 1));
    uint32_t type_word = 0, id_word;
    if (selector)
        pgs_spv_result_words(pgs_spv_op(selector), &type_word, &id_word);
    const uint32_t *type =
        type_word ? pgs_spv_def_op(w->m, selector[type_word], SpvOpTypeInt) : NULL;
    return !type ? 0 : type[2] > 32 ? 3 : 2;
}

/* Adds the successors of a block. */
static bool find_next(struct pgs_spv_emit_walk *w, const uint32_t *ins, uint32_t merge)
{
    switch (pgs_spv_op(ins)) {
    case SpvOpBranch:
        return find_label(w, pgs_spv_word(ins, 1), merge);
    case SpvOpBranchConditional:
        return find_label(w, pgs_spv_word(ins, 2), merge) &&
               find_label(w, pgs_spv_word(ins, 3), merge);
    case SpvOpSwitch: {
        const uint32_t words = words_of_case(w, ins);
        if (words == 0 || !find_label(w, pgs_spv_word(ins, 2), merge))
            return false;
        for (uint32_t i = 3; i < pgs_spv_length(ins); i += words) {
            if (!find_label(w, pgs_spv_word(ins, i + words - 1), merge))
                return false;
        }
        return true;
    }
    case SpvOpReturn:
    case SpvOpReturnValue:
        w->finds_end |= merge == 0;
        return merge == 0;
    default:
        return pgs_spv_op(ins) == SpvOpUnreachable; /* never executed */
    }
}

/* An instruction in one of the blocks, or in a function that they call. */
static bool may_skip(struct pgs_spv_emit_walk *w, const uint32_t *ins)
{
    switch (pgs_spv_op(ins)) {
    case SpvOpEmitVertex:
    case SpvOpEndPrimitive:
    case SpvOpEmitStreamVertex:
    case SpvOpEndStreamPrimitive:
    case SpvOpKill:
        return false;
    case SpvOpFunctionCall:
        return find(w, ins[3], SpvOpFunction);
    default:
        return pgs_spv_knows_operands(pgs_spv_op(ins));
    }
}

static void note_loop(struct pgs_spv_emit_walk *w, uint32_t at)
{
    if (pgs_spv_op(w->code->items[at]) != SpvOpLoopMerge)
        return;
    w->skips_loop = true;
    w->skips_unknown |= !pgs_spv_add_push_loop(w->m, w->code, at, NULL);
}

/* All blocks of a function are examined, so its own branches need not be followed. */
static bool look_at(struct pgs_spv_emit_walk *w, uint32_t id, uint32_t merge)
{
    const bool is_function = pgs_spv_def_op(w->m, id, SpvOpFunction) != NULL;
    for (uint32_t i = w->place[id]; i < w->code->count; i++) {
        const uint32_t *ins = w->code->items[i];
        const uint32_t op = pgs_spv_op(ins);
        if (!pgs_spv_emit_walk_spend(w, ins))
            return false;
        note_loop(w, i);
        if (op == SpvOpFunctionEnd)
            return is_function;
        if (pgs_spv_ends_block(op)) {
            if (!is_function)
                return find_next(w, ins, merge);
        } else if ((op == SpvOpLabel && !is_function) || !may_skip(w, ins)) {
            return false;
        }
    }
    return false;
}

/* is_noted: the observer knows what comes of it. */
static void forget(struct pgs_spv_emit_walk *w, uint32_t id, bool is_noted)
{
    const bool is_function = pgs_spv_def_op(w->m, id, SpvOpFunction) != NULL;
    for (uint32_t i = w->place[id]; i < w->code->count; i++) {
        const uint32_t *ins = w->code->items[i];
        uint32_t type_word, id_word;
        pgs_spv_result_words(pgs_spv_op(ins), &type_word, &id_word);
        pgs_spv_emit_walk_forget(w, ins);
        if (id_word)
            pgs_spv_emit_walk_assign(w, ins[id_word],
                                     (struct pgs_spv_emit_walk_value){.kind = PGS_SPV_UNKNOWN});
        if (w->observer->skip && !is_noted)
            w->observer->skip(w, ins);
        if (is_function ? pgs_spv_op(ins) == SpvOpFunctionEnd : pgs_spv_ends_block(pgs_spv_op(ins)))
            return;
    }
}

bool pgs_spv_emit_walk_skip(struct pgs_spv_emit_walk *w, const uint32_t *branch, uint32_t merge)
{
    w->search++;
    w->found_count = 0;
    w->finds_end = false;
    if (!find_next(w, branch, merge))
        return false;
    for (uint32_t i = 0; i < w->found_count; i++) {
        if (!look_at(w, w->found[i], merge))
            return false;
    }
    if (!w->finds_end) /* an endless loop */
        return false;
    const bool is_noted = w->observer->region && w->observer->region(w, merge);
    for (uint32_t i = 0; i < w->found_count; i++)
        forget(w, w->found[i], is_noted);
    return !w->is_lost;
}
