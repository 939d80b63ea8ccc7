/* SPDX-License-Identifier: MIT */
#include "spirv/ir/needed_components.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/operands.h"

#include <string.h>

#define ALL 0xFFu

struct needs {
    const struct pgs_spv_module *m;
    uint8_t *of; /* by id */
    bool changed;
};

static void need(struct needs *n, uint32_t id, uint32_t mask)
{
    if (id < n->m->bound && (mask & ~(uint32_t)n->of[id])) {
        n->of[id] |= (uint8_t)mask;
        n->changed = true;
    }
}

/* 0: no vector. */
static uint32_t components_of(const struct needs *n, uint32_t id)
{
    const uint32_t *type = pgs_spv_def_op(n->m, pgs_spv_type_of(n->m, id), SpvOpTypeVector);
    return type ? type[3] : 0;
}

/* Ids of the words [from, end) of a vector as long as the result are needed as that is; others
 * whole. */
static void pass_on(struct needs *n, const uint32_t *ins, uint32_t from, uint32_t end,
                    uint32_t step)
{
    const uint32_t count = components_of(n, ins[2]);
    for (uint32_t i = from; i < end; i += step)
        need(n, ins[i], count && components_of(n, ins[i]) == count ? n->of[ins[2]] : ALL);
}

static void pass_through_shuffle(struct needs *n, const uint32_t *ins)
{
    const uint32_t first = components_of(n, ins[3]);
    for (uint32_t i = 5; i < pgs_spv_length(ins) && i < 5 + 8; i++) {
        if (!(n->of[ins[2]] >> (i - 5) & 1) || ins[i] == UINT32_MAX)
            continue;
        if (ins[i] < first)
            need(n, ins[3], UINT32_C(1) << (ins[i] & 7));
        else
            need(n, ins[4], UINT32_C(1) << ((ins[i] - first) & 7));
    }
}

static void need_all(struct needs *n, const uint32_t *ins)
{
    const struct pgs_spv_id_words ids = pgs_spv_id_words(ins);
    const uint32_t result = pgs_spv_result_word(ins);
    for (uint32_t i = 1; i < ids.end; i++)
        if (i != result && (i < ids.sure || pgs_spv_is_mixed_id(ins, i)))
            need(n, ins[i], ALL);
}

/* Only operations that are defined for any value of a component, for it may become another one. */
static void visit(struct needs *n, const uint32_t *ins)
{
    const uint32_t length = pgs_spv_length(ins);
    switch (pgs_spv_op(ins)) {
    case SpvOpCompositeExtract:
        need(n, ins[3],
             length == 5 && components_of(n, ins[3]) ? UINT32_C(1) << (ins[4] & 7) : ALL);
        break;
    case SpvOpVectorShuffle:
        pass_through_shuffle(n, ins);
        break;
    case SpvOpPhi:
        pass_on(n, ins, 3, length, 2);
        break;
    case SpvOpCopyObject:
    case SpvOpBitcast:
    case SpvOpSelect:
    case SpvOpFNegate:
    case SpvOpFAdd:
    case SpvOpFSub:
    case SpvOpFMul:
    case SpvOpVectorTimesScalar:
    case SpvOpIAdd:
    case SpvOpISub:
    case SpvOpIMul:
    case SpvOpNot:
    case SpvOpBitwiseAnd:
    case SpvOpBitwiseOr:
    case SpvOpBitwiseXor:
        pass_on(n, ins, 3, length, 1);
        break;
    default:
        need_all(n, ins);
        break;
    }
}

/* What values need goes around loops by phis, some times. */
#define MAX_ROUNDS 16

/* From users to what they use; only phis use what comes later. */
const uint8_t *pgs_spv_needed_components(struct pgs_spv_module *m)
{
    const struct pgs_spv_list *functions = &m->sections[PGS_SPV_FUNCTIONS];
    struct needs n = {.m = m, .of = pgs_spv_zalloc(m, m->bound, 1)};
    uint32_t rounds = MAX_ROUNDS;
    if (!n.of)
        return NULL;
    do {
        n.changed = false;
        for (uint32_t i = functions->count; i-- > 0;)
            visit(&n, functions->items[i]);
    } while (n.changed && --rounds > 0);
    if (n.changed)
        memset(n.of, ALL, m->bound);
    return n.of;
}
