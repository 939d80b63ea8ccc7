/* SPDX-License-Identifier: MIT */
#include "spirv/analysis/symbols.h"

#include <string.h>

#define MAX_SYMBOLS (UINT32_C(1) << 14)
#define MAX_WORDS (UINT32_C(1) << 17)
#define FIRST_SYMBOLS 256 /* room that usual shaders do with; powers of two, as the limits */
#define FIRST_WORDS 2048
#define MAX_OPERANDS 64 /* of one symbol */
#define MAX_DEPTH 16    /* of a path */
#define MAX_LEVELS 64   /* of parts that were replaced one after the other */

static uint32_t hash_of(uint32_t kind, const uint32_t *words, uint32_t count)
{
    uint32_t hash = kind * 0x9E3779B1u + count;
    for (uint32_t i = 0; i < count; i++)
        hash = (hash ^ words[i]) * 0x85EBCA6Bu + (hash >> 15);
    return hash ^ hash >> 13;
}

static uint32_t next_bucket(const struct pgs_spv_symbols *s, uint32_t bucket)
{
    return (bucket + 1) & (2 * s->capacity - 1);
}

static uint32_t first_bucket(const struct pgs_spv_symbols *s, uint32_t hash)
{
    return hash & (2 * s->capacity - 1);
}

/* Opaque symbols are never looked for. */
static void fill_buckets(struct pgs_spv_symbols *s)
{
    for (pgs_spv_symbol i = 1; i < s->count; i++) {
        const struct pgs_spv_symbol_def *def = &s->defs[i];
        if (def->kind == PGS_SPV_SYMBOL_OPAQUE)
            continue;
        uint32_t at = first_bucket(s, hash_of(def->kind, s->words + def->at, def->count));
        while (s->buckets[at])
            at = next_bucket(s, at);
        s->buckets[at] = i;
    }
}

/* False: out of memory. */
static bool take_capacity(struct pgs_spv_symbols *s, uint32_t capacity)
{
    struct pgs_spv_symbol_def *defs = pgs_spv_alloc(s->m, capacity, sizeof(*defs));
    pgs_spv_symbol *buckets = pgs_spv_zalloc(s->m, (size_t)2 * capacity, sizeof(*buckets));
    if (!defs || !buckets)
        return false;
    if (s->count > 1)
        memcpy(defs, s->defs, s->count * sizeof(*defs));
    s->defs = defs;
    s->buckets = buckets;
    s->capacity = capacity;
    fill_buckets(s);
    return true;
}

static bool take_words(struct pgs_spv_symbols *s, uint32_t capacity)
{
    uint32_t *words = pgs_spv_alloc(s->m, capacity, sizeof(*words));
    if (!words)
        return false;
    if (s->word_count)
        memcpy(words, s->words, s->word_count * sizeof(*words));
    s->words = words;
    s->word_capacity = capacity;
    return true;
}

bool pgs_spv_symbols_init(struct pgs_spv_symbols *s, struct pgs_spv_module *m)
{
    *s = (struct pgs_spv_symbols){.m = m, .count = 1};
    return take_capacity(s, FIRST_SYMBOLS) && take_words(s, FIRST_WORDS);
}

/* Room for a symbol of so many words. What there is may move. */
static bool has_room(struct pgs_spv_symbols *s, uint32_t count)
{
    s->is_full |= s->count + 1 >= MAX_SYMBOLS || s->word_count + count > MAX_WORDS;
    if (!s->is_full && s->count + 1 >= s->capacity)
        s->is_full = !take_capacity(s, 4 * s->capacity);
    if (!s->is_full && s->word_count + count > s->word_capacity)
        s->is_full = !take_words(s, 4 * s->word_capacity);
    return !s->is_full;
}

static pgs_spv_symbol add(struct pgs_spv_symbols *s, uint32_t kind, const uint32_t *words,
                          uint32_t count, uint32_t vertices)
{
    s->defs[s->count] = (struct pgs_spv_symbol_def){.kind = kind,
                                                    .at = s->word_count,
                                                    .count = count,
                                                    .vertices = vertices,
                                                    .of_any_vertex = s->count};
    for (uint32_t i = 0; i < count; i++)
        s->words[s->word_count++] = words[i];
    return s->count++;
}

pgs_spv_symbol pgs_spv_symbol_opaque(struct pgs_spv_symbols *s)
{
    return has_room(s, 0) ? add(s, PGS_SPV_SYMBOL_OPAQUE, NULL, 0, PGS_SPV_ANY_VERTEX) : 0;
}

/* Finds it, or adds it with the vertices. *is_new: it was added. */
static pgs_spv_symbol find(struct pgs_spv_symbols *s, uint32_t kind, const uint32_t *words,
                           uint32_t count, uint32_t vertices, bool *is_new)
{
    const uint32_t hash = hash_of(kind, words, count);
    uint32_t bucket = first_bucket(s, hash);
    *is_new = false;
    for (; s->buckets[bucket]; bucket = next_bucket(s, bucket)) {
        const struct pgs_spv_symbol_def *def = &s->defs[s->buckets[bucket]];
        if (def->kind == kind && def->count == count &&
            !memcmp(s->words + def->at, words, count * sizeof(*words)))
            return s->buckets[bucket];
    }
    const uint32_t capacity = s->capacity;
    if (!has_room(s, count))
        return 0;
    for (bucket = s->capacity == capacity ? bucket : first_bucket(s, hash); s->buckets[bucket];)
        bucket = next_bucket(s, bucket);
    *is_new = true;
    return s->buckets[bucket] = add(s, kind, words, count, vertices);
}

/* Which vertices the words depend on. */
static uint32_t vertices_of(const struct pgs_spv_symbols *s, uint32_t kind, const uint32_t *words,
                            uint32_t count, uint64_t symbols)
{
    uint32_t vertices = 0;
    if (kind == PGS_SPV_SYMBOL_VERTICES)
        return PGS_SPV_ANY_VERTEX;
    if (kind == PGS_SPV_SYMBOL_OF_VERTEX)
        return UINT32_C(1) << words[1];
    for (uint32_t i = 0; i < count; i++)
        if (symbols >> i & 1)
            vertices |= s->defs[words[i]].vertices;
    return vertices;
}

pgs_spv_symbol pgs_spv_symbol_make(struct pgs_spv_symbols *s, enum pgs_spv_symbol_kind kind,
                                   const uint32_t *words, uint32_t count, uint64_t symbols)
{
    uint32_t general[MAX_OPERANDS];
    bool is_new, differs = false;
    if (count > MAX_OPERANDS)
        return pgs_spv_symbol_opaque(s);
    for (uint32_t i = 0; i < count; i++) {
        const bool is_symbol = symbols >> i & 1;
        if (is_symbol && !words[i])
            return pgs_spv_symbol_opaque(s);
        general[i] = is_symbol ? s->defs[words[i]].of_any_vertex : words[i];
        if (kind == PGS_SPV_SYMBOL_OF_VERTEX && i == 1)
            general[i] = 0;
        differs |= general[i] != words[i];
    }
    const pgs_spv_symbol made =
        find(s, kind, words, count, vertices_of(s, kind, words, count, symbols), &is_new);
    if (made && is_new && differs) {
        const pgs_spv_symbol any = /* first, as it may move the symbols */
            find(s, kind, general, count, vertices_of(s, kind, general, count, symbols), &is_new);
        s->defs[made].of_any_vertex = any;
    }
    return made && s->defs[made].of_any_vertex ? made : 0;
}

/* Steps into a symbol as far as its parts are known: replaces *whole, and removes indices from the
 * path. False: no further. */
static bool step_into(const struct pgs_spv_symbols *s, pgs_spv_symbol *whole, const uint32_t **path,
                      uint32_t *depth)
{
    const struct pgs_spv_symbol_def *def = &s->defs[*whole];
    const uint32_t *words = s->words + def->at;
    uint32_t equal = 0;
    if (def->kind == PGS_SPV_SYMBOL_COMPOSITE && (*path)[0] < def->count) {
        *whole = words[(*path)[0]];
        ++*path, --*depth;
        return true;
    }
    if (def->kind != PGS_SPV_SYMBOL_WITH)
        return false;
    const uint32_t changed = def->count - 2;
    while (equal < changed && equal < *depth && words[2 + equal] == (*path)[equal])
        equal++;
    if (equal == *depth && equal < changed) /* only a part of the part has changed */
        return false;
    const bool is_in = equal == changed;
    *whole = words[is_in ? 1 : 0];
    *path += is_in ? changed : 0;
    *depth -= is_in ? changed : 0;
    return true;
}

/* Appends the path to a symbol of this kind, whose first words are `words`. */
static pgs_spv_symbol append(struct pgs_spv_symbols *s, uint32_t kind, const uint32_t *words,
                             uint32_t count, const uint32_t *path, uint32_t depth, uint64_t symbols)
{
    uint32_t all[MAX_OPERANDS];
    if (count + depth > MAX_OPERANDS)
        return pgs_spv_symbol_opaque(s);
    memcpy(all, words, count * sizeof(*all));
    memcpy(all + count, path, depth * sizeof(*all));
    return pgs_spv_symbol_make(s, kind, all, count + depth, symbols);
}

pgs_spv_symbol pgs_spv_symbol_part(struct pgs_spv_symbols *s, pgs_spv_symbol whole,
                                   const uint32_t *path, uint32_t depth)
{
    if (!whole)
        return 0;
    while (depth && step_into(s, &whole, &path, &depth))
        ;
    if (!depth)
        return whole;
    const struct pgs_spv_symbol_def def = s->defs[whole];
    const uint32_t *words = s->words + def.at;
    switch (def.kind) {
    case PGS_SPV_SYMBOL_VERTICES: {
        if (path[0] >= 31)
            return pgs_spv_symbol_opaque(s);
        return append(s, PGS_SPV_SYMBOL_OF_VERTEX, words, 1, path, depth, 0);
    }
    case PGS_SPV_SYMBOL_OF_VERTEX:
        return append(s, PGS_SPV_SYMBOL_OF_VERTEX, words, def.count, path, depth, 0);
    case PGS_SPV_SYMBOL_PART:
        return append(s, PGS_SPV_SYMBOL_PART, words, def.count, path, depth, 1);
    default:
        return append(s, PGS_SPV_SYMBOL_PART, &whole, 1, path, depth, 1);
    }
}

/* The symbol without what it has at the path, or at a part of that, and is replaced now. */
static pgs_spv_symbol without(struct pgs_spv_symbols *s, pgs_spv_symbol whole, const uint32_t *path,
                              uint32_t depth, uint32_t levels)
{
    const struct pgs_spv_symbol_def def = s->defs[whole];
    uint32_t words[2 + MAX_DEPTH];
    if (def.kind != PGS_SPV_SYMBOL_WITH || !levels)
        return whole;
    memcpy(words, s->words + def.at, def.count * sizeof(*words));
    const pgs_spv_symbol base = without(s, words[0], path, depth, levels - 1);
    if (def.count >= 2 + depth && !memcmp(words + 2, path, depth * sizeof(*path)))
        return base;
    if (!base || base == words[0])
        return base ? whole : 0;
    words[0] = base;
    return pgs_spv_symbol_make(s, PGS_SPV_SYMBOL_WITH, words, def.count, 3);
}

pgs_spv_symbol pgs_spv_symbol_with(struct pgs_spv_symbols *s, pgs_spv_symbol whole,
                                   const uint32_t *path, uint32_t depth, pgs_spv_symbol part)
{
    uint32_t words[2 + MAX_DEPTH];
    if (!depth)
        return part;
    if (!whole || !part || depth > MAX_DEPTH)
        return pgs_spv_symbol_opaque(s);
    whole = without(s, whole, path, depth, MAX_LEVELS);
    if (!whole)
        return pgs_spv_symbol_opaque(s);
    words[0] = whole;
    words[1] = part;
    memcpy(words + 2, path, depth * sizeof(*path));
    return pgs_spv_symbol_make(s, PGS_SPV_SYMBOL_WITH, words, 2 + depth, 3);
}

bool pgs_spv_symbol_is_number(const struct pgs_spv_symbols *s, pgs_spv_symbol symbol,
                              uint32_t *bits)
{
    const struct pgs_spv_symbol_def *def = &s->defs[symbol];
    if (!symbol || def->kind != PGS_SPV_SYMBOL_NUMBER)
        return false;
    *bits = s->words[def->at + 1];
    return true;
}
