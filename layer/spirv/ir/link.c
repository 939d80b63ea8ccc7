/* SPDX-License-Identifier: MIT
 *
 * Links functions of the embedded libraries into a module.
 */
#include "spirv/ir/link.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/operands.h"

#include <string.h>

/* The number of the library's function with the name; UINT32_MAX: there is none. */
static uint32_t find_named(const struct pgs_spv_library *library, const char *name)
{
    uint32_t first = 0, end = library->function_count;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2, number = library->by_name[middle];
        const int order = strcmp(library->functions[number].name, name);
        if (order == 0)
            return number;
        if (order < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return UINT32_MAX;
}

/* The id in m of a library function with the name (`given`, or a fresh one if that is 0), which is
 * linked from then on. 0: the library has no such function. */
static uint32_t want_named(struct pgs_spv_module *m, struct pgs_spv_linked *linked,
                           const char *name, uint32_t given)
{
    const struct pgs_spv_library *library = linked->library;
    const uint32_t number = find_named(library, name);
    if (number == UINT32_MAX)
        return 0;
    uint32_t *id = &linked->ids[library->words[library->functions[number].head + 2]];
    if (*id == 0) {
        *id = given ? given : pgs_spv_new_id(m);
        linked->functions[linked->function_count++] = number;
    }
    return *id;
}

/* -- what functions use of the module -- */

static bool is_same(const uint32_t *a, const uint32_t *b, uint32_t id_word)
{
    bool same = a[0] == b[0];
    for (uint32_t k = 1; same && k < pgs_spv_length(a); k++)
        same = k == id_word || a[k] == b[k];
    return same;
}

/* Arrays and structs differ by their layout decorations. */
static bool is_shared(uint32_t op)
{
    return op != SpvOpVariable && op != SpvOpTypeStruct && op != SpvOpTypeArray &&
           op != SpvOpTypeRuntimeArray;
}

static uint32_t hash_of(const uint32_t *ins, uint32_t id_word)
{
    uint32_t hash = ins[0] * 0x9E3779B1u;
    for (uint32_t k = 1; k < pgs_spv_length(ins); k++)
        hash = k == id_word ? hash : (hash ^ ins[k]) * 0x9E3779B1u;
    return hash >> (32 - PGS_SPV_GLOBALS_LOG2);
}

/* The id of an equal instruction of GLOBALS, the first one; 0: there is none. */
static uint32_t find_global(const struct pgs_spv_known_globals *known, const uint32_t *ins,
                            uint32_t id_word, uint32_t hash)
{
    const struct pgs_spv_list *list = &known->m->sections[PGS_SPV_GLOBALS];
    for (uint32_t i = known->heads[hash]; i; i = known->next[i - 1]) {
        if (is_same(list->items[i - 1], ins, id_word))
            return list->items[i - 1][id_word];
    }
    return 0;
}

static bool make_room(struct pgs_spv_known_globals *known, uint32_t count)
{
    if (count <= known->capacity)
        return true;
    uint32_t *next = pgs_spv_alloc(known->m, (size_t)count * 2, sizeof(*next));
    if (!next)
        return false;
    if (known->count)
        memcpy(next, known->next, known->count * sizeof(*next));
    known->next = next;
    known->capacity = count * 2;
    return true;
}

/* Notes what has come to GLOBALS. */
static void note_globals(struct pgs_spv_known_globals *known)
{
    const struct pgs_spv_list *list = &known->m->sections[PGS_SPV_GLOBALS];
    if (!make_room(known, list->count))
        return;
    for (; known->count < list->count; known->count++) {
        const uint32_t *ins = list->items[known->count], id_word = pgs_spv_result_word(ins);
        const bool shared = id_word && is_shared(pgs_spv_op(ins));
        const uint32_t hash = shared ? hash_of(ins, id_word) : 0;
        if (!shared || find_global(known, ins, id_word, hash))
            continue;
        known->next[known->count] = known->heads[hash];
        known->heads[hash] = known->count + 1;
    }
}

static uint32_t find_import(const struct pgs_spv_module *m, const uint32_t *copy)
{
    const struct pgs_spv_list *imports = &m->sections[PGS_SPV_IMPORTS];
    for (uint32_t i = 0; i < imports->count; i++) {
        if (is_same(imports->items[i], copy, 1))
            return imports->items[i][1];
    }
    return 0;
}

/* Maps an id outside of functions: to an equal instruction of the module, else to a copy. */
static uint32_t map_global(struct pgs_spv_known_globals *known, struct pgs_spv_linked *linked,
                           const uint32_t *def)
{
    struct pgs_spv_module *m = known->m;
    const uint32_t op = pgs_spv_op(def), length = pgs_spv_length(def);
    const uint32_t id_word = pgs_spv_result_word(def);
    uint32_t *copy = pgs_spv_alloc(m, length, 4);
    if (!copy)
        return 0;
    memcpy(copy, def, length * 4);
    for (uint32_t i = 1; i < length; i++) {
        if (i != id_word && pgs_spv_is_id(def, i))
            copy[i] = pgs_spv_map_id(known, linked, def[i]);
    }
    const bool is_import = op == SpvOpExtInstImport;
    note_globals(known);
    const uint32_t same = is_import ? find_import(m, copy)
                          : is_shared(op)
                              ? find_global(known, copy, id_word, hash_of(copy, id_word))
                              : 0;
    if (same || m->result != PGS_SPV_OK)
        return linked->ids[def[id_word]] = same;
    copy[id_word] = pgs_spv_new_id(m);
    if (m->result != PGS_SPV_OK)
        return 0;
    m->defs[copy[id_word]] = copy;
    pgs_spv_push(m, &m->sections[is_import ? PGS_SPV_IMPORTS : PGS_SPV_GLOBALS], copy);
    linked->copied[def[id_word]] = 1;
    return linked->ids[def[id_word]] = copy[id_word];
}

uint32_t pgs_spv_map_id(struct pgs_spv_known_globals *known, struct pgs_spv_linked *linked,
                        uint32_t id)
{
    const struct pgs_spv_library *library = linked->library;
    const uint32_t place = id < library->outer_bound ? library->places[id] : 0;
    if (!place || library->numbers[id]) {
        pgs_spv_fail(known->m, PGS_SPV_INVALID);
        return 0;
    }
    return linked->ids[id] ? linked->ids[id] : map_global(known, linked, library->words + place);
}

/* Copies what is said of copied ids. */
static void copy_about(struct pgs_spv_module *m, const struct pgs_spv_linked *linked,
                       enum pgs_spv_section section, const uint32_t places[2])
{
    const uint32_t *end = linked->library->words + places[1];
    for (const uint32_t *ins = linked->library->words + places[0]; ins < end;
         ins += pgs_spv_length(ins)) {
        if (!linked->copied[ins[1]])
            continue;
        uint32_t *copy = pgs_spv_alloc(m, pgs_spv_length(ins), 4);
        if (!copy)
            return;
        memcpy(copy, ins, pgs_spv_length(ins) * 4u);
        copy[1] = linked->ids[ins[1]];
        pgs_spv_push(m, &m->sections[section], copy);
    }
}

void pgs_spv_describe_copied(struct pgs_spv_module *m, const struct pgs_spv_linked *linked)
{
    if (m->keeps_names)
        copy_about(m, linked, PGS_SPV_NAMES, linked->library->names);
    copy_about(m, linked, PGS_SPV_ANNOTATIONS, linked->library->annotations);
}

void pgs_spv_mark_copied(const struct pgs_spv_module *m, uint32_t op, uint8_t *marks)
{
    for (const struct pgs_spv_linked *linked = m->written; linked; linked = linked->next)
        for (uint32_t i = 0; i < linked->library->outer_bound; i++)
            if (linked->copied[i] && pgs_spv_def_op(m, linked->ids[i], op))
                marks[linked->ids[i]] = 1;
}

/* -- the functions themselves -- */

static void need_capabilities(struct pgs_spv_module *m, const struct pgs_spv_library *library)
{
    for (uint32_t at = library->capabilities[0]; at < library->capabilities[1]; at += 2)
        pgs_spv_add_capability(m, library->words[at + 1]);
    /* The only extension that physical addresses need in SPIR-V before 1.5. */
    if (m->version < PGS_SPV_VERSION(1, 5))
        pgs_spv_add_extension(m, "SPV_KHR_physical_storage_buffer");
    m->sections[PGS_SPV_MEMORY_MODEL].items[0][1] = SpvAddressingModelPhysicalStorageBuffer64;
}

/* Nothing looks at the functions of a trial. */
static void name_functions(struct pgs_spv_module *m, const char *const *names, uint32_t *ids,
                           uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (names[i] && !ids[i])
            ids[i] = pgs_spv_new_id(m);
}

static void link(struct pgs_spv_module *m, const struct pgs_spv_library *library,
                 const char *const *names, uint32_t *ids, uint32_t count)
{
    struct pgs_spv_linked *linked = pgs_spv_alloc(m, 1, sizeof(*linked));
    uint32_t *map = pgs_spv_zalloc(m, library->outer_bound, sizeof(*map));
    uint8_t *copied = pgs_spv_zalloc(m, library->outer_bound, sizeof(*copied));
    uint32_t *functions = pgs_spv_alloc(m, library->function_count, sizeof(*functions));
    if (m->result != PGS_SPV_OK)
        return;
    *linked = (struct pgs_spv_linked){.next = m->linked,
                                      .library = library,
                                      .ids = map,
                                      .copied = copied,
                                      .functions = functions};
    m->linked = linked;
    for (uint32_t i = 0; i < count; i++) {
        if (!names[i])
            continue;
        ids[i] = want_named(m, linked, names[i], ids[i]);
        if (!ids[i])
            pgs_spv_fail(m, PGS_SPV_INVALID);
    }
    need_capabilities(m, library);
}

void pgs_spv_link(struct pgs_spv_module *m, const struct pgs_spv_library *library,
                  const char *const *names, uint32_t *ids, uint32_t count)
{
    if (m->is_trial)
        name_functions(m, names, ids, count);
    else
        link(m, library, names, ids, count);
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

void pgs_spv_link_called(struct pgs_spv_module *m, const struct pgs_spv_library *library,
                         const char *const *names, const uint32_t *ids, uint32_t count)
{
    const char **called = pgs_spv_zalloc(m, count, sizeof(*called));
    uint32_t *given = pgs_spv_zalloc(m, count, sizeof(*given));
    for (uint32_t i = 0; called && given && i < count; i++) {
        called[i] = calls(m, ids[i]) ? names[i] : NULL;
        given[i] = ids[i];
    }
    if (m->result == PGS_SPV_OK)
        pgs_spv_link(m, library, called, given, count);
}
