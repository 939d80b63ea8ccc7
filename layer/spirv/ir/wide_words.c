/* SPDX-License-Identifier: MIT
 *
 * Two words that are one number of 64 bits, mostly addresses.
 */
#include "spirv/ir/wide_words.h"

#include "spirv/ir/builder.h"

struct widener {
    struct pgs_spv_module *m;
    struct pgs_spv_list out;
    uint32_t ulong, pair; /* types */
};

static bool is_pair(const struct widener *w, uint32_t id)
{
    return pgs_spv_type_of(w->m, id) == w->pair;
}

/* The number of two constant words; false: they are none. */
static bool find_words(const struct pgs_spv_module *m, uint32_t id, uint32_t words[2])
{
    const uint32_t *def = pgs_spv_def(m, id);
    words[0] = words[1] = 0;
    if (!def || pgs_spv_op(def) == SpvOpConstantNull)
        return def != NULL;
    return pgs_spv_op(def) == SpvOpConstantComposite && pgs_spv_length(def) == 5 &&
           pgs_spv_constant(m, def[3], &words[0]) && pgs_spv_constant(m, def[4], &words[1]);
}

static uint32_t wide_constant(struct widener *w, const uint32_t words[2])
{
    struct pgs_spv_list *globals = &w->m->sections[PGS_SPV_GLOBALS];
    for (uint32_t i = globals->count; i-- > 0;) {
        const uint32_t *def = globals->items[i];
        if (pgs_spv_op(def) == SpvOpConstant && pgs_spv_length(def) == 5 && def[1] == w->ulong &&
            def[3] == words[0] && def[4] == words[1])
            return def[2];
    }
    return PGS_SPV_VALUE(w->m, globals, SpvOpConstant, w->ulong, words[0], words[1]);
}

static uint32_t widen(struct widener *w, uint32_t id)
{
    uint32_t words[2];
    return find_words(w->m, id, words) ? wide_constant(w, words)
                                       : PGS_SPV_VALUE(w->m, &w->out, SpvOpBitcast, w->ulong, id);
}

/* The instruction with its result becomes a cast of a number. */
static void narrow(struct widener *w, const uint32_t *ins, uint32_t number)
{
    PGS_SPV_APPEND(w->m, &w->out, SpvOpBitcast, ins[1], ins[2], number);
}

/* Both are chosen by one condition. */
static bool widen_select(struct widener *w, const uint32_t *ins)
{
    const uint32_t *both = pgs_spv_def_op(w->m, ins[3], SpvOpCompositeConstruct);
    if (!both || pgs_spv_length(both) != 5 || both[3] != both[4])
        return false;
    const uint32_t yes = widen(w, ins[4]), no = widen(w, ins[5]);
    narrow(w, ins, PGS_SPV_VALUE(w->m, &w->out, SpvOpSelect, w->ulong, both[3], yes, no));
    return true;
}

static bool widen_and(struct widener *w, const uint32_t *ins)
{
    uint32_t words[2];
    if (!is_pair(w, ins[3]) || !is_pair(w, ins[4]) || !find_words(w->m, ins[4], words))
        return false;
    const uint32_t of = widen(w, ins[3]);
    narrow(w, ins,
           PGS_SPV_VALUE(w->m, &w->out, SpvOpBitwiseAnd, w->ulong, of, wide_constant(w, words)));
    return true;
}

/* Whether both words are equal, or any is not. */
static bool widen_comparison(struct widener *w, const uint32_t *ins, uint32_t op)
{
    const uint32_t *each = pgs_spv_def_op(w->m, ins[3], op);
    if (!each || !is_pair(w, each[3]) || !is_pair(w, each[4]))
        return false;
    const uint32_t a = widen(w, each[3]), b = widen(w, each[4]);
    PGS_SPV_APPEND(w->m, &w->out, op, ins[1], ins[2], a, b);
    return true;
}

static bool widen_instruction(struct widener *w, const uint32_t *ins)
{
    switch (pgs_spv_op(ins)) {
    case SpvOpSelect:
        return ins[1] == w->pair && widen_select(w, ins);
    case SpvOpBitwiseAnd:
        return ins[1] == w->pair && widen_and(w, ins);
    case SpvOpAny:
        return widen_comparison(w, ins, SpvOpINotEqual);
    case SpvOpAll:
        return widen_comparison(w, ins, SpvOpIEqual);
    default:
        return false;
    }
}

/* The type of unsigned numbers of 64 bits; 0: the module has none. */
static uint32_t find_ulong(const struct pgs_spv_module *m)
{
    const struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    for (uint32_t i = 0; i < globals->count; i++) {
        const uint32_t *def = globals->items[i];
        if (pgs_spv_op(def) == SpvOpTypeInt && def[2] == 64 && def[3] == 0)
            return def[1];
    }
    return 0;
}

void pgs_spv_widen_words(struct pgs_spv_module *m)
{
    struct pgs_spv_list *functions = &m->sections[PGS_SPV_FUNCTIONS];
    struct widener w = {.m = m, .ulong = find_ulong(m)};
    if (m->result != PGS_SPV_OK || !w.ulong)
        return;
    w.pair = pgs_spv_type_uvec(m, 2);
    for (uint32_t i = 0; i < functions->count && m->result == PGS_SPV_OK; i++) {
        if (!widen_instruction(&w, functions->items[i]))
            pgs_spv_push(m, &w.out, functions->items[i]);
    }
    if (m->result == PGS_SPV_OK)
        *functions = w.out;
}
