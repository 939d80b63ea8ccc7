/* SPDX-License-Identifier: MIT
 *
 * Merges one module into another.
 */
#include "spirv/ir/merge.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/float_modes.h"
#include "spirv/ir/operands.h"

#include <string.h>

struct merge {
    struct pgs_spv_module *m;
    const struct pgs_spv_module *from;
    uint32_t *ids;
    uint8_t *copied; /* by id of `from`: the copy is new in m */
};

/* Groups versions by changes that a module can depend on: interfaces (1.4), branches (1.6). */
static uint32_t version_class(uint32_t version)
{
    return version < PGS_SPV_VERSION(1, 4) ? 0 : version < PGS_SPV_VERSION(1, 6) ? 1 : 2;
}

static bool is_wide_switch(const struct pgs_spv_module *m, const uint32_t *ins)
{
    if (pgs_spv_op(ins) != SpvOpSwitch)
        return false;
    const uint32_t *selector = pgs_spv_def(m, ins[1]);
    uint32_t type_word = 0, id_word;
    if (selector)
        pgs_spv_result_words(pgs_spv_op(selector), &type_word, &id_word);
    const uint32_t *type = type_word ? pgs_spv_def_op(m, selector[type_word], SpvOpTypeInt) : NULL;
    return !type || type[2] > 32;
}

static bool fits(const struct pgs_spv_module *m, const struct pgs_spv_module *from)
{
    if (version_class(m->version) != version_class(from->version) ||
        m->sections[PGS_SPV_MEMORY_MODEL].items[0][2] !=
            from->sections[PGS_SPV_MEMORY_MODEL].items[0][2] ||
        pgs_spv_float_modes_contradict(m, from))
        return false;
    for (enum pgs_spv_section s = PGS_SPV_ANNOTATIONS; s <= PGS_SPV_FUNCTIONS; s++) {
        for (uint32_t i = 0; i < from->sections[s].count; i++) {
            const uint32_t *ins = from->sections[s].items[i];
            if (!pgs_spv_knows_operands(pgs_spv_op(ins)) || is_wide_switch(from, ins))
                return false;
        }
    }
    return true;
}

/* Assigns a result id, unless the caller has given one. */
static uint32_t new_id(struct merge *g, uint32_t id)
{
    if (!g->ids[id]) {
        g->ids[id] = pgs_spv_new_id(g->m);
        g->copied[id] = 1;
    }
    return g->ids[id];
}

/* Translates all ids except the result. INVALID if an id is unknown. */
static uint32_t *translate(struct merge *g, const uint32_t *ins, uint32_t id_word)
{
    const uint32_t length = pgs_spv_length(ins);
    uint32_t *copy = pgs_spv_zalloc(g->m, length, 4);
    if (!copy)
        return NULL;
    memcpy(copy, ins, length * 4u);
    for (uint32_t i = 1; i < length; i++) {
        if (i == id_word || !pgs_spv_is_id(ins, i))
            continue;
        copy[i] = ins[i] < g->from->bound ? g->ids[ins[i]] : 0;
        if (!copy[i]) {
            pgs_spv_fail(g->m, PGS_SPV_INVALID);
            return NULL;
        }
    }
    return copy;
}

static void copy_instruction(struct merge *g, enum pgs_spv_section section, const uint32_t *ins)
{
    struct pgs_spv_module *m = g->m;
    uint32_t type_word, id_word;
    pgs_spv_result_words(pgs_spv_op(ins), &type_word, &id_word);
    uint32_t *copy = translate(g, ins, id_word);
    if (copy && id_word) {
        copy[id_word] = new_id(g, ins[id_word]);
        if (m->result == PGS_SPV_OK)
            m->defs[copy[id_word]] = copy;
    }
    pgs_spv_push(m, &m->sections[section], copy);
}

/* True for types that must be unique in a module. Decorations make types distinct; of the shared
 * ones only pointers can have any. */
static bool is_shared_type(const struct merge *g, const uint32_t *ins)
{
    const uint32_t op = pgs_spv_op(ins);
    const bool handle = op == SpvOpTypeRayQueryKHR || op == SpvOpTypeAccelerationStructureKHR;
    if (((op < SpvOpTypeVoid || op > SpvOpTypeFunction) && !handle) || op == SpvOpTypeArray ||
        op == SpvOpTypeRuntimeArray || op == SpvOpTypeStruct || g->ids[ins[1]])
        return false;
    const struct pgs_spv_list *list = &g->from->sections[PGS_SPV_ANNOTATIONS];
    for (uint32_t i = 0; op == SpvOpTypePointer && i < list->count; i++) {
        if (list->items[i][1] == ins[1])
            return false;
    }
    return true;
}

/* Keeps the order, so that definitions precede uses. Only pointers may refer ahead, after a forward
 * declaration. */
static void merge_globals(struct merge *g)
{
    struct pgs_spv_module *m = g->m;
    const struct pgs_spv_list *list = &g->from->sections[PGS_SPV_GLOBALS];
    for (uint32_t i = 0; i < list->count && m->result == PGS_SPV_OK; i++) {
        const uint32_t *ins = list->items[i];
        if (pgs_spv_op(ins) == SpvOpTypeForwardPointer && ins[1] < g->from->bound)
            new_id(g, ins[1]);
        if (!is_shared_type(g, ins)) {
            copy_instruction(g, PGS_SPV_GLOBALS, ins);
            continue;
        }
        const uint32_t *type = translate(g, ins, 1);
        if (type)
            g->ids[ins[1]] = pgs_spv_type(m, pgs_spv_op(type), type + 2, pgs_spv_length(type) - 2);
    }
}

static void merge_imports(struct merge *g)
{
    struct pgs_spv_list *own = &g->m->sections[PGS_SPV_IMPORTS];
    const struct pgs_spv_list *list = &g->from->sections[PGS_SPV_IMPORTS];
    for (uint32_t i = 0; i < list->count && g->m->result == PGS_SPV_OK; i++) {
        const uint32_t *ins = list->items[i];
        for (uint32_t k = 0; k < own->count; k++) {
            if (own->items[k][0] == ins[0] &&
                !memcmp(own->items[k] + 2, ins + 2, (pgs_spv_length(ins) - 2u) * 4u))
                g->ids[ins[1]] = own->items[k][1];
        }
        if (!g->ids[ins[1]])
            copy_instruction(g, PGS_SPV_IMPORTS, ins);
    }
}

static void merge_functions(struct merge *g)
{
    const struct pgs_spv_list *list = &g->from->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < list->count && g->m->result == PGS_SPV_OK; i++) {
        uint32_t type_word, id_word; /* assign ids first, as branches and calls go forward */
        pgs_spv_result_words(pgs_spv_op(list->items[i]), &type_word, &id_word);
        if (id_word)
            new_id(g, list->items[i][id_word]);
    }
    for (uint32_t i = 0; i < list->count && g->m->result == PGS_SPV_OK; i++)
        copy_instruction(g, PGS_SPV_FUNCTIONS, list->items[i]);
}

/* Copies names and decorations of copied ids. */
static void merge_about(struct merge *g, enum pgs_spv_section section)
{
    const struct pgs_spv_list *list = &g->from->sections[section];
    for (uint32_t i = 0; i < list->count && g->m->result == PGS_SPV_OK; i++) {
        const uint32_t *ins = list->items[i];
        if (ins[1] < g->from->bound && g->copied[ins[1]])
            copy_instruction(g, section, ins);
    }
}

static void merge_extensions(struct merge *g)
{
    struct pgs_spv_list *own = &g->m->sections[PGS_SPV_EXTENSIONS];
    const struct pgs_spv_list *list = &g->from->sections[PGS_SPV_EXTENSIONS];
    for (uint32_t i = 0; i < list->count; i++) {
        bool found = false;
        for (uint32_t k = 0; k < own->count && !found; k++)
            found = own->items[k][0] == list->items[i][0] &&
                    !memcmp(own->items[k], list->items[i], pgs_spv_length(list->items[i]) * 4u);
        if (!found)
            copy_instruction(g, PGS_SPV_EXTENSIONS, list->items[i]);
    }
}

/* Either module may have pointers to memory. */
static void merge_addressing(struct pgs_spv_module *m, const struct pgs_spv_module *from)
{
    const uint32_t *model = from->sections[PGS_SPV_MEMORY_MODEL].items[0];
    if (model[1] == SpvAddressingModelPhysicalStorageBuffer64)
        m->sections[PGS_SPV_MEMORY_MODEL].items[0][1] = model[1];
}

void pgs_spv_merge(struct pgs_spv_module *m, const struct pgs_spv_module *from, uint32_t *ids)
{
    struct merge g = {.m = m, .from = from, .ids = ids};
    if (from->result != PGS_SPV_OK)
        pgs_spv_fail(m, from->result);
    if (m->result != PGS_SPV_OK)
        return;
    if (!fits(m, from)) {
        pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
        return;
    }
    g.copied = pgs_spv_zalloc(m, from->bound, 1);
    if (!g.copied)
        return;
    if (m->version < from->version)
        m->version = from->version;
    merge_addressing(m, from);
    const struct pgs_spv_list *capabilities = &from->sections[PGS_SPV_CAPABILITIES];
    for (uint32_t i = 0; i < capabilities->count; i++)
        pgs_spv_add_capability(m, capabilities->items[i][1]);
    merge_extensions(&g);
    merge_imports(&g);
    for (uint32_t i = 0; i < from->sections[PGS_SPV_STRINGS].count; i++)
        copy_instruction(&g, PGS_SPV_STRINGS, from->sections[PGS_SPV_STRINGS].items[i]);
    merge_globals(&g);
    pgs_spv_merge_float_modes(m, from); /* after the types */
    merge_functions(&g);
    merge_about(&g, PGS_SPV_NAMES);
    merge_about(&g, PGS_SPV_ANNOTATIONS);
}
