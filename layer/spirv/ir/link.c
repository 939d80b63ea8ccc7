/* SPDX-License-Identifier: MIT
 *
 * Copies functions of the embedded libraries into a module.
 */
#include "spirv/ir/link.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/operands.h"

#include <string.h>

struct linker {
    struct pgs_spv_module *m, lib;
    uint32_t *map;    /* by library id: id in m, 0 = not yet */
    uint8_t *copied;  /* by library id: the copy is new, not an existing instruction of m */
    uint32_t *places; /* by library id: position of the function */
    uint32_t *queue;  /* library functions to copy, by position */
    uint32_t queue_count;
};

static uint32_t find_function(const struct linker *l, const char *name)
{
    const struct pgs_spv_list *names = &l->lib.sections[PGS_SPV_NAMES];
    const size_t length = strlen(name);
    for (uint32_t i = 0; i < names->count; i++) {
        const uint32_t *ins = names->items[i];
        if (pgs_spv_op(ins) != SpvOpName || !pgs_spv_def_op(&l->lib, ins[1], SpvOpFunction) ||
            pgs_spv_string_words(ins, 2) * 4u <= length)
            continue;
        size_t k = 0;
        while (k < length && (unsigned char)name[k] == ((ins[2 + k / 4] >> (k % 4 * 8)) & 0xFFu))
            k++;
        if (k == length && ((ins[2 + k / 4] >> (k % 4 * 8)) & 0xFFu) == '(')
            return ins[1];
    }
    return 0;
}

/* The new id of a library function (`given`, or a fresh one if that is 0). The first call queues
 * the function. */
static uint32_t want_function(struct linker *l, uint32_t id, uint32_t given)
{
    if (id >= l->lib.bound || !pgs_spv_def_op(&l->lib, id, SpvOpFunction))
        return 0;
    if (l->map[id])
        return l->map[id];
    l->queue[l->queue_count++] = l->places[id];
    l->copied[id] = 1;
    return l->map[id] = given ? given : pgs_spv_new_id(l->m);
}

/* Finds an instruction of m that is equal except for its result id. */
static uint32_t find_same(const struct pgs_spv_module *m, enum pgs_spv_section section,
                          const uint32_t *ins, uint32_t id_word)
{
    const struct pgs_spv_list *list = &m->sections[section];
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t *other = list->items[i];
        if (other[0] != ins[0])
            continue;
        bool same = true;
        for (uint32_t k = 1; k < pgs_spv_length(ins) && same; k++)
            same = k == id_word || other[k] == ins[k];
        if (same)
            return other[id_word];
    }
    return 0;
}

static uint32_t map_id(struct linker *l, uint32_t id);

/* Maps a module-scope id: to an equal instruction of m, else to a copy. */
static uint32_t map_global(struct linker *l, const uint32_t *def)
{
    struct pgs_spv_module *m = l->m;
    const uint32_t op = pgs_spv_op(def), length = pgs_spv_length(def);
    uint32_t type_word, id_word;
    pgs_spv_result_words(op, &type_word, &id_word);
    uint32_t *copy = pgs_spv_zalloc(m, length, 4);
    if (!copy)
        return 0;
    memcpy(copy, def, length * 4);
    for (uint32_t i = 1; i < length; i++) {
        if (i != id_word && pgs_spv_is_id(def, i))
            copy[i] = map_id(l, def[i]);
    }
    const enum pgs_spv_section section =
        op == SpvOpExtInstImport ? PGS_SPV_IMPORTS : PGS_SPV_GLOBALS;
    /* Arrays and structs differ by their layout decorations. */
    if (op != SpvOpVariable && op != SpvOpTypeStruct && op != SpvOpTypeArray &&
        op != SpvOpTypeRuntimeArray) {
        const uint32_t same = find_same(m, section, copy, id_word);
        if (same)
            return l->map[def[id_word]] = same;
    }
    copy[id_word] = pgs_spv_new_id(m);
    if (m->result != PGS_SPV_OK)
        return 0;
    m->defs[copy[id_word]] = copy;
    pgs_spv_push(m, &m->sections[section], copy);
    l->copied[def[id_word]] = 1;
    return l->map[def[id_word]] = copy[id_word];
}

static uint32_t map_id(struct linker *l, uint32_t id)
{
    const uint32_t *def = pgs_spv_def(&l->lib, id);
    if (!def || l->m->result != PGS_SPV_OK) {
        pgs_spv_fail(l->m, PGS_SPV_INVALID);
        return 0;
    }
    if (l->map[id])
        return l->map[id];
    if (pgs_spv_op(def) == SpvOpFunction)
        return want_function(l, id, 0);
    return map_global(l, def);
}

static void copy_function(struct linker *l, uint32_t first)
{
    struct pgs_spv_module *m = l->m;
    const struct pgs_spv_list *from = &l->lib.sections[PGS_SPV_FUNCTIONS];
    uint32_t end = first;
    do { /* assign ids first, as branches go forward */
        uint32_t type_word, id_word;
        pgs_spv_result_words(pgs_spv_op(from->items[end]), &type_word, &id_word);
        if (id_word && !l->map[from->items[end][id_word]]) {
            l->map[from->items[end][id_word]] = pgs_spv_new_id(m);
            l->copied[from->items[end][id_word]] = 1;
        }
    } while (pgs_spv_op(from->items[end++]) != SpvOpFunctionEnd);
    for (uint32_t i = first; i < end; i++) {
        const uint32_t *ins = from->items[i];
        uint32_t *copy = pgs_spv_zalloc(m, pgs_spv_length(ins), 4);
        if (!copy)
            return;
        copy[0] = ins[0];
        for (uint32_t k = 1; k < pgs_spv_length(ins); k++)
            copy[k] = pgs_spv_is_id(ins, k) ? map_id(l, ins[k]) : ins[k];
        uint32_t type_word, id_word;
        pgs_spv_result_words(pgs_spv_op(copy), &type_word, &id_word);
        if (id_word && copy[id_word] < m->bound)
            m->defs[copy[id_word]] = copy;
        pgs_spv_push(m, &m->sections[PGS_SPV_FUNCTIONS], copy);
        if (i == first)
            pgs_spv_push(m, &m->linked, copy);
    }
}

/* Copies names and decorations of copied ids. */
static void copy_about(struct linker *l, enum pgs_spv_section section)
{
    const struct pgs_spv_list *from = &l->lib.sections[section];
    for (uint32_t i = 0; i < from->count; i++) {
        const uint32_t *ins = from->items[i];
        const uint32_t id = ins[1];
        if (id >= l->lib.bound || !l->copied[id])
            continue;
        uint32_t *copy = pgs_spv_zalloc(l->m, pgs_spv_length(ins), 4);
        if (!copy)
            return;
        memcpy(copy, ins, pgs_spv_length(ins) * 4u);
        copy[1] = l->map[id];
        pgs_spv_push(l->m, &l->m->sections[section], copy);
    }
}

static void link_all(struct linker *l, const char *const *names, uint32_t *ids, uint32_t count)
{
    struct pgs_spv_module *m = l->m;
    l->map = pgs_spv_zalloc(m, l->lib.bound, 4);
    l->copied = pgs_spv_zalloc(m, l->lib.bound, 1);
    l->places = pgs_spv_zalloc(m, l->lib.bound, 4);
    l->queue = pgs_spv_zalloc(m, l->lib.bound, 4);
    if (m->result != PGS_SPV_OK)
        return;
    const struct pgs_spv_list *functions = &l->lib.sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < functions->count; i++) {
        if (pgs_spv_op(functions->items[i]) == SpvOpFunction)
            l->places[functions->items[i][2]] = i;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!names[i])
            continue;
        ids[i] = want_function(l, find_function(l, names[i]), ids[i]);
        if (!ids[i])
            pgs_spv_fail(m, PGS_SPV_INVALID);
    }
    for (uint32_t i = 0; i < l->queue_count && m->result == PGS_SPV_OK; i++)
        copy_function(l, l->queue[i]);
    copy_about(l, PGS_SPV_NAMES);
    copy_about(l, PGS_SPV_ANNOTATIONS);
    const struct pgs_spv_list *capabilities = &l->lib.sections[PGS_SPV_CAPABILITIES];
    for (uint32_t i = 0; i < capabilities->count; i++)
        pgs_spv_add_capability(m, capabilities->items[i][1]);
    /* The only extension that physical addresses need in SPIR-V before 1.5. */
    if (m->version < PGS_SPV_VERSION(1, 5))
        pgs_spv_add_extension(m, "SPV_KHR_physical_storage_buffer");
    m->sections[PGS_SPV_MEMORY_MODEL].items[0][1] = SpvAddressingModelPhysicalStorageBuffer64;
}

void pgs_spv_link(struct pgs_spv_module *m, const uint32_t *words, size_t word_count,
                  const char *const *names, uint32_t *ids, uint32_t count)
{
    struct linker l = {.m = m};
    if (m->result != PGS_SPV_OK)
        return;
    const enum pgs_spv_result result = pgs_spv_parse(&l.lib, words, word_count);
    if (result != PGS_SPV_OK)
        pgs_spv_fail(m, result);
    else
        link_all(&l, names, ids, count);
    pgs_spv_finish(&l.lib);
}

static bool calls(const struct pgs_spv_module *m, uint32_t function)
{
    const struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < list->count; i++) {
        if (pgs_spv_op(list->items[i]) == SpvOpFunctionCall && list->items[i][3] == function)
            return true;
    }
    return false;
}

void pgs_spv_link_called(struct pgs_spv_module *m, const uint32_t *words, size_t word_count,
                         const char *const *names, const uint32_t *ids, uint32_t count)
{
    const char **called = pgs_spv_zalloc(m, count, sizeof(*called));
    uint32_t *given = pgs_spv_zalloc(m, count, sizeof(*given));
    for (uint32_t i = 0; called && given && i < count; i++) {
        called[i] = calls(m, ids[i]) ? names[i] : NULL;
        given[i] = ids[i];
    }
    pgs_spv_link(m, words, word_count, called, given, count);
}
