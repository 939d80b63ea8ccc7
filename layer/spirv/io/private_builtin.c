/* SPDX-License-Identifier: MIT
 *
 * Arrays of built-ins that become private.
 */
#include "spirv/io/private_builtin.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/operands.h"

#include <string.h>

struct rewrite {
    struct pgs_spv_module *m;
    struct pgs_spv_place place;
    uint32_t variable; /* the private one */
    uint32_t bound;
    uint8_t *is_inside; /* by id: points into the private array */
};

static int32_t member_of(const struct pgs_spv_module *m, const uint32_t *block, uint32_t builtin)
{
    for (uint32_t i = 2; block && i < pgs_spv_length(block); i++) {
        uint32_t value;
        if (pgs_spv_decoration(m, block[1], (int32_t)i - 2, SpvDecorationBuiltIn, &value) &&
            value == builtin)
            return (int32_t)i - 2;
    }
    return -1;
}

static bool find_in(const struct pgs_spv_module *m, const uint32_t *variable, uint32_t builtin,
                    struct pgs_spv_place *place)
{
    const uint32_t *pointer = pgs_spv_def_op(m, variable[1], SpvOpTypePointer);
    uint32_t value;
    if (!pointer)
        return false;
    *place = (struct pgs_spv_place){.variable = variable[2], .type = pointer[3], .member = -1};
    if (pgs_spv_decoration(m, variable[2], -1, SpvDecorationBuiltIn, &value)) {
        place->inner = pointer[3];
        place->initializer = pgs_spv_length(variable) > 4 ? variable[4] : 0;
        return value == builtin;
    }
    const uint32_t *block = pgs_spv_def_op(m, pointer[3], SpvOpTypeStruct);
    place->member = member_of(m, block, builtin);
    if (place->member < 0)
        return false;
    place->inner = block[2 + place->member];
    return true;
}

bool pgs_spv_find_builtin(const struct pgs_spv_module *m, uint32_t storage_class, uint32_t builtin,
                          struct pgs_spv_place *place)
{
    const struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    for (uint32_t i = 0; i < globals->count; i++) {
        const uint32_t *ins = globals->items[i];
        if (pgs_spv_op(ins) == SpvOpVariable && ins[3] == storage_class &&
            find_in(m, ins, builtin, place))
            return true;
    }
    return false;
}

static bool is_inside(const struct rewrite *r, uint32_t id)
{
    return id < r->bound && r->is_inside[id];
}

/* The type of a pointer to the same, but private. */
static uint32_t private_pointer(struct pgs_spv_module *m, uint32_t type)
{
    const uint32_t *pointer = pgs_spv_def_op(m, type, SpvOpTypePointer);
    if (!pointer) {
        pgs_spv_fail(m, PGS_SPV_INVALID);
        return 0;
    }
    return pgs_spv_type_pointer(m, SpvStorageClassPrivate, pointer[3]);
}

static void note_inside(const struct rewrite *r, uint32_t id)
{
    if (id < r->bound)
        r->is_inside[id] = 1;
}

/* An access to a member of the block: of the array, or none of ours. */
static uint32_t *rewrite_member(struct rewrite *r, uint32_t *ins)
{
    struct pgs_spv_module *m = r->m;
    const uint32_t length = pgs_spv_length(ins);
    uint32_t member;
    if (length < 5 || !pgs_spv_constant(m, ins[4], &member)) {
        pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
        return ins;
    }
    if (member != (uint32_t)r->place.member)
        return ins;
    const uint32_t type = private_pointer(m, ins[1]);
    note_inside(r, ins[2]);
    if (length == 5)
        return pgs_spv_make(m, SpvOpCopyObject, (const uint32_t[]){type, ins[2], r->variable}, 3);
    uint32_t *words = pgs_spv_zalloc(m, length, 4);
    if (!words)
        return ins;
    memcpy(words, ins + 1, (length - 1) * 4u);
    words[0] = type;
    words[2] = r->variable;
    memmove(words + 3, words + 4, (length - 5) * 4u);
    return pgs_spv_make(m, pgs_spv_op(ins), words, length - 2);
}

/* Pointers into the array become private; what else uses them must take such pointers. */
static uint32_t *rewrite(struct rewrite *r, uint32_t *ins)
{
    const uint32_t op = pgs_spv_op(ins), length = pgs_spv_length(ins);
    const bool access = pgs_spv_is_chain(op);
    const bool in_block = r->place.member >= 0;
    bool uses = false;
    if (access && in_block && ins[3] == r->place.variable)
        return rewrite_member(r, ins);
    for (uint32_t i = 1; i < length; i++) {
        if (!pgs_spv_is_id(ins, i))
            continue;
        if (ins[i] == r->place.variable) {
            if (in_block)
                pgs_spv_fail(r->m, PGS_SPV_UNSUPPORTED);
            ins[i] = r->variable;
            uses = true;
        } else {
            uses |= is_inside(r, ins[i]);
        }
    }
    if (!uses)
        return ins;
    switch (op) {
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpCopyObject:
        ins[1] = private_pointer(r->m, ins[1]);
        note_inside(r, ins[2]);
        break;
    case SpvOpLoad:
    case SpvOpStore:
    case SpvOpCopyMemory:
        break;
    default:
        pgs_spv_fail(r->m, PGS_SPV_UNSUPPORTED);
        break;
    }
    return ins;
}

static uint32_t declare(struct pgs_spv_module *m, const struct pgs_spv_place *place)
{
    struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    const uint32_t pointer = pgs_spv_type_pointer(m, SpvStorageClassPrivate, place->inner);
    const uint32_t initializer =
        place->initializer ? place->initializer
                           : pgs_spv_value(m, globals, SpvOpConstantNull, place->inner, NULL, 0);
    return PGS_SPV_VALUE(m, globals, SpvOpVariable, pointer, SpvStorageClassPrivate, initializer);
}

static bool is_of_variable(const uint32_t *ins, void *context)
{
    const uint32_t *variable = context;
    return (pgs_spv_op(ins) == SpvOpVariable && ins[2] == *variable) ||
           ((pgs_spv_op(ins) == SpvOpDecorate || pgs_spv_op(ins) == SpvOpName) &&
            ins[1] == *variable);
}

/* A block keeps the member, which needs no capability while nothing uses it. */
static void drop_variable(struct pgs_spv_module *m, uint32_t variable)
{
    pgs_spv_filter(&m->sections[PGS_SPV_GLOBALS], is_of_variable, &variable);
    pgs_spv_filter(&m->sections[PGS_SPV_ANNOTATIONS], is_of_variable, &variable);
    pgs_spv_filter(&m->sections[PGS_SPV_NAMES], is_of_variable, &variable);
}

static bool is_word(const struct pgs_spv_module *m, uint32_t type)
{
    const uint32_t *def = pgs_spv_def(m, type);
    return def && (pgs_spv_op(def) == SpvOpTypeFloat || pgs_spv_op(def) == SpvOpTypeInt) &&
           def[2] == 32;
}

void pgs_spv_make_builtin_private(struct pgs_spv_module *m, uint32_t storage_class,
                                  uint32_t builtin, struct pgs_spv_private *array)
{
    struct rewrite r = {.m = m};
    *array = (struct pgs_spv_private){0};
    if (m->result != PGS_SPV_OK || !pgs_spv_find_builtin(m, storage_class, builtin, &r.place))
        return;
    const uint32_t *type = pgs_spv_def_op(m, r.place.inner, SpvOpTypeArray);
    if (!type || !is_word(m, type[2]) || !pgs_spv_constant(m, type[3], &array->count)) {
        pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
        return;
    }
    array->element = type[2];
    r.bound = m->bound;
    r.is_inside = pgs_spv_zalloc(m, m->bound, 1);
    r.variable = declare(m, &r.place);
    struct pgs_spv_list *functions = &m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < functions->count && m->result == PGS_SPV_OK; i++)
        functions->items[i] = rewrite(&r, functions->items[i]);
    if (r.place.member < 0 && m->result == PGS_SPV_OK)
        drop_variable(m, r.place.variable);
    array->variable = r.variable;
}

static uint32_t pointer_to(struct pgs_spv_module *m, struct pgs_spv_list *list,
                           const struct pgs_spv_private *array, uint32_t element)
{
    const uint32_t type = pgs_spv_type_pointer(m, SpvStorageClassPrivate, array->element);
    return PGS_SPV_VALUE(m, list, SpvOpAccessChain, type, array->variable,
                         pgs_spv_uint(m, element));
}

uint32_t pgs_spv_load_private(struct pgs_spv_module *m, struct pgs_spv_list *list,
                              const struct pgs_spv_private *array, uint32_t element)
{
    const uint32_t pointer = pointer_to(m, list, array, element);
    return PGS_SPV_VALUE(m, list, SpvOpLoad, array->element, pointer);
}

void pgs_spv_store_private(struct pgs_spv_module *m, struct pgs_spv_list *list,
                           const struct pgs_spv_private *array, uint32_t element, uint32_t value)
{
    const uint32_t pointer = pointer_to(m, list, array, element);
    PGS_SPV_APPEND(m, list, SpvOpStore, pointer, value);
}
