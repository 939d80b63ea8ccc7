/* SPDX-License-Identifier: MIT
 *
 * What one time of the loop leaves in a variable, another must not find: each load of a variable
 * that the loop stores to comes behind a store of the same time, and each emit, which hands on all
 * outputs, behind one of each that is stored to at all.
 */
#include "spirv/analysis/counted_loop.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/operands.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <string.h>

#define MOST_STORES 64
#define MOST_DEPTH 4 /* of members that are told apart */
#define MOST_CHAIN 8

/* A variable, or what of it constant indices choose. */
struct place {
    uint32_t variable; /* 0: it is in memory that is not the shader's own */
    bool is_emitted;   /* it may be an output, which emits read */
    uint32_t depth, path[MOST_DEPTH];
    bool is_exact; /* else a part of it */
};

struct access {
    struct place place;
    uint32_t block, at;
};

struct search {
    struct pgs_spv_counted_loop loop;
    uint32_t last; /* block that leads to the header */
    struct access stores[MOST_STORES];
    uint32_t store_count;
};

/* -- places -- */

static bool find_place(const struct pgs_spv_module *m, uint32_t pointer, struct place *place)
{
    const uint32_t *chains[MOST_CHAIN];
    uint32_t count = 0;
    *place = (struct place){.is_exact = true};
    const uint32_t *def = pgs_spv_def(m, pointer);
    while (def && count < MOST_CHAIN && pgs_spv_is_chain(pgs_spv_op(def))) {
        chains[count++] = def;
        def = pgs_spv_def(m, def[3]);
    }
    if (!def || pgs_spv_op(def) != SpvOpVariable)
        return false;
    place->is_emitted = def[3] == SpvStorageClassPrivate || def[3] == SpvStorageClassOutput;
    if (def[3] == SpvStorageClassFunction || place->is_emitted)
        place->variable = def[2];
    while (count--) {
        const uint32_t *chain = chains[count];
        for (uint32_t i = 4; i < pgs_spv_length(chain) && place->is_exact; i++) {
            place->is_exact = place->depth < MOST_DEPTH &&
                              pgs_spv_constant(m, chain[i], &place->path[place->depth]);
            place->depth += place->is_exact;
        }
    }
    return true;
}

/* All of b is in a. */
static bool contains(const struct place *a, const struct place *b)
{
    return a->is_exact && a->variable == b->variable && a->depth <= b->depth &&
           memcmp(a->path, b->path, a->depth * sizeof(*a->path)) == 0;
}

static bool overlap(const struct place *a, const struct place *b)
{
    const uint32_t depth = a->depth < b->depth ? a->depth : b->depth;
    return a->variable == b->variable && memcmp(a->path, b->path, depth * sizeof(*a->path)) == 0;
}

/* -- what a loop may do -- */

static bool is_in(const struct pgs_spv_emit_loops *s, const struct search *l, uint32_t block)
{
    return s->blocks.items[block].turn != PGS_SPV_NO_BLOCK &&
           pgs_spv_dominates(&s->blocks, l->loop.header, block) &&
           !pgs_spv_is_behind(s, l->loop.merge[1], block);
}

static bool computes(const uint32_t *ins)
{
    const uint32_t op = pgs_spv_op(ins);
    if (op == SpvOpExtInst) /* without those that store */
        return ins[4] != GLSLstd450Modf && ins[4] != GLSLstd450Frexp;
    return (op >= SpvOpVectorExtractDynamic && op <= SpvOpTranspose) ||
           (op >= SpvOpConvertFToU && op <= SpvOpBitcast) ||
           (op >= SpvOpSNegate && op <= SpvOpSMulExtended) ||
           (op >= SpvOpAny && op <= SpvOpIsInf) ||
           (op >= SpvOpLogicalEqual && op <= SpvOpFUnordGreaterThanEqual) ||
           (op >= SpvOpShiftRightLogical && op <= SpvOpBitCount);
}

/* True if the result may be rounded in another way where the instruction is copied to, since what
 * is said of its result alone (NoContraction) is not. */
static bool may_round(const uint32_t *ins)
{
    const uint32_t op = pgs_spv_op(ins);
    if (op == SpvOpExtInst) {
        const uint32_t number = ins[4];
        const bool is_exact = number <= GLSLstd450Ceil ||
                              (number >= GLSLstd450FMin && number <= GLSLstd450SClamp) ||
                              (number >= GLSLstd450FindILsb && number <= GLSLstd450FindUMsb);
        return !is_exact;
    }
    return op == SpvOpFAdd || op == SpvOpFSub || op == SpvOpFMul || op == SpvOpFDiv ||
           (op >= SpvOpFRem && op <= SpvOpDot);
}

static bool branches(uint32_t op)
{
    return op == SpvOpPhi || op == SpvOpLoopMerge || op == SpvOpSelectionMerge ||
           op == SpvOpBranch || op == SpvOpBranchConditional || op == SpvOpSwitch;
}

static bool samples(uint32_t op)
{
    return op >= SpvOpSampledImage && op <= SpvOpImageQuerySamples && op != SpvOpImageWrite;
}

/* False: it does what is not known here. */
static bool note_instruction(const struct pgs_spv_emit_loops *s, struct search *l, uint32_t block,
                             uint32_t at)
{
    const uint32_t *ins = s->list->items[at];
    const uint32_t op = pgs_spv_op(ins);
    if (pgs_spv_is_emit(s, ins)) {
        const uint32_t *around = pgs_spv_loop_around(s, block);
        l->loop.each++;
        return around == l->loop.merge && block != l->last && block != l->loop.test &&
               pgs_spv_dominates(&s->blocks, block, l->last);
    }
    if (op == SpvOpStore) {
        struct access *store = &l->stores[l->store_count++];
        *store = (struct access){.block = block, .at = at};
        return find_place(s->m, ins[1], &store->place) && store->place.variable &&
               l->store_count < MOST_STORES;
    }
    return op == SpvOpLoad || pgs_spv_is_chain(op) || branches(op) || samples(op) || computes(ins);
}

static bool note_blocks(const struct pgs_spv_emit_loops *s, struct search *l)
{
    for (uint32_t i = 0; i < s->blocks.count; i++) {
        const uint32_t *end = pgs_spv_block_end(s, i);
        if (!is_in(s, l, i))
            continue;
        if (!end || !branches(pgs_spv_op(end)))
            return false;
        for (uint32_t at = s->blocks.items[i].begin; at < s->blocks.items[i].end; at++)
            if (!note_instruction(s, l, i, at))
                return false;
    }
    return l->loop.each != 0;
}

static bool has_phi(const struct pgs_spv_emit_loops *s, const struct search *l)
{
    const struct pgs_spv_block *b = &s->blocks.items[l->loop.header];
    return b->begin < b->end && pgs_spv_op(s->list->items[b->begin]) == SpvOpPhi;
}

/* It is entered in one place, goes on in one, and ends in its test alone, which finds of the block
 * in front of it no more than an OpPhi. That leads there without one more loop's OpLoopMerge, which
 * nothing can be put behind. */
static bool find_shape(const struct pgs_spv_emit_loops *s, struct search *l)
{
    const struct pgs_spv_block *items = s->blocks.items;
    const uint32_t *ways_back = s->blocks.ways_back;
    const uint32_t behind = pgs_spv_labelled_block(s, l->loop.merge[1]);
    l->last = pgs_spv_labelled_block(s, l->loop.merge[2]);
    if (l->last == PGS_SPV_NO_BLOCK || behind == PGS_SPV_NO_BLOCK || l->last == l->loop.header ||
        items[l->loop.header].from_count != 2 || items[behind].from_count != 1)
        return false;
    const uint32_t *from = &ways_back[items[l->loop.header].from];
    l->loop.before = from[from[0] == l->last];
    l->loop.test = ways_back[items[behind].from];
    const uint32_t *enter = pgs_spv_block_end(s, l->loop.before),
                   *end = pgs_spv_block_end(s, l->loop.test);
    if (from[from[0] != l->last] != l->last || items[l->loop.before].turn == PGS_SPV_NO_BLOCK ||
        is_in(s, l, l->loop.before) || pgs_spv_op(enter) != SpvOpBranch ||
        pgs_spv_loop_merge(s, l->loop.before) || pgs_spv_op(end) != SpvOpBranchConditional ||
        end[3] != l->loop.merge[1])
        return false;
    l->loop.compare = end[1];
    if (l->loop.test == l->loop.header)
        return true;
    const uint32_t *begin = pgs_spv_block_end(s, l->loop.header);
    return items[l->loop.test].from_count == 1 &&
           ways_back[items[l->loop.test].from] == l->loop.header &&
           pgs_spv_op(begin) == SpvOpBranch &&
           items[l->loop.header].end - items[l->loop.header].begin == 2u + has_phi(s, l);
}

/* -- its counter -- */

static bool is_one_more(const struct pgs_spv_module *m, const uint32_t *sum, uint32_t *of)
{
    uint32_t one = 0;
    if (!sum || pgs_spv_op(sum) != SpvOpIAdd)
        return false;
    const bool last = pgs_spv_constant(m, sum[4], &one) && one == 1;
    *of = sum[last ? 3 : 4];
    return last || (pgs_spv_constant(m, sum[3], &one) && one == 1);
}

static bool is_int(const struct pgs_spv_module *m, uint32_t type)
{
    const uint32_t *def = pgs_spv_def_op(m, type, SpvOpTypeInt);
    return def && def[2] == 32;
}

/* The only value that the header finds of the time before. NULL: there are several, or none. */
static const uint32_t *only_phi(const struct pgs_spv_emit_loops *s, const struct search *l)
{
    const struct pgs_spv_block *b = &s->blocks.items[l->loop.header];
    const uint32_t *phi = NULL;
    for (uint32_t i = b->begin; i < b->end; i++) {
        if (pgs_spv_op(s->list->items[i]) != SpvOpPhi)
            continue;
        if (phi)
            return NULL;
        phi = s->list->items[i];
    }
    return phi;
}

uint32_t pgs_spv_way_word(const struct pgs_spv_emit_loops *s, const uint32_t *phi, uint32_t block)
{
    for (uint32_t i = 3; i + 1 < pgs_spv_length(phi); i += 2)
        if (pgs_spv_labelled_block(s, phi[i + 1]) == block)
            return i;
    return 0;
}

static bool counts_phi(const struct pgs_spv_emit_loops *s, struct search *l)
{
    const uint32_t *phi = only_phi(s, l);
    uint32_t of = 0;
    if (!phi || phi[2] != l->loop.value || !is_int(s->m, phi[1]) || pgs_spv_length(phi) != 7)
        return false;
    const uint32_t next = pgs_spv_way_word(s, phi, l->last),
                   first = pgs_spv_way_word(s, phi, l->loop.before);
    l->loop.is_phi = true;
    l->loop.counter = l->loop.value;
    return next && first && is_one_more(s->m, pgs_spv_def(s->m, phi[next]), &of) &&
           of == l->loop.value;
}

static bool is_of(const struct pgs_spv_emit_loops *s, uint32_t block, const uint32_t *ins)
{
    const struct pgs_spv_block *b = &s->blocks.items[block];
    uint32_t at = b->begin;
    while (at < b->end && s->list->items[at] != ins)
        at++;
    return at < b->end;
}

/* What was loaded elsewhere may be what the counter was before. */
static bool counts_variable(const struct pgs_spv_emit_loops *s, struct search *l)
{
    const uint32_t *load = pgs_spv_def_op(s->m, l->loop.value, SpvOpLoad);
    const uint32_t *variable = load ? pgs_spv_def_op(s->m, load[3], SpvOpVariable) : NULL;
    uint32_t stores = 0, of = 0;
    if (!variable || variable[3] != SpvStorageClassFunction || !is_int(s->m, load[1]) ||
        has_phi(s, l) || !is_of(s, l->loop.test, load))
        return false;
    l->loop.counter = variable[2];
    for (uint32_t i = 0; i < l->store_count; i++) {
        const struct access *store = &l->stores[i];
        if (store->place.variable != l->loop.counter)
            continue;
        const uint32_t *ins = s->list->items[store->at];
        const uint32_t *before = NULL;
        if (is_one_more(s->m, pgs_spv_def(s->m, ins[2]), &of))
            before = pgs_spv_def_op(s->m, of, SpvOpLoad);
        if (store->block != l->last || !before || before[3] != l->loop.counter ||
            !is_of(s, l->last, before))
            return false;
        stores++;
    }
    return stores == 1;
}

/* The test compares the counter, which counts up to a number. */
static bool find_counter(const struct pgs_spv_emit_loops *s, struct search *l)
{
    const uint32_t *compare = pgs_spv_def(s->m, l->loop.compare);
    const uint32_t op = compare ? pgs_spv_op(compare) : 0;
    const bool less = op == SpvOpSLessThan || op == SpvOpULessThan || op == SpvOpSLessThanEqual ||
                      op == SpvOpULessThanEqual;
    const bool greater = op == SpvOpSGreaterThan || op == SpvOpUGreaterThan ||
                         op == SpvOpSGreaterThanEqual || op == SpvOpUGreaterThanEqual;
    if (!less && !greater)
        return false;
    l->loop.value = compare[less ? 3 : 4];
    l->loop.bound = compare[less ? 4 : 3];
    l->loop.is_inclusive = op == SpvOpSLessThanEqual || op == SpvOpULessThanEqual ||
                           op == SpvOpSGreaterThanEqual || op == SpvOpUGreaterThanEqual;
    return has_phi(s, l) ? counts_phi(s, l) : counts_variable(s, l);
}

bool pgs_spv_is_of_test(const uint32_t *ins)
{
    return !branches(pgs_spv_op(ins));
}

/* The number that it counts to is the same each time. */
static bool has_bound(const struct pgs_spv_emit_loops *s, const struct search *l)
{
    const struct pgs_spv_block *b = &s->blocks.items[l->loop.test];
    bool compares = false;
    for (uint32_t at = b->begin; at < b->end; at++) {
        const uint32_t *ins = s->list->items[at];
        struct place place;
        if (!pgs_spv_is_of_test(ins))
            continue;
        const uint32_t id = ins[pgs_spv_result_word(ins)];
        compares |= id == l->loop.compare;
        const uint32_t op = pgs_spv_op(ins);
        if (may_round(ins) || (!computes(ins) && !pgs_spv_is_chain(op) && op != SpvOpLoad))
            return false;
        for (uint32_t i = 3; i < pgs_spv_length(ins); i++)
            if (pgs_spv_is_id(ins, i) && ins[i] == l->loop.value && id != l->loop.compare)
                return false;
        if (op != SpvOpLoad || id == l->loop.value)
            continue;
        if (!find_place(s->m, ins[3], &place))
            return false;
        for (uint32_t i = 0; i < l->store_count; i++)
            if (place.variable && l->stores[i].place.variable == place.variable)
                return false;
    }
    return compares && l->loop.bound != l->loop.value;
}

/* -- what it hands on -- */

static bool comes_first(const struct pgs_spv_emit_loops *s, const struct access *store,
                        const struct access *read)
{
    if (store->block == read->block)
        return store->at < read->at;
    return pgs_spv_dominates(&s->blocks, store->block, read->block);
}

static bool is_stored(const struct pgs_spv_emit_loops *s, const struct search *l,
                      const struct place *place, const struct access *read)
{
    for (uint32_t i = 0; i < l->store_count; i++)
        if (contains(&l->stores[i].place, place) && comes_first(s, &l->stores[i], read))
            return true;
    return false;
}

/* What is read there has been stored the same time, as far as the loop stores it. */
static bool is_fresh(const struct pgs_spv_emit_loops *s, const struct search *l,
                     const struct access *read)
{
    if (is_stored(s, l, &read->place, read))
        return true;
    for (uint32_t i = 0; i < l->store_count; i++)
        if (overlap(&l->stores[i].place, &read->place) &&
            !is_stored(s, l, &l->stores[i].place, read))
            return false;
    return true;
}

static bool emits_fresh(const struct pgs_spv_emit_loops *s, const struct search *l,
                        struct access *read)
{
    for (uint32_t i = 0; i < l->store_count; i++) {
        read->place = l->stores[i].place;
        if (read->place.is_emitted && !is_stored(s, l, &read->place, read))
            return false;
    }
    return true;
}

static bool hands_nothing_on(const struct pgs_spv_emit_loops *s, const struct search *l)
{
    for (uint32_t block = 0; block < s->blocks.count; block++) {
        if (!is_in(s, l, block))
            continue;
        for (uint32_t at = s->blocks.items[block].begin; at < s->blocks.items[block].end; at++) {
            const uint32_t *ins = s->list->items[at];
            struct access read = {.block = block, .at = at};
            if (pgs_spv_is_emit(s, ins) && !emits_fresh(s, l, &read))
                return false;
            if (pgs_spv_op(ins) != SpvOpLoad)
                continue;
            if (!find_place(s->m, ins[3], &read.place))
                return false;
            const bool counts = !l->loop.is_phi && read.place.variable == l->loop.counter;
            if (read.place.variable && !counts && !is_fresh(s, l, &read))
                return false;
        }
    }
    return true;
}

static bool find(const struct pgs_spv_emit_loops *s, uint32_t header, struct search *l)
{
    *l = (struct search){.loop = {.header = header, .merge = pgs_spv_loop_merge(s, header)}};
    return l->loop.merge && s->blocks.items[header].turn != PGS_SPV_NO_BLOCK &&
           pgs_spv_shader_ends(s, l->loop.merge[1]) && find_shape(s, l) && note_blocks(s, l) &&
           find_counter(s, l) && has_bound(s, l) && hands_nothing_on(s, l);
}

bool pgs_spv_find_counted_loop(const struct pgs_spv_emit_loops *loops,
                               struct pgs_spv_counted_loop *loop)
{
    struct search *l = pgs_spv_alloc(loops->m, 1, sizeof(*l));
    bool found = false;
    for (uint32_t i = 0; i < loops->blocks.count && l && !found; i++)
        found = find(loops, i, l);
    if (found)
        *loop = l->loop;
    return found;
}

bool pgs_spv_has_counted_loop(struct pgs_spv_module *m)
{
    struct pgs_spv_emit_loops loops;
    struct pgs_spv_counted_loop loop;
    return pgs_spv_find_emit_loops(m, &(struct pgs_spv_emit_functions){0}, &loops) &&
           pgs_spv_find_counted_loop(&loops, &loop);
}
