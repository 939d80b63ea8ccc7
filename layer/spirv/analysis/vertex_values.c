/* SPDX-License-Identifier: MIT */
#include "spirv/analysis/vertex_values.h"

#include "spirv/analysis/emit_walk_values.h"
#include "spirv/io/io_vars.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/operands.h"
#include "spirv/ir/storage_class.h"

#include <string.h>

#define MAX_DEPTH 16
#define CHAIN_LIMIT 64

/* -- values -- */

static struct pgs_spv_vertex_values *of(const struct pgs_spv_emit_walk *w)
{
    return w->observed;
}

static pgs_spv_symbol number(struct pgs_spv_vertex_values *v, uint32_t type, uint32_t bits)
{
    const uint32_t words[] = {type, bits};
    return pgs_spv_symbol_make(&v->symbols, PGS_SPV_SYMBOL_NUMBER, words, 2, 0);
}

static bool is_constant(const uint32_t *def)
{
    switch (pgs_spv_op(def)) {
    case SpvOpConstantTrue:
    case SpvOpConstantFalse:
    case SpvOpConstant:
    case SpvOpConstantComposite:
    case SpvOpConstantNull:
        return true;
    default:
        return false;
    }
}

/* What is defined outside of functions, known numbers apart, stands for itself. */
static pgs_spv_symbol itself(struct pgs_spv_vertex_values *v, const uint32_t *def, uint32_t id)
{
    const uint32_t op = pgs_spv_op(def);
    return op == SpvOpVariable || op == SpvOpUndef || is_constant(def)
               ? pgs_spv_symbol_make(&v->symbols, PGS_SPV_SYMBOL_ID, &id, 1, 0)
               : pgs_spv_symbol_opaque(&v->symbols);
}

/* The value of an id. */
static pgs_spv_symbol value(const struct pgs_spv_emit_walk *w, uint32_t id)
{
    struct pgs_spv_vertex_values *v = of(w);
    const struct pgs_spv_emit_walk_value known = pgs_spv_emit_walk_value(w, id);
    const uint32_t *def = pgs_spv_def(v->m, id);
    if (!def)
        return pgs_spv_symbol_opaque(&v->symbols);
    if (v->constants[id])
        return v->constants[id];
    const bool is_variable = pgs_spv_op(def) == SpvOpVariable;
    const bool is_number = known.kind == PGS_SPV_NUMBER;
    if (!is_variable && !is_number && v->values[id])
        return v->values[id];
    const pgs_spv_symbol found = !is_variable && is_number
                                     ? number(v, pgs_spv_type_of(v->m, id), known.bits)
                                     : itself(v, def, id);
    if (is_constant(def))
        v->constants[id] = found;
    return found;
}

/* -- memory that only the invocation has, and its inputs -- */

struct place {
    uint32_t variable; /* 0: elsewhere */
    uint32_t storage_class;
    uint32_t path[MAX_DEPTH], depth;
    bool is_exact; /* all indices are known */
};

static void prepend(const struct pgs_spv_emit_walk *w, const uint32_t *chain, struct place *place)
{
    const uint32_t count = pgs_spv_length(chain) - 4;
    if (place->depth + count > MAX_DEPTH) {
        place->is_exact = false;
        return;
    }
    memmove(place->path + count, place->path, place->depth * sizeof(*place->path));
    for (uint32_t i = 0; i < count; i++) {
        const struct pgs_spv_emit_walk_value index = pgs_spv_emit_walk_value(w, chain[4 + i]);
        place->is_exact &= index.kind == PGS_SPV_NUMBER;
        place->path[i] = index.bits;
    }
    place->depth += count;
}

static struct place place_of(const struct pgs_spv_emit_walk *w, uint32_t pointer)
{
    const struct pgs_spv_vertex_values *v = of(w);
    struct place place = {.storage_class = pgs_spv_storage_class_of(v->m, pointer),
                          .is_exact = true};
    for (uint32_t i = 0; i < CHAIN_LIMIT && pgs_spv_is_of_invocation(place.storage_class); i++) {
        const uint32_t *def = pgs_spv_def(v->m, pointer);
        switch (def ? pgs_spv_op(def) : (uint32_t)SpvOpNop) {
        case SpvOpVariable:
            place.variable = pointer;
            return place;
        case SpvOpAccessChain:
        case SpvOpInBoundsAccessChain:
            prepend(w, def, &place);
            pointer = def[3];
            break;
        case SpvOpCopyObject:
            pointer = def[3];
            break;
        case SpvOpFunctionParameter:
            pointer = v->arguments[pointer];
            break;
        default:
            return place;
        }
    }
    return place;
}

static pgs_spv_symbol contents(struct pgs_spv_vertex_values *v, const struct place *place)
{
    const uint32_t variable = place->variable;
    if (!v->values[variable]) {
        const bool vertices = v->is_per_vertex[variable];
        v->values[variable] =
            place->storage_class == SpvStorageClassInput && !vertices
                ? pgs_spv_symbol_opaque(&v->symbols)
                : pgs_spv_symbol_make(&v->symbols,
                                      vertices ? PGS_SPV_SYMBOL_VERTICES : PGS_SPV_SYMBOL_ID,
                                      &variable, 1, 0);
    }
    return v->values[variable];
}

/* Nothing is known of what the pointer points into. */
static void forget(const struct pgs_spv_emit_walk *w, uint32_t pointer)
{
    struct pgs_spv_vertex_values *v = of(w);
    const struct place place = place_of(w, pointer);
    if (place.variable && place.storage_class != SpvStorageClassInput)
        v->values[place.variable] = pgs_spv_symbol_opaque(&v->symbols);
}

static void store(const struct pgs_spv_emit_walk *w, const uint32_t *ins)
{
    struct pgs_spv_vertex_values *v = of(w);
    const struct place place = place_of(w, ins[1]);
    if (!place.variable) {
        v->is_refused |= pgs_spv_is_of_invocation(place.storage_class);
        return;
    }
    if (!place.is_exact) {
        forget(w, ins[1]);
        return;
    }
    v->values[place.variable] = pgs_spv_symbol_with(&v->symbols, contents(v, &place), place.path,
                                                    place.depth, value(w, ins[2]));
}

/* -- instructions -- */

static pgs_spv_symbol operation(const struct pgs_spv_emit_walk *w, const uint32_t *ins)
{
    struct pgs_spv_vertex_values *v = of(w);
    uint32_t words[64] = {pgs_spv_op(ins), ins[1]};
    const uint32_t count = pgs_spv_length(ins) - 1;
    uint64_t symbols = 0;
    if (count > 64)
        return pgs_spv_symbol_opaque(&v->symbols);
    for (uint32_t i = 3; i < pgs_spv_length(ins); i++) {
        const bool is_id = pgs_spv_is_id(ins, i) && !(pgs_spv_op(ins) == SpvOpExtInst && i == 3);
        words[i - 1] = is_id ? value(w, ins[i]) : ins[i];
        symbols |= (uint64_t)is_id << (i - 1);
    }
    return pgs_spv_symbol_make(&v->symbols, PGS_SPV_SYMBOL_OPERATION, words, count, symbols);
}

static pgs_spv_symbol load(const struct pgs_spv_emit_walk *w, const uint32_t *ins)
{
    struct pgs_spv_vertex_values *v = of(w);
    const struct place place = place_of(w, ins[3]);
    const bool is_volatile = pgs_spv_word(ins, 4) & SpvMemoryAccessVolatileMask;
    if (place.variable && place.is_exact)
        return pgs_spv_symbol_part(&v->symbols, contents(v, &place), place.path, place.depth);
    return pgs_spv_is_of_invocation(place.storage_class) || is_volatile
               ? pgs_spv_symbol_opaque(&v->symbols)
               : operation(w, ins);
}

/* A vector may be made of vectors, whose parts are not counted here. */
static pgs_spv_symbol construct(const struct pgs_spv_emit_walk *w, const uint32_t *ins)
{
    struct pgs_spv_vertex_values *v = of(w);
    const uint32_t *type = pgs_spv_def(v->m, ins[1]);
    const uint32_t count = pgs_spv_length(ins) - 3;
    uint32_t parts[32];
    if (count > 32 || !type || (pgs_spv_op(type) == SpvOpTypeVector && type[3] != count))
        return operation(w, ins);
    for (uint32_t i = 0; i < count; i++)
        parts[i] = value(w, ins[3 + i]);
    return pgs_spv_symbol_make(&v->symbols, PGS_SPV_SYMBOL_COMPOSITE, parts, count,
                               (UINT64_C(1) << count) - 1);
}

/* Component by component, so that one that is replaced is forgotten. */
static pgs_spv_symbol shuffle(const struct pgs_spv_emit_walk *w, const uint32_t *ins)
{
    struct pgs_spv_vertex_values *v = of(w);
    const uint32_t *type = pgs_spv_def_op(v->m, pgs_spv_type_of(v->m, ins[3]), SpvOpTypeVector);
    const uint32_t count = pgs_spv_length(ins) - 5, first_count = type ? type[3] : 0;
    uint32_t parts[16];
    if (count > 16 || !type)
        return operation(w, ins);
    for (uint32_t i = 0; i < count; i++) {
        const bool is_first = ins[5 + i] < first_count;
        const uint32_t index = is_first ? ins[5 + i] : ins[5 + i] - first_count;
        if (ins[5 + i] == UINT32_MAX)
            return operation(w, ins);
        parts[i] = pgs_spv_symbol_part(&v->symbols, value(w, ins[is_first ? 3 : 4]), &index, 1);
    }
    return pgs_spv_symbol_make(&v->symbols, PGS_SPV_SYMBOL_COMPOSITE, parts, count,
                               (UINT64_C(1) << count) - 1);
}

static pgs_spv_symbol result_of(const struct pgs_spv_emit_walk *w, const uint32_t *ins)
{
    struct pgs_spv_vertex_values *v = of(w);
    switch (pgs_spv_op(ins)) {
    case SpvOpLoad:
        return load(w, ins);
    case SpvOpCopyObject:
        return value(w, ins[3]);
    case SpvOpCompositeConstruct:
        return construct(w, ins);
    case SpvOpVectorShuffle:
        return shuffle(w, ins);
    case SpvOpCompositeExtract:
        return pgs_spv_symbol_part(&v->symbols, value(w, ins[3]), ins + 4, pgs_spv_length(ins) - 4);
    case SpvOpCompositeInsert:
        return pgs_spv_symbol_with(&v->symbols, value(w, ins[4]), ins + 5, pgs_spv_length(ins) - 5,
                                   value(w, ins[3]));
    default:
        return pgs_spv_is_known_pure(w, ins) ? operation(w, ins)
                                             : pgs_spv_symbol_opaque(&v->symbols);
    }
}

static bool reads_only(const uint32_t *ins)
{
    switch (pgs_spv_op(ins)) {
    case SpvOpLoad:
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpCopyObject:
    case SpvOpVariable:
        return true;
    default:
        return false;
    }
}

/* Its result, and all memory to which it gets a pointer, may be anything. */
static void poison(const struct pgs_spv_emit_walk *w, const uint32_t *ins)
{
    struct pgs_spv_vertex_values *v = of(w);
    const uint32_t id_word = pgs_spv_result_word(ins);
    if (id_word)
        v->values[ins[id_word]] = pgs_spv_symbol_opaque(&v->symbols);
    for (uint32_t i = id_word ? id_word + 1 : 1; i < pgs_spv_length(ins) && !reads_only(ins); i++)
        if (pgs_spv_is_id(ins, i) &&
            pgs_spv_is_of_invocation(pgs_spv_storage_class_of(v->m, ins[i])))
            forget(w, ins[i]);
}

static void skip(struct pgs_spv_emit_walk *w, const uint32_t *ins)
{
    poison(w, ins);
}

static void compute(struct pgs_spv_emit_walk *w, const uint32_t *ins)
{
    struct pgs_spv_vertex_values *v = of(w);
    const uint32_t op = pgs_spv_op(ins), id_word = pgs_spv_result_word(ins);
    if (op == SpvOpStore) {
        store(w, ins);
    } else if (op == SpvOpVariable) {
        const uint32_t initial = pgs_spv_word(ins, 4), id = ins[2];
        v->values[id] = initial ? value(w, initial)
                                : pgs_spv_symbol_make(&v->symbols, PGS_SPV_SYMBOL_ID, &id, 1, 0);
    } else if (id_word == 2 && pgs_spv_length(ins) > 2) {
        const pgs_spv_symbol result = result_of(w, ins);
        if (!reads_only(ins) && !pgs_spv_is_known_pure(w, ins))
            poison(w, ins);
        v->values[ins[2]] = result;
    } else {
        poison(w, ins);
    }
}

static void take_phis(struct pgs_spv_emit_walk *w, uint32_t *const *phis, uint32_t count,
                      uint32_t from)
{
    struct pgs_spv_vertex_values *v = of(w);
    if (!from && v->knows_region)
        return;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t *ins = phis[k];
        v->staged[k] = pgs_spv_symbol_opaque(&v->symbols);
        for (uint32_t i = 3; from && i + 1 < pgs_spv_length(ins); i += 2)
            if (ins[i + 1] == from)
                v->staged[k] = value(w, ins[i]);
    }
    for (uint32_t k = 0; k < count; k++)
        v->values[phis[k][2]] = v->staged[k];
}

static void pass(struct pgs_spv_emit_walk *w, uint32_t parameter, uint32_t argument)
{
    of(w)->values[parameter] = value(w, argument);
    of(w)->arguments[parameter] = argument;
}

static void leave(struct pgs_spv_emit_walk *w, uint32_t call, uint32_t result)
{
    struct pgs_spv_vertex_values *v = of(w);
    const pgs_spv_symbol returned = v->knows_region ? v->returned : 0;
    v->values[call] = result     ? value(w, result)
                      : returned ? returned
                                 : pgs_spv_symbol_opaque(&v->symbols);
    v->returned = 0;
}

/* -- regions -- */

/* Words of a symbol with pairs of an id and a symbol, which are more than one symbol has room for.
 */
struct pairs {
    const struct pgs_spv_emit_walk *w;
    enum pgs_spv_symbol_kind kind;
    uint32_t words[40], count;
    uint32_t fixed; /* first words, which each symbol has; the next one has the symbol before */
    uint64_t symbols;
};

static struct pairs begin_pairs(const struct pgs_spv_emit_walk *w, enum pgs_spv_symbol_kind kind,
                                uint32_t first, uint32_t second)
{
    return (struct pairs){.w = w, .kind = kind, .words = {first, second}, .count = 2, .fixed = 2};
}

static pgs_spv_symbol end_pairs(struct pairs *p)
{
    const pgs_spv_symbol made =
        pgs_spv_symbol_make(&of(p->w)->symbols, p->kind, p->words, p->count, p->symbols);
    p->count = p->fixed;
    p->symbols &= (UINT64_C(1) << p->fixed) - 1;
    return made;
}

static void add_word(struct pairs *p, uint32_t word, bool is_symbol)
{
    p->symbols |= (uint64_t)is_symbol << p->count;
    p->words[p->count++] = word;
}

static void add_pair(struct pairs *p, uint32_t id, pgs_spv_symbol symbol)
{
    if (p->count + 2 > sizeof(p->words) / sizeof(*p->words)) {
        const pgs_spv_symbol before = end_pairs(p);
        add_word(p, before, true);
    }
    add_word(p, id, false);
    add_word(p, symbol, true);
}

/* What a value is, or what a variable holds. */
static pgs_spv_symbol held(const struct pgs_spv_emit_walk *w, uint32_t id)
{
    struct pgs_spv_vertex_values *v = of(w);
    const uint32_t *variable = pgs_spv_def_op(v->m, id, SpvOpVariable);
    if (!variable)
        return value(w, id);
    if (id == w->invocation_variable)
        return number(v, 0, w->invocation);
    return contents(v, &(struct place){.variable = id, .storage_class = variable[3]});
}

static pgs_spv_symbol part_of_input(const struct pgs_spv_emit_walk *w,
                                    const struct pgs_spv_region_part *part)
{
    return pgs_spv_symbol_part(&of(w)->symbols, held(w, part->variable), part->path, part->depth);
}

/* The symbol of all that comes out: the region and what goes in. */
static pgs_spv_symbol whole_region(const struct pgs_spv_emit_walk *w)
{
    struct pgs_spv_vertex_values *v = of(w);
    const struct pgs_spv_region *r = &v->region;
    struct pairs p = begin_pairs(w, PGS_SPV_SYMBOL_REGION, r->entry, r->merge);
    for (uint32_t i = 0; i < r->item_count; i++)
        if (r->items[i].is_read)
            add_pair(&p, r->items[i].id, held(w, r->items[i].id));
    for (uint32_t i = 0; i < r->part_count; i++)
        if (r->parts[i].is_read)
            add_pair(&p, r->parts[i].variable, part_of_input(w, &r->parts[i]));
    return end_pairs(&p);
}

static void take_choice(void *context, uint32_t id)
{
    struct pairs *p = context;
    add_pair(p, id, value(p->w, id));
}

/* A phi behind the region; NULL: what its function returns. */
static pgs_spv_symbol choice(const struct pgs_spv_emit_walk *w, pgs_spv_symbol whole,
                             const uint32_t *phi)
{
    struct pgs_spv_vertex_values *v = of(w);
    struct pairs p = begin_pairs(w, PGS_SPV_SYMBOL_RESULT, whole, phi ? phi[2] : 0);
    p.symbols = 1;
    pgs_spv_region_choices(&v->region, w, phi, take_choice, &p);
    return end_pairs(&p);
}

/* before: what it was; 0: nothing that could be kept. */
static pgs_spv_symbol result(const struct pgs_spv_emit_walk *w, pgs_spv_symbol whole, uint32_t id,
                             uint32_t member, pgs_spv_symbol before)
{
    struct pairs p = begin_pairs(w, PGS_SPV_SYMBOL_RESULT, whole, id);
    p.symbols = 1;
    if (before)
        add_pair(&p, member, before);
    return end_pairs(&p);
}

/* A variable of which some members may be what they were. */
static pgs_spv_symbol with_members(const struct pgs_spv_emit_walk *w, pgs_spv_symbol whole,
                                   const struct pgs_spv_region_item *item)
{
    struct pgs_spv_vertex_values *v = of(w);
    pgs_spv_symbol symbol = held(w, item->id);
    for (uint32_t i = 0; i < 32; i++) {
        if (!(item->members >> i & 1))
            continue;
        const pgs_spv_symbol before = pgs_spv_symbol_part(&v->symbols, symbol, &i, 1);
        symbol =
            pgs_spv_symbol_with(&v->symbols, symbol, &i, 1, result(w, whole, item->id, i, before));
    }
    return symbol;
}

static void end_region(const struct pgs_spv_emit_walk *w, pgs_spv_symbol whole)
{
    struct pgs_spv_vertex_values *v = of(w);
    for (uint32_t i = 0; i < v->region.item_count; i++) {
        const struct pgs_spv_region_item *item = &v->region.items[i];
        const bool is_variable = pgs_spv_def_op(v->m, item->id, SpvOpVariable) != NULL;
        const bool is_kept = item->is_kept && (is_variable || v->values[item->id]);
        if (!item->is_written)
            continue;
        if (item->is_left)
            v->values[item->id] = pgs_spv_symbol_opaque(&v->symbols);
        else if (is_variable && !item->is_whole)
            v->values[item->id] = with_members(w, whole, item);
        else
            v->values[item->id] =
                result(w, whole, item->id, UINT32_MAX, is_kept ? held(w, item->id) : 0);
    }
    for (uint32_t i = 0; i < v->region.part_count; i++)
        v->values[v->region.parts[i].load] = part_of_input(w, &v->region.parts[i]);
}

static bool region(struct pgs_spv_emit_walk *w, uint32_t merge)
{
    struct pgs_spv_vertex_values *v = of(w);
    v->whole = 0;
    v->knows_region = pgs_spv_region_find(&v->region, w, merge);
    if (!v->knows_region)
        return false;
    const pgs_spv_symbol whole = whole_region(w);
    v->whole = whole;
    uint32_t *const *behind = merge ? w->code->items + w->place[merge] : NULL;
    uint32_t phis = 0;
    for (; merge && pgs_spv_op(behind[phis]) == SpvOpPhi; phis++)
        v->staged[phis] = choice(w, whole, behind[phis]);
    v->returned = merge ? 0 : choice(w, whole, NULL);
    end_region(w, whole);
    for (uint32_t k = 0; k < phis; k++)
        v->values[behind[k][2]] = v->staged[k];
    return true;
}

/* -- along a walk -- */

pgs_spv_symbol pgs_spv_vertex_output(struct pgs_spv_vertex_values *v,
                                     const struct pgs_spv_io_var *var)
{
    const struct place place = {.variable = var->variable, .storage_class = SpvStorageClassOutput};
    return pgs_spv_symbol_part(&v->symbols, contents(v, &place), var->path, var->depth);
}

bool pgs_spv_vertex_values_init(struct pgs_spv_vertex_values *v, struct pgs_spv_module *m,
                                const struct pgs_spv_io_vars *inputs)
{
    *v = (struct pgs_spv_vertex_values){
        .m = m,
        .values = pgs_spv_zalloc(m, m->bound, sizeof(*v->values)),
        .constants = pgs_spv_zalloc(m, m->bound, sizeof(*v->constants)),
        .arguments = pgs_spv_zalloc(m, m->bound, sizeof(*v->arguments)),
        .is_per_vertex = pgs_spv_zalloc(m, m->bound, 1),
        .staged = pgs_spv_zalloc(m, m->sections[PGS_SPV_FUNCTIONS].count + 1u, sizeof(*v->staged)),
    };
    if (m->result != PGS_SPV_OK || !pgs_spv_region_init(&v->region, m, v->arguments) ||
        !pgs_spv_symbols_init(&v->symbols, m))
        return false;
    for (uint32_t i = 0; i < inputs->count; i++) {
        const struct pgs_spv_io_var *var = &inputs->items[i];
        v->is_per_vertex[var->variable] |= var->vertices != 0;
        if (var->builtin == SpvBuiltInInvocationId)
            v->invocation_variable = var->variable;
    }
    return true;
}

void pgs_spv_vertex_values_begin(struct pgs_spv_vertex_values *v, const struct pgs_spv_emit_walk *w)
{
    const struct pgs_spv_list *globals = &v->m->sections[PGS_SPV_GLOBALS];
    memset(v->values, 0, v->m->bound * sizeof(*v->values));
    v->returned = 0;
    for (uint32_t i = 0; i < globals->count; i++) {
        const uint32_t *ins = globals->items[i];
        if (pgs_spv_op(ins) == SpvOpVariable && pgs_spv_length(ins) > 4)
            v->values[ins[2]] = value(w, ins[4]);
    }
}

void pgs_spv_vertex_values_observe(struct pgs_spv_emit_observer *observer)
{
    observer->compute = compute;
    observer->phis = take_phis;
    observer->pass = pass;
    observer->leave = leave;
    observer->region = region;
    observer->skip = skip;
}
