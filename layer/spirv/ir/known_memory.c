/* SPDX-License-Identifier: MIT
 *
 * What is known to be in memory at a place of a function.
 */
#include "spirv/ir/known_memory.h"

#include "spirv/ir/dead_values.h"
#include "spirv/ir/fold.h"
#include "spirv/ir/operands.h"
#include "spirv/ir/storage_class.h"

#include <string.h>

#include <spirv/unified1/GLSL.std.450.h>

/* What is known beyond that is forgotten. */
#define MAX_KNOWN 96
/* Nothing stores to these variables. */
#define READ_ONLY UINT32_MAX

/* -- variables -- */

static void add_variable(struct pgs_spv_memory *memory, const uint32_t *ins, uint32_t *count)
{
    if (pgs_spv_op(ins) != SpvOpVariable)
        return;
    switch (ins[3]) {
    case SpvStorageClassPrivate:
    case SpvStorageClassFunction:
        memory->number_of[ins[2]] = ++*count;
        break;
    case SpvStorageClassInput:
    case SpvStorageClassPushConstant:
        if (memory->shares && memory->is_changed[ins[2]])
            return;
        memory->number_of[ins[2]] = READ_ONLY;
        break;
    default:
        return;
    }
    memory->variable_of[ins[2]] = ins[2];
}

static bool is_constant(const struct pgs_spv_module *m, uint32_t id)
{
    const uint32_t *def = pgs_spv_def(m, id);
    const uint32_t op = def ? pgs_spv_op(def) : SpvOpNop;
    return op >= SpvOpConstantTrue && op <= SpvOpConstantNull;
}

/* A variable that begins with nothing has the only constant that is stored there whenever it is
 * defined. */
static void note_constant(struct pgs_spv_memory *memory, const uint32_t *store, uint32_t variable)
{
    const uint32_t *def = pgs_spv_def_op(memory->m, variable, SpvOpVariable);
    uint32_t *constant = &memory->constant_of[variable];
    if (*constant == store[2])
        return;
    *constant = *constant == 0 && store[1] == variable && def && pgs_spv_length(def) == 4 &&
                        is_constant(memory->m, store[2])
                    ? store[2]
                    : UINT32_MAX;
}

/* Notes a place where something is stored, once for each pointer in a row. */
static void note_place(struct pgs_spv_memory *memory, uint32_t pointer, uint32_t variable)
{
    const struct pgs_spv_stored *last = memory->stored[variable];
    if ((last && last->pointer == pointer) || memory->stored_count[variable] > PGS_SPV_MAX_STORED)
        return;
    struct pgs_spv_stored *stored = pgs_spv_zalloc(memory->m, 1, sizeof(*stored));
    if (!stored)
        return;
    *stored = (struct pgs_spv_stored){.pointer = pointer, .next = last};
    memory->stored[variable] = stored;
    memory->stored_count[variable]++;
}

/* A variable whose address goes elsewhere than into loads, stores and chains is not known by
 * itself. */
static void note_pointers(struct pgs_spv_memory *memory, const uint32_t *ins)
{
    const uint32_t op = pgs_spv_op(ins), id_word = pgs_spv_result_word(ins);
    if (!pgs_spv_takes_pointers(op))
        return;
    const struct pgs_spv_id_words ids = pgs_spv_id_words(ins);
    for (uint32_t i = id_word + 1; i < ids.end; i++) {
        const uint32_t variable = ins[i] < memory->bound ? memory->variable_of[ins[i]] : 0;
        if (!variable || !(i < ids.sure || pgs_spv_is_mixed_id(ins, i)))
            continue;
        if (pgs_spv_is_chain(op) && i == 3)
            memory->variable_of[ins[2]] = variable;
        else if (op == SpvOpStore && i == 1) {
            note_constant(memory, ins, variable);
            note_place(memory, ins[1], variable);
        } else if (op != SpvOpLoad || i != 3)
            memory->number_of[variable] = 0;
    }
}

static void find_variables(struct pgs_spv_memory *memory)
{
    const struct pgs_spv_list *globals = &memory->m->sections[PGS_SPV_GLOBALS];
    const struct pgs_spv_list *functions = &memory->m->sections[PGS_SPV_FUNCTIONS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < globals->count; i++)
        add_variable(memory, globals->items[i], &count);
    for (uint32_t i = 0; i < functions->count; i++) {
        add_variable(memory, functions->items[i], &count);
        note_pointers(memory, functions->items[i]);
    }
    memory->mask_w = count / 32 + 1;
}

static bool is_change(uint32_t decoration)
{
    return decoration == SpvDecorationVolatile || decoration == SpvDecorationCoherent;
}

/* Whether the module has memory that others change while a shader runs. */
static bool shares_memory(const struct pgs_spv_module *m)
{
    const struct pgs_spv_list *list = &m->sections[PGS_SPV_ANNOTATIONS];
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t *ins = list->items[i];
        const uint32_t at = pgs_spv_op(ins) == SpvOpMemberDecorate ? 3 : 2;
        if ((at == 3 || pgs_spv_op(ins) == SpvOpDecorate) && is_change(ins[at]))
            return true;
    }
    return false;
}

/* Structs whose first member is only read have but one, or are treated alike. */
static void note_shared(struct pgs_spv_memory *memory)
{
    const struct pgs_spv_list *list = &memory->m->sections[PGS_SPV_ANNOTATIONS];
    memory->is_changed = pgs_spv_zalloc(memory->m, memory->bound, sizeof(*memory->is_changed));
    memory->is_only_read = pgs_spv_zalloc(memory->m, memory->bound, sizeof(*memory->is_only_read));
    if (memory->m->result != PGS_SPV_OK)
        return;
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t *ins = list->items[i], op = pgs_spv_op(ins);
        if (op == SpvOpDecorate && ins[1] < memory->bound)
            memory->is_changed[ins[1]] |= is_change(ins[2]);
        else if (op == SpvOpMemberDecorate && ins[1] < memory->bound) {
            memory->is_changed[ins[1]] |= is_change(ins[3]);
            memory->is_only_read[ins[1]] |= ins[3] == SpvDecorationNonWritable;
        }
    }
}

/* -- what is stored -- */

static void set_bit(uint32_t *mask, uint32_t number)
{
    mask[number / 32] |= 1u << number % 32;
}

static uint32_t number_of(const struct pgs_spv_memory *memory, uint32_t pointer)
{
    const uint32_t variable = pointer < memory->bound ? memory->variable_of[pointer] : 0;
    return variable ? memory->number_of[variable] : 0;
}

void pgs_spv_note_stores(const struct pgs_spv_memory *memory, const uint32_t *ins, uint32_t *mask)
{
    const uint32_t op = pgs_spv_op(ins);
    uint32_t number = 0;
    if (pgs_spv_takes_numbers(op))
        return;
    switch (op) {
    case SpvOpStore:
        number = number_of(memory, ins[1]);
        set_bit(mask, number == READ_ONLY ? 0 : number);
        return;
    case SpvOpFunctionCall:
        number = ins[3] < memory->bound ? memory->function_of[ins[3]] : 0;
        for (uint32_t i = 0; number && i < memory->mask_w; i++)
            mask[i] |= memory->stores[(number - 1) * memory->mask_w + i];
        mask[0] |= number == 0;
        return;
    case SpvOpExtInst:
        mask[0] |= ins[4] == GLSLstd450Modf || ins[4] == GLSLstd450Frexp;
        return;
    case SpvOpFunction:
    case SpvOpFunctionParameter:
    case SpvOpFunctionEnd:
        return;
    default:
        mask[0] |= !pgs_spv_is_pure(ins) && !pgs_spv_is_control(op);
    }
}

/* A call, by numbers of functions. */
struct call {
    uint32_t from, to;
};

static uint32_t number_functions(struct pgs_spv_memory *memory, uint32_t *call_count)
{
    const struct pgs_spv_list *list = &memory->m->sections[PGS_SPV_FUNCTIONS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t op = pgs_spv_op(list->items[i]);
        *call_count += op == SpvOpFunctionCall;
        if (op == SpvOpFunction)
            memory->function_of[list->items[i][2]] = ++count;
    }
    return count;
}

/* Functions store what those store that they call. */
static void add_called(struct pgs_spv_memory *memory, const struct call *calls, uint32_t count)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t *to = memory->stores + calls[i].from * memory->mask_w;
            const uint32_t *from = memory->stores + calls[i].to * memory->mask_w;
            for (uint32_t k = 0; k < memory->mask_w; k++) {
                changed = changed || (from[k] & ~to[k]) != 0;
                to[k] |= from[k];
            }
        }
    }
}

static void find_stores(struct pgs_spv_memory *memory)
{
    const struct pgs_spv_list *list = &memory->m->sections[PGS_SPV_FUNCTIONS];
    uint32_t call_count = 0, calls_found = 0, function = 0;
    const uint32_t count = number_functions(memory, &call_count);
    if (call_count == 0) /* nobody asks what functions store */
        return;
    struct call *calls = pgs_spv_zalloc(memory->m, call_count + 1u, sizeof(*calls));
    memory->stores =
        pgs_spv_zalloc(memory->m, (size_t)(count + 1) * memory->mask_w, sizeof(*memory->stores));
    if (memory->m->result != PGS_SPV_OK)
        return;
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t *ins = list->items[i];
        const uint32_t op = pgs_spv_op(ins);
        if (op == SpvOpFunction)
            function = memory->function_of[ins[2]] - 1;
        if (op == SpvOpFunctionCall && ins[3] < memory->bound && memory->function_of[ins[3]])
            calls[calls_found++] = (struct call){function, memory->function_of[ins[3]] - 1};
        else
            pgs_spv_note_stores(memory, ins, memory->stores + function * memory->mask_w);
    }
    add_called(memory, calls, calls_found);
}

void pgs_spv_open_memory(struct pgs_spv_module *m, struct pgs_spv_memory *memory)
{
    *memory = (struct pgs_spv_memory){.m = m,
                                      .bound = m->bound,
                                      .variable_of = pgs_spv_zalloc(m, m->bound, 4),
                                      .number_of = pgs_spv_zalloc(m, m->bound, 4),
                                      .constant_of = pgs_spv_zalloc(m, m->bound, 4),
                                      .stored = pgs_spv_zalloc(m, m->bound, sizeof(void *)),
                                      .stored_count = pgs_spv_zalloc(m, m->bound, 4),
                                      .function_of = pgs_spv_zalloc(m, m->bound, 4),
                                      .shares = shares_memory(m)};
    memory->known.items = pgs_spv_alloc(m, MAX_KNOWN, sizeof(*memory->known.items));
    if (memory->shares)
        note_shared(memory);
    if (m->result != PGS_SPV_OK)
        return;
    find_variables(memory);
    find_stores(memory);
}

/* -- places -- */

/* Adds the indices of a chain. Those behind one that is no constant are left out. */
static void add_indices(const struct pgs_spv_module *m, const uint32_t *chain,
                        struct pgs_spv_place *place)
{
    for (uint32_t i = 4; i < pgs_spv_length(chain) && place->is_whole; i++) {
        uint32_t index;
        const uint32_t *def = pgs_spv_def_op(m, chain[i], SpvOpConstant);
        const uint32_t *type = def ? pgs_spv_def_op(m, def[1], SpvOpTypeInt) : NULL;
        index = type && type[2] == 32 ? def[3] : UINT32_MAX;
        place->is_whole = index != UINT32_MAX && place->count < PGS_SPV_PLACE_INDICES;
        if (place->is_whole)
            place->index[place->count++] = index;
    }
}

static uint32_t class_of(const struct pgs_spv_module *m, uint32_t pointer)
{
    const uint32_t *def = pgs_spv_def(m, pointer);
    const uint32_t *type =
        def && pgs_spv_result_word(def) == 2 ? pgs_spv_def_op(m, def[1], SpvOpTypePointer) : NULL;
    return type ? type[2] : UINT32_MAX;
}

/* True for a part of a struct that nobody changes. */
static bool is_only_read(const struct pgs_spv_memory *memory, uint32_t pointer)
{
    const struct pgs_spv_module *m = memory->m;
    const uint32_t *chain = pgs_spv_def(m, pointer);
    const uint32_t *type = chain && pgs_spv_is_chain(pgs_spv_op(chain))
                               ? pgs_spv_def_op(m, pgs_spv_type_of(m, chain[3]), SpvOpTypePointer)
                               : NULL;
    return type && type[3] < memory->bound && memory->is_only_read[type[3]] &&
           !memory->is_changed[type[3]];
}

/* False: nothing can be known of what is there. */
static bool find_place(const struct pgs_spv_memory *memory, uint32_t pointer,
                       struct pgs_spv_place *place)
{
    const struct pgs_spv_module *m = memory->m;
    const uint32_t number = number_of(memory, pointer);
    *place = (struct pgs_spv_place){.root = pointer, .is_whole = true, .number = number};
    if (!number)
        return class_of(m, pointer) == SpvStorageClassPhysicalStorageBuffer &&
               (!memory->shares || is_only_read(memory, pointer));
    const uint32_t *def = pgs_spv_def(m, pointer);
    place->root = memory->variable_of[pointer];
    if (pointer == place->root)
        return true;
    /* A chain on a chain is rare, and known as little as one with variable indices. */
    place->is_whole = def && pgs_spv_is_chain(pgs_spv_op(def)) && def[3] == place->root;
    if (place->is_whole)
        add_indices(m, def, place);
    return true;
}

/* A place that is not whole has all that begins with its indices. */
static bool overlap(const struct pgs_spv_place *a, const struct pgs_spv_place *b)
{
    if (a->number != b->number)
        return false;
    if (a->number == 0)
        return true;
    if (a->root != b->root)
        return false;
    for (uint32_t i = 0; i < a->count && i < b->count; i++) {
        if (a->index[i] != b->index[i])
            return false;
    }
    return true;
}

static bool is_same(const struct pgs_spv_place *a, const struct pgs_spv_place *b)
{
    return a->root == b->root && a->number == b->number && a->count == b->count && a->is_whole &&
           b->is_whole && !memcmp(a->index, b->index, a->count * sizeof(a->index[0]));
}

/* -- what is known -- */

static const struct pgs_spv_known *find_known(const struct pgs_spv_memory *memory,
                                              const struct pgs_spv_place *place)
{
    for (uint32_t i = memory->known.count; i-- > 0;) {
        if (is_same(&memory->known.items[i].place, place))
            return &memory->known.items[i];
    }
    return NULL;
}

static void add_known(struct pgs_spv_memory *memory, const struct pgs_spv_place *place,
                      uint32_t value)
{
    if (place->is_whole && memory->known.count < MAX_KNOWN)
        memory->known.items[memory->known.count++] =
            (struct pgs_spv_known){.place = *place, .value = value};
}

static void forget_place(struct pgs_spv_memory *memory, const struct pgs_spv_place *place)
{
    struct pgs_spv_known_list *known = &memory->known;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < known->count; i++) {
        if (!overlap(&known->items[i].place, place))
            known->items[kept++] = known->items[i];
    }
    known->count = kept;
}

void pgs_spv_forget_stored(struct pgs_spv_memory *memory, const uint32_t *mask)
{
    struct pgs_spv_known_list *known = &memory->known;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < known->count; i++) {
        const uint32_t number = known->items[i].place.number;
        if (number == READ_ONLY || !(mask[number / 32] >> number % 32 & 1))
            known->items[kept++] = known->items[i];
    }
    known->count = kept;
}

bool pgs_spv_loads_input(const struct pgs_spv_memory *memory, const uint32_t *load)
{
    return pgs_spv_length(load) == 4 && number_of(memory, load[3]) == READ_ONLY;
}

/* False if pointers into one variable lead to different elements. */
static bool may_meet(const struct pgs_spv_memory *memory, uint32_t variable, uint32_t a, uint32_t b)
{
    const struct pgs_spv_module *m = memory->m;
    const uint32_t *of_a = pgs_spv_def(m, a), *of_b = pgs_spv_def(m, b);
    if (a == variable || b == variable || !of_a || !of_b || !pgs_spv_is_chain(pgs_spv_op(of_a)) ||
        !pgs_spv_is_chain(pgs_spv_op(of_b)) || of_a[3] != variable || of_b[3] != variable)
        return true;
    for (uint32_t i = 4; i < pgs_spv_length(of_a) && i < pgs_spv_length(of_b); i++) {
        uint32_t index_a, index_b;
        if (of_a[i] != of_b[i] && pgs_spv_constant_bits(m, of_a[i], &index_a) &&
            pgs_spv_constant_bits(m, of_b[i], &index_b) && index_a != index_b)
            return false;
    }
    return true;
}

/* The 0 that stands for what a variable has where nothing is ever stored; 0: something may be. */
static uint32_t never_stored(const struct pgs_spv_memory *memory, const uint32_t *load,
                             uint32_t variable)
{
    const uint32_t *def = pgs_spv_def_op(memory->m, variable, SpvOpVariable);
    if (!def || pgs_spv_length(def) != 4 || memory->stored_count[variable] > PGS_SPV_MAX_STORED)
        return 0;
    for (const struct pgs_spv_stored *s = memory->stored[variable]; s; s = s->next)
        if (may_meet(memory, variable, s->pointer, load[3]))
            return 0;
    return pgs_spv_null(memory->m, load[1]);
}

uint32_t pgs_spv_known_load(struct pgs_spv_memory *memory, const uint32_t *load)
{
    struct pgs_spv_place place;
    if ((pgs_spv_length(load) > 4 && load[4] != SpvMemoryAccessAlignedMask) ||
        !find_place(memory, load[3], &place))
        return 0;
    const uint32_t constant = place.number ? memory->constant_of[place.root] : 0;
    if (constant && constant != UINT32_MAX && load[3] == place.root)
        return constant;
    const struct pgs_spv_known *known = find_known(memory, &place);
    const uint32_t null = !known && place.number && place.number != READ_ONLY
                              ? never_stored(memory, load, place.root)
                              : 0;
    if (!known && !null)
        add_known(memory, &place, load[2]);
    return known ? known->value : null;
}

bool pgs_spv_known_store(struct pgs_spv_memory *memory, const uint32_t *store)
{
    struct pgs_spv_place place;
    const uint32_t number = number_of(memory, store[1]);
    if (!number || number == READ_ONLY) {
        place = (struct pgs_spv_place){.number = 0};
        forget_place(memory, &place);
        return false;
    }
    find_place(memory, store[1], &place);
    const struct pgs_spv_known *known = find_known(memory, &place);
    if (known && known->value == store[2])
        return true;
    forget_place(memory, &place);
    add_known(memory, &place, store[2]);
    return false;
}

struct pgs_spv_known_list pgs_spv_copy_known(const struct pgs_spv_memory *memory)
{
    struct pgs_spv_known_list copy = {.count = memory->known.count};
    copy.items = pgs_spv_alloc(memory->m, copy.count + 1u, sizeof(*copy.items));
    if (!copy.items)
        copy.count = 0;
    if (copy.count)
        memcpy(copy.items, memory->known.items, copy.count * sizeof(*copy.items));
    return copy;
}

void pgs_spv_set_known(struct pgs_spv_memory *memory, const struct pgs_spv_known_list *known)
{
    memory->known.count = known->count;
    if (known->count)
        memcpy(memory->known.items, known->items, known->count * sizeof(*known->items));
}
