/* SPDX-License-Identifier: MIT
 *
 * Links functions of the embedded libraries into a module.
 */
#include "spirv/ir/link.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/operands.h"

#include <string.h>

#define HASH_LOG2 8

/* Instructions of the section GLOBALS that others may share, found by their words without the
 * result. They do not change while a library is linked. */
struct globals {
    uint32_t heads[1 << HASH_LOG2]; /* by hash: number + 1 in GLOBALS; 0: none */
    uint32_t *next;                 /* by number in GLOBALS, as heads */
};

struct linker {
    struct pgs_spv_module *m;
    const struct pgs_spv_library *library;
    struct pgs_spv_linked *linked;
    uint32_t *map;   /* linked->ids */
    uint8_t *copied; /* by library id: the copy is new, not an existing instruction of m */
    struct globals globals;
};

/* Each id of the library is set once. */
static uint32_t set_id(struct linker *l, uint32_t id, uint32_t in_module)
{
    if (in_module)
        l->linked->known[l->linked->known_count++] = id;
    return l->map[id] = in_module;
}

/* The id of a library function in m (`given`, or a fresh one if that is 0). The first call links
 * the function. */
static uint32_t want_function(struct linker *l, uint32_t id, uint32_t given)
{
    struct pgs_spv_linked *linked = l->linked;
    if (l->map[id])
        return l->map[id];
    linked->functions[linked->function_count++] = l->library->numbers[id] - 1;
    l->copied[id] = 1;
    return set_id(l, id, given ? given : pgs_spv_new_id(l->m));
}

/* 0: the library has no such function. */
static uint32_t want_named(struct linker *l, const char *name, uint32_t given)
{
    for (uint32_t i = 0; i < l->library->function_count; i++) {
        const struct pgs_spv_library_function *function = &l->library->functions[i];
        if (strcmp(function->name, name) == 0)
            return want_function(l, l->library->words[function->head + 2], given);
    }
    return 0;
}

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
    return hash >> (32 - HASH_LOG2);
}

/* The id of an equal instruction of GLOBALS, the first one; 0: there is none. */
static uint32_t find_global(const struct linker *l, const uint32_t *ins, uint32_t id_word,
                            uint32_t hash)
{
    const struct pgs_spv_list *list = &l->m->sections[PGS_SPV_GLOBALS];
    for (uint32_t i = l->globals.heads[hash]; i; i = l->globals.next[i - 1]) {
        if (is_same(list->items[i - 1], ins, id_word))
            return list->items[i - 1][id_word];
    }
    return 0;
}

static void add_global(struct linker *l, uint32_t number, uint32_t hash)
{
    l->globals.next[number] = l->globals.heads[hash];
    l->globals.heads[hash] = number + 1;
}

static void find_globals(struct linker *l)
{
    struct pgs_spv_module *m = l->m;
    const struct pgs_spv_list *list = &m->sections[PGS_SPV_GLOBALS];
    l->globals.next =
        pgs_spv_zalloc(m, (size_t)list->count + l->library->global_count, sizeof(uint32_t));
    for (uint32_t i = 0; m->result == PGS_SPV_OK && i < list->count; i++) {
        const uint32_t *ins = list->items[i], id_word = pgs_spv_result_word(ins);
        const uint32_t hash = hash_of(ins, id_word);
        if (id_word && is_shared(pgs_spv_op(ins)) && !find_global(l, ins, id_word, hash))
            add_global(l, i, hash);
    }
}

static uint32_t find_import(struct linker *l, const uint32_t *copy)
{
    const struct pgs_spv_list *imports = &l->m->sections[PGS_SPV_IMPORTS];
    for (uint32_t i = 0; i < imports->count; i++) {
        if (is_same(imports->items[i], copy, 1))
            return imports->items[i][1];
    }
    return 0;
}

static uint32_t map_id(struct linker *l, uint32_t id);

/* Maps a module-scope id: to an equal instruction of m, else to a copy. */
static uint32_t map_global(struct linker *l, const uint32_t *def)
{
    struct pgs_spv_module *m = l->m;
    const uint32_t op = pgs_spv_op(def), length = pgs_spv_length(def);
    const uint32_t id_word = pgs_spv_result_word(def);
    uint32_t *copy = pgs_spv_zalloc(m, length, 4);
    if (!copy)
        return 0;
    memcpy(copy, def, length * 4);
    for (uint32_t i = 1; i < length; i++) {
        if (i != id_word && pgs_spv_is_id(def, i))
            copy[i] = map_id(l, def[i]);
    }
    const bool is_import = op == SpvOpExtInstImport;
    const uint32_t hash = hash_of(copy, id_word);
    const uint32_t same = is_import       ? find_import(l, copy)
                          : is_shared(op) ? find_global(l, copy, id_word, hash)
                                          : 0;
    if (same)
        return set_id(l, def[id_word], same);
    copy[id_word] = pgs_spv_new_id(m);
    if (m->result != PGS_SPV_OK)
        return 0;
    m->defs[copy[id_word]] = copy;
    struct pgs_spv_list *list = &m->sections[is_import ? PGS_SPV_IMPORTS : PGS_SPV_GLOBALS];
    if (!pgs_spv_push(m, list, copy))
        return 0;
    if (!is_import && is_shared(op))
        add_global(l, list->count - 1, hash);
    l->copied[def[id_word]] = 1;
    return set_id(l, def[id_word], copy[id_word]);
}

static uint32_t map_id(struct linker *l, uint32_t id)
{
    const uint32_t place = id < l->library->outer_bound ? l->library->places[id] : 0;
    if (!place || l->m->result != PGS_SPV_OK) {
        pgs_spv_fail(l->m, PGS_SPV_INVALID);
        return 0;
    }
    if (l->map[id])
        return l->map[id];
    if (l->library->numbers[id])
        return want_function(l, id, 0);
    return map_global(l, l->library->words + place);
}

static void map_function(struct linker *l, const struct pgs_spv_library_function *function)
{
    for (uint32_t i = 0; i < function->outer_count; i++)
        map_id(l, function->outer[i]);
}

/* Copies names and decorations of copied ids. */
static void copy_about(struct linker *l, enum pgs_spv_section section, const uint32_t places[2])
{
    const uint32_t *end = l->library->words + places[1];
    for (const uint32_t *ins = l->library->words + places[0]; ins < end;
         ins += pgs_spv_length(ins)) {
        if (!l->copied[ins[1]])
            continue;
        uint32_t *copy = pgs_spv_zalloc(l->m, pgs_spv_length(ins), 4);
        if (!copy)
            return;
        memcpy(copy, ins, pgs_spv_length(ins) * 4u);
        copy[1] = l->map[ins[1]];
        pgs_spv_push(l->m, &l->m->sections[section], copy);
    }
}

static void need_capabilities(struct linker *l)
{
    struct pgs_spv_module *m = l->m;
    for (uint32_t at = l->library->capabilities[0]; at < l->library->capabilities[1]; at += 2)
        pgs_spv_add_capability(m, l->library->words[at + 1]);
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
    struct pgs_spv_linked *linked = pgs_spv_zalloc(m, 1, sizeof(*linked));
    struct linker l = {.m = m,
                       .library = library,
                       .linked = linked,
                       .map = pgs_spv_zalloc(m, library->outer_bound, sizeof(*l.map)),
                       .copied = pgs_spv_zalloc(m, library->outer_bound, sizeof(*l.copied))};
    uint32_t *functions = pgs_spv_zalloc(m, library->function_count, sizeof(*functions));
    uint32_t *known = pgs_spv_alloc(m, library->outer_bound, sizeof(*known));
    find_globals(&l);
    if (m->result != PGS_SPV_OK)
        return;
    *linked = (struct pgs_spv_linked){.next = m->linked,
                                      .library = library,
                                      .ids = l.map,
                                      .known = known,
                                      .functions = functions};
    m->linked = linked;
    for (uint32_t i = 0; i < count; i++) {
        if (!names[i])
            continue;
        ids[i] = want_named(&l, names[i], ids[i]);
        if (!ids[i])
            pgs_spv_fail(m, PGS_SPV_INVALID);
    }
    for (uint32_t i = 0; i < linked->function_count && m->result == PGS_SPV_OK; i++)
        map_function(&l, &library->functions[linked->functions[i]]);
    copy_about(&l, PGS_SPV_NAMES, library->names);
    copy_about(&l, PGS_SPV_ANNOTATIONS, library->annotations);
    need_capabilities(&l);
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
