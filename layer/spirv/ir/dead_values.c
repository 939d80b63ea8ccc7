/* SPDX-License-Identifier: MIT
 *
 * Drops values that nothing uses and variables that nothing reads.
 */
#include "spirv/ir/dead_values.h"

#include "spirv/ir/operands.h"

bool pgs_spv_is_pure(const uint32_t *ins)
{
    const uint32_t op = pgs_spv_op(ins);
    switch (op) {
    case SpvOpUndef:
    case SpvOpVariable:
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpVectorExtractDynamic:
    case SpvOpVectorInsertDynamic:
    case SpvOpVectorShuffle:
    case SpvOpCompositeConstruct:
    case SpvOpCompositeExtract:
    case SpvOpCompositeInsert:
    case SpvOpCopyObject:
    case SpvOpPhi:
        return true;
    case SpvOpLoad:
        return pgs_spv_length(ins) < 5 || !(ins[4] & SpvMemoryAccessVolatileMask);
    default: /* conversions, arithmetic, logic, bits */
        return (op >= SpvOpConvertFToU && op <= SpvOpBitcast) ||
               (op >= SpvOpSNegate && op <= SpvOpBitCount);
    }
}

/* Values from the id `first` on, which may be dropped. */
struct values {
    uint32_t first, bound;
    uint8_t *used; /* by id - first */
};

static void use_operands(const struct values *v, const uint32_t *ins, uint32_t id_word)
{
    const struct pgs_spv_id_words ids = pgs_spv_id_words(ins);
    for (uint32_t i = 1; i < ids.end; i++) {
        if (ins[i] - v->first < v->bound - v->first && i != id_word &&
            (i < ids.sure || pgs_spv_is_mixed_id(ins, i)))
            v->used[ins[i] - v->first] = 1;
    }
}

static bool is_unused(const struct values *v, const uint32_t *ins, uint32_t id_word)
{
    return id_word && ins[id_word] >= v->first && ins[id_word] < v->bound &&
           !v->used[ins[id_word] - v->first] && pgs_spv_is_pure(ins);
}

/* Goes backwards, so that users are known before what they use; only phis use what comes later. */
void pgs_spv_drop_dead_values(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t first)
{
    struct values v = {
        .first = first, .bound = m->bound, .used = pgs_spv_zalloc(m, m->bound - first + 1u, 1)};
    if (!v.used)
        return;
    for (uint32_t i = 0; i < list->count; i++) {
        if (pgs_spv_op(list->items[i]) == SpvOpPhi)
            use_operands(&v, list->items[i], pgs_spv_result_word(list->items[i]));
    }
    uint32_t kept = list->count;
    for (uint32_t i = list->count; i-- > 0;) {
        uint32_t *ins = list->items[i];
        const uint32_t id_word = pgs_spv_result_word(ins);
        if (is_unused(&v, ins, id_word))
            continue;
        use_operands(&v, ins, id_word);
        list->items[--kept] = ins;
    }
    for (uint32_t i = kept; i < list->count; i++)
        list->items[i - kept] = list->items[i];
    list->count -= kept;
}

struct variables {
    uint32_t bound;
    uint32_t *of; /* by id: the variable that a pointer leads into */
    bool *is_read;
};

static void note_pointers(struct variables *v, const uint32_t *ins)
{
    const uint32_t op = pgs_spv_op(ins), id_word = pgs_spv_result_word(ins);
    const bool is_chain = op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain;
    for (uint32_t i = 1; i < pgs_spv_length(ins); i++) {
        if (ins[i] >= v->bound || !v->of[ins[i]] || i == id_word || !pgs_spv_is_id(ins, i))
            continue;
        if (is_chain && i == 3)
            v->of[ins[2]] = v->of[ins[i]];
        else if (op != SpvOpStore || i != 1)
            v->is_read[v->of[ins[i]]] = true;
    }
}

static bool is_unread_store(const uint32_t *ins, void *context)
{
    const struct variables *v = context;
    const uint32_t variable =
        pgs_spv_op(ins) == SpvOpStore && ins[1] < v->bound ? v->of[ins[1]] : 0;
    return variable && !v->is_read[variable];
}

bool pgs_spv_drop_unread_variables(struct pgs_spv_module *m)
{
    const struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    struct pgs_spv_list *functions = &m->sections[PGS_SPV_FUNCTIONS];
    struct variables v = {.bound = m->bound,
                          .of = pgs_spv_zalloc(m, m->bound, sizeof(*v.of)),
                          .is_read = pgs_spv_zalloc(m, m->bound, sizeof(*v.is_read))};
    if (m->result != PGS_SPV_OK)
        return false;
    for (uint32_t i = 0; i < globals->count; i++) {
        const uint32_t *ins = globals->items[i];
        if (pgs_spv_op(ins) == SpvOpVariable && ins[3] == SpvStorageClassPrivate)
            v.of[ins[2]] = ins[2];
    }
    for (uint32_t i = 0; i < functions->count; i++) {
        const uint32_t *ins = functions->items[i];
        if (pgs_spv_op(ins) == SpvOpVariable)
            v.of[ins[2]] = ins[2];
        note_pointers(&v, ins);
    }
    const uint32_t count = functions->count;
    pgs_spv_filter(functions, is_unread_store, &v);
    return functions->count != count;
}
