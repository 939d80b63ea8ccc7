/* SPDX-License-Identifier: MIT
 *
 * A number that is wrong costs time and nothing else, so the form of a loop is enough.
 */
#include "spirv/analysis/push_loops.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/module.h"

#define MOST_B 256 /* of push constants */

/* Index of the block's last instruction. */
static uint32_t end_of_block(const struct pgs_spv_list *code, uint32_t at)
{
    while (at < code->count && !pgs_spv_ends_block(pgs_spv_op(code->items[at])))
        at++;
    return at;
}

/* The branch that leaves the loop; NULL: it is neither in the header nor in the block behind. */
static const uint32_t *test_of(const struct pgs_spv_list *code, uint32_t at)
{
    const uint32_t merge = code->items[at][1];
    at = end_of_block(code, at);
    if (at < code->count && pgs_spv_op(code->items[at]) == SpvOpBranch) {
        const uint32_t test = code->items[at][1];
        at++;
        if (at == code->count || pgs_spv_op(code->items[at]) != SpvOpLabel ||
            code->items[at][1] != test)
            return NULL;
        at = end_of_block(code, at + 1);
    }
    if (at >= code->count || pgs_spv_op(code->items[at]) != SpvOpBranchConditional ||
        code->items[at][3] != merge)
        return NULL;
    return code->items[at];
}

/* Words of the members that constant indices lead to; false: there is no such place. */
static bool find_word(const struct pgs_spv_module *m, uint32_t id, uint32_t *at_w)
{
    const uint32_t *load = pgs_spv_def_op(m, id, SpvOpLoad);
    const uint32_t *chain = load ? pgs_spv_def(m, load[3]) : NULL;
    const bool is_chain = chain && pgs_spv_is_chain(pgs_spv_op(chain));
    const uint32_t *variable = is_chain ? pgs_spv_def_op(m, chain[3], SpvOpVariable) : NULL;
    if (!variable || variable[3] != SpvStorageClassPushConstant)
        return false;
    const uint32_t *pointer = pgs_spv_def_op(m, variable[1], SpvOpTypePointer);
    const uint32_t *type = pointer ? pgs_spv_def(m, pointer[3]) : NULL;
    uint32_t at_B = 0;
    for (uint32_t i = 4; i < pgs_spv_length(chain); i++) {
        uint32_t member, offset_B;
        if (!type || pgs_spv_op(type) != SpvOpTypeStruct ||
            !pgs_spv_constant(m, chain[i], &member) || member + 2 >= pgs_spv_length(type) ||
            !pgs_spv_decoration(m, type[1], (int32_t)member, SpvDecorationOffset, &offset_B) ||
            offset_B >= MOST_B)
            return false;
        at_B += offset_B;
        type = pgs_spv_def(m, type[2 + member]);
    }
    if (!type || pgs_spv_op(type) != SpvOpTypeInt || type[2] != 32 || at_B % 4 || at_B >= MOST_B)
        return false;
    *at_w = at_B / 4;
    return true;
}

static bool is_one_more(const struct pgs_spv_module *m, uint32_t id)
{
    const uint32_t *sum = pgs_spv_def_op(m, id, SpvOpIAdd);
    uint32_t one = 0;
    return sum && ((pgs_spv_constant(m, sum[3], &one) && one == 1) ||
                   (pgs_spv_constant(m, sum[4], &one) && one == 1));
}

static bool is_natural(const struct pgs_spv_module *m, uint32_t id)
{
    uint32_t number;
    return pgs_spv_constant(m, id, &number) && number <= INT32_MAX;
}

static bool counts_phi(const struct pgs_spv_module *m, const uint32_t *phi)
{
    uint32_t sums = 0;
    for (uint32_t i = 3; i + 1 < pgs_spv_length(phi); i += 2) {
        const bool is_sum = is_one_more(m, phi[i]);
        if (!is_sum && !is_natural(m, phi[i]))
            return false;
        sums += is_sum;
    }
    return sums > 0;
}

static bool counts_variable(const struct pgs_spv_module *m, const struct pgs_spv_list *code,
                            uint32_t variable)
{
    uint32_t sums = 0;
    const uint32_t *def = pgs_spv_def_op(m, variable, SpvOpVariable);
    if (!def || def[3] != SpvStorageClassFunction)
        return false;
    for (uint32_t i = 0; i < code->count; i++) {
        const uint32_t *ins = code->items[i];
        if (pgs_spv_op(ins) != SpvOpStore || ins[1] != variable)
            continue;
        const bool is_sum = is_one_more(m, ins[2]);
        if (!is_sum && !is_natural(m, ins[2]))
            return false;
        sums += is_sum;
    }
    return sums > 0;
}

static bool counts(const struct pgs_spv_module *m, const struct pgs_spv_list *code, uint32_t id)
{
    const uint32_t *def = pgs_spv_def(m, id);
    switch (def ? pgs_spv_op(def) : (uint32_t)SpvOpNop) {
    case SpvOpPhi:
        return counts_phi(m, def);
    case SpvOpLoad:
        return counts_variable(m, code, def[3]);
    default:
        return false;
    }
}

static bool add_word(struct pgs_spv_push_loops *loops, uint32_t at_w)
{
    if (loops->count == PGS_SPV_PUSH_LOOPS)
        return false;
    loops->at_w[loops->count++] = at_w;
    return true;
}

bool pgs_spv_add_push_loop(const struct pgs_spv_module *m, const struct pgs_spv_list *code,
                           uint32_t at, struct pgs_spv_push_loops *loops)
{
    const uint32_t *test = test_of(code, at);
    const uint32_t *compare = test ? pgs_spv_def(m, test[1]) : NULL;
    const uint32_t op = compare ? pgs_spv_op(compare) : SpvOpNop;
    const bool less = op == SpvOpSLessThan || op == SpvOpULessThan;
    const bool greater = op == SpvOpSGreaterThan || op == SpvOpUGreaterThan;
    uint32_t at_w;
    if ((!less && !greater) || !find_word(m, compare[less ? 4 : 3], &at_w) ||
        !counts(m, code, compare[less ? 3 : 4]))
        return false;
    return !loops || add_word(loops, at_w);
}

bool pgs_spv_add_push_loops(const struct pgs_spv_module *m, struct pgs_spv_push_loops *loops)
{
    const struct pgs_spv_list *code = &m->sections[PGS_SPV_FUNCTIONS];
    bool all = true;
    for (uint32_t i = 0; i < code->count; i++)
        if (pgs_spv_op(code->items[i]) == SpvOpLoopMerge)
            all &= pgs_spv_add_push_loop(m, code, i, loops);
    return all;
}

bool pgs_spv_join_push_loops(struct pgs_spv_push_loops *loops,
                             const struct pgs_spv_push_loops *others)
{
    bool fits = true;
    for (uint32_t i = 0; i < others->count; i++)
        fits &= add_word(loops, others->at_w[i]);
    return fits;
}
