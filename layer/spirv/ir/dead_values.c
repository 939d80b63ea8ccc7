/* SPDX-License-Identifier: MIT
 *
 * Drops values that nothing uses and variables that nothing reads.
 */
#include "spirv/ir/dead_values.h"

#include "spirv/ir/fold.h"
#include "spirv/ir/operands.h"

#include <string.h>

#include <spirv/unified1/GLSL.std.450.h>

bool pgs_spv_is_pure_besides(const uint32_t *ins)
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

bool pgs_spv_is_math(const struct pgs_spv_module *m, const uint32_t *ins)
{
    const uint32_t *set = pgs_spv_op(ins) == SpvOpExtInst && pgs_spv_length(ins) > 5
                              ? pgs_spv_def_op(m, ins[3], SpvOpExtInstImport)
                              : NULL;
    return set && pgs_spv_string_is(set, 2, "GLSL.std.450") && ins[4] != GLSLstd450Modf &&
           ins[4] != GLSLstd450Frexp && ins[4] < GLSLstd450InterpolateAtCentroid;
}

/* Values from the id `first` on, which may be dropped. */
struct values {
    uint32_t first, bound;
    uint8_t *used; /* by id - first */
    const struct pgs_spv_module *m;
    const bool *has_effects; /* by id: of functions; NULL: calls stay */
};

static void use_operands(const struct values *v, const uint32_t *ins, uint32_t id_word)
{
    const struct pgs_spv_id_words ids = pgs_spv_id_words(ins);
    const uint32_t first = v->first, count = v->bound - v->first;
    uint8_t *used = v->used;
    for (uint32_t i = id_word + 1; i < ids.sure; i++) /* the type is no value */
        if (ins[i] - first < count)
            used[ins[i] - first] = 1;
    for (uint32_t i = ids.sure; i < ids.end; i++)
        if (ins[i] - first < count && pgs_spv_is_mixed_id(ins, i))
            used[ins[i] - first] = 1;
}

static bool is_idle_call(const struct values *v, const uint32_t *ins)
{
    return v->has_effects && pgs_spv_op(ins) == SpvOpFunctionCall && ins[3] < v->bound &&
           !v->has_effects[ins[3]];
}

static bool is_unused(const struct values *v, const uint32_t *ins, uint32_t id_word)
{
    return id_word && ins[id_word] >= v->first && ins[id_word] < v->bound &&
           !v->used[ins[id_word] - v->first] &&
           (pgs_spv_is_pure(ins) || pgs_spv_is_math(v->m, ins) || is_idle_call(v, ins));
}

/* Goes backwards, so that users are known before what they use; only phis use what comes later. */
static void drop_values(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t first,
                        const bool *has_effects)
{
    struct values v = {.first = first,
                       .bound = m->bound,
                       .used = pgs_spv_zalloc(m, m->bound - first + 1u, 1),
                       .m = m,
                       .has_effects = has_effects};
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

void pgs_spv_drop_dead_values(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t first)
{
    drop_values(m, list, first, NULL);
}

/* -- functions -- */

struct call {
    uint32_t from, to; /* ids */
};

/* True if the instruction may do something besides its result. Calls do what the function does. */
static bool acts(const struct pgs_spv_module *m, const uint32_t *ins)
{
    switch (pgs_spv_op(ins)) {
    case SpvOpFunction:
    case SpvOpFunctionParameter:
    case SpvOpFunctionCall:
    case SpvOpFunctionEnd:
        return false;
    default:
        return !pgs_spv_is_control(pgs_spv_op(ins)) && !pgs_spv_is_pure(ins) &&
               !pgs_spv_is_math(m, ins);
    }
}

/* By id: functions with effects, and all ids that are no functions. */
static bool *find_effects(struct pgs_spv_module *m)
{
    const struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS];
    uint32_t call_count = 0, count = 0, function = 0;
    for (uint32_t i = 0; i < list->count; i++)
        call_count += pgs_spv_op(list->items[i]) == SpvOpFunctionCall;
    struct call *calls = pgs_spv_zalloc(m, call_count + 1u, sizeof(*calls));
    bool *has_effects = pgs_spv_alloc(m, m->bound + 1u, sizeof(*has_effects));
    if (m->result != PGS_SPV_OK)
        return NULL;
    memset(has_effects, true, m->bound);
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t *ins = list->items[i];
        if (pgs_spv_op(ins) == SpvOpFunction)
            has_effects[function = ins[2]] = false;
        else if (pgs_spv_op(ins) == SpvOpFunctionCall && ins[3] < m->bound)
            calls[count++] = (struct call){.from = function, .to = ins[3]};
        else if (!has_effects[function])
            has_effects[function] = acts(m, ins);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < count; i++) {
            changed = changed || (has_effects[calls[i].to] && !has_effects[calls[i].from]);
            has_effects[calls[i].from] |= has_effects[calls[i].to];
        }
    }
    return has_effects;
}

static bool has_calls(const struct pgs_spv_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (pgs_spv_op(list->items[i]) == SpvOpFunctionCall)
            return true;
    return false;
}

static uint32_t *count_calls(struct pgs_spv_module *m)
{
    const struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS];
    uint32_t *calls = pgs_spv_zalloc(m, m->bound, sizeof(*calls));
    for (uint32_t i = 0; calls && i < list->count; i++)
        if (pgs_spv_op(list->items[i]) == SpvOpFunctionCall && list->items[i][3] < m->bound)
            calls[list->items[i][3]]++;
    return calls;
}

/* Drops the functions with calls[id] == 0 that had some before. True: there were any. */
static bool drop_uncalled(struct pgs_spv_list *list, const uint32_t *before, uint32_t *calls,
                          uint32_t bound)
{
    uint32_t kept = 0, function = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t *ins = list->items[i];
        const uint32_t op = pgs_spv_op(ins);
        function = op == SpvOpFunction ? ins[2] : function;
        if (calls[function] || !before[function])
            list->items[kept++] = ins;
        else if (op == SpvOpFunctionCall && ins[3] < bound)
            calls[ins[3]]--;
    }
    const bool any = kept != list->count;
    list->count = kept;
    return any;
}

void pgs_spv_drop_dead_code(struct pgs_spv_module *m)
{
    struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS];
    const uint32_t count = list->count;
    if (m->result != PGS_SPV_OK) /* pgs_spv_number_values may have left a part of them */
        return;
    if (!has_calls(list)) {
        drop_values(m, list, 1, NULL);
        return;
    }
    const bool *has_effects = find_effects(m);
    const uint32_t *before = count_calls(m);
    if (m->result != PGS_SPV_OK)
        return;
    drop_values(m, list, 1, has_effects);
    uint32_t *calls = list->count < count ? count_calls(m) : NULL;
    while (calls && drop_uncalled(list, before, calls, m->bound))
        ;
}

/* -- variables -- */

/* The last bit stands for all elements from there on. */
#define ELEMENT_BITS 32

/* What a pointer leads into. */
struct target {
    uint32_t variable; /* 0: none of those that are asked for */
    uint32_t elements; /* mask of its elements */
};

struct variables {
    const struct pgs_spv_module *m;
    uint32_t bound;
    struct target *of; /* by id, of pointers */
    uint32_t *read;    /* by variable: mask of elements */
};

/* A chain on a variable, whose first index may be known. */
static struct target follow_chain(const struct variables *v, const uint32_t *chain)
{
    struct target target = v->of[chain[3]];
    uint32_t index;
    if (chain[3] == target.variable && pgs_spv_length(chain) > 4 &&
        pgs_spv_constant_bits(v->m, chain[4], &index))
        target.elements = 1u << (index < ELEMENT_BITS ? index : ELEMENT_BITS - 1);
    return target;
}

static void note_pointers(struct variables *v, const uint32_t *ins)
{
    const uint32_t op = pgs_spv_op(ins), id_word = pgs_spv_result_word(ins);
    const bool is_chain = pgs_spv_is_chain(op);
    if (!pgs_spv_takes_pointers(op))
        return;
    const struct pgs_spv_id_words ids = pgs_spv_id_words(ins);
    for (uint32_t i = id_word + 1; i < ids.end; i++) {
        const struct target *target = ins[i] < v->bound ? &v->of[ins[i]] : &v->of[0];
        if (!target->variable || !(i < ids.sure || pgs_spv_is_mixed_id(ins, i)))
            continue;
        if (is_chain && i == 3)
            v->of[ins[2]] = follow_chain(v, ins);
        else if (op == SpvOpLoad)
            v->read[target->variable] |= target->elements;
        else if (op != SpvOpStore || i != 1)
            v->read[target->variable] = UINT32_MAX;
    }
}

static bool is_unread_store(const uint32_t *ins, void *context)
{
    const struct variables *v = context;
    if (pgs_spv_op(ins) != SpvOpStore || ins[1] >= v->bound || !v->of[ins[1]].variable)
        return false;
    return !(v->read[v->of[ins[1]].variable] & v->of[ins[1]].elements);
}

static void add_variable(struct variables *v, const uint32_t *ins)
{
    v->of[ins[2]] = (struct target){.variable = ins[2], .elements = UINT32_MAX};
}

bool pgs_spv_drop_unread_variables(struct pgs_spv_module *m)
{
    const struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    struct pgs_spv_list *functions = &m->sections[PGS_SPV_FUNCTIONS];
    struct variables v = {.m = m,
                          .bound = m->bound,
                          .of = pgs_spv_zalloc(m, m->bound, sizeof(*v.of)),
                          .read = pgs_spv_zalloc(m, m->bound, sizeof(*v.read))};
    if (m->result != PGS_SPV_OK)
        return false;
    for (uint32_t i = 0; i < globals->count; i++) {
        const uint32_t *ins = globals->items[i];
        if (pgs_spv_op(ins) == SpvOpVariable && ins[3] == SpvStorageClassPrivate)
            add_variable(&v, ins);
    }
    for (uint32_t i = 0; i < functions->count; i++) {
        const uint32_t *ins = functions->items[i];
        if (pgs_spv_op(ins) == SpvOpVariable)
            add_variable(&v, ins);
        note_pointers(&v, ins);
    }
    const uint32_t count = functions->count;
    pgs_spv_filter(functions, is_unread_store, &v);
    return functions->count != count;
}
