/* SPDX-License-Identifier: MIT
 *
 * Code that moves I/O variables to and from the 32-bit words of a stored vertex.
 */
#include "spirv/io/io_access.h"

#include "poly_gs/tessellation.h"
#include "spirv/ir/builder.h"

uint32_t pgs_spv_join(struct pgs_spv_module *m, struct pgs_spv_list *list,
                      const struct pgs_spv_io_var *var, const uint32_t *parts)
{
    uint32_t words[4];
    if (var->count == 1)
        return parts[0];
    for (uint32_t i = 0; i < var->count; i++) {
        const uint32_t *cast = pgs_spv_def_op(m, parts[i], SpvOpBitcast);
        words[i] = cast ? cast[3] : 0;
        if (!words[i] || pgs_spv_type_of(m, words[i]) != pgs_spv_type_uint(m))
            return pgs_spv_value(m, list, SpvOpCompositeConstruct, var->type, parts, var->count);
    }
    const uint32_t joined = pgs_spv_value(m, list, SpvOpCompositeConstruct,
                                          pgs_spv_type_uvec(m, var->count), words, var->count);
    return PGS_SPV_VALUE(m, list, SpvOpBitcast, var->type, joined);
}

uint32_t pgs_spv_io_var_pointer(struct pgs_spv_module *m, struct pgs_spv_list *list,
                                const struct pgs_spv_io_var *var, uint32_t storage_class,
                                uint32_t vertex)
{
    uint32_t words[2 + PGS_SPV_MAX_PATH];
    uint32_t count = 0;
    words[count++] = var->variable;
    if (vertex)
        words[count++] = vertex;
    for (uint32_t i = 0; i < var->depth; i++)
        words[count++] = pgs_spv_uint(m, var->path[i]);
    if (count == 1)
        return var->variable;
    return pgs_spv_value(m, list, SpvOpAccessChain,
                         pgs_spv_type_pointer(m, storage_class, var->type), words, count);
}

/* Pointer to a word or quad of access->variable. */
static uint32_t stored_pointer(const struct pgs_spv_io_access *access, uint32_t word, bool quad)
{
    struct pgs_spv_module *m = access->m;
    const uint32_t words[] = {access->variable, pgs_spv_uint(m, word / 4),
                              pgs_spv_uint(m, word % 4)};
    const uint32_t type =
        pgs_spv_type_pointer(m, SpvStorageClassPrivate, pgs_spv_type_uvec(m, quad ? 4 : 1));
    return pgs_spv_value(m, access->list, SpvOpAccessChain, type, words, quad ? 2 : 3);
}

static uint32_t word_id(const struct pgs_spv_io_access *access, uint32_t word)
{
    struct pgs_spv_module *m = access->m;
    const uint32_t constant = pgs_spv_uint(m, word);
    if (!access->offset)
        return constant;
    if (!word)
        return access->offset;
    return PGS_SPV_VALUE(m, access->list, SpvOpIAdd, pgs_spv_type_uint(m), access->offset,
                         constant);
}

/* True if the word lies in the second array of stored vertices. What is indexed dynamically, all of
 * it does. */
static bool is_in_rest(const struct pgs_spv_io_access *access, uint32_t word, uint32_t function)
{
    return function && word >= access->layout->head_w;
}

static uint32_t load(const struct pgs_spv_io_access *access, uint32_t vertex, uint32_t word,
                     bool quad)
{
    struct pgs_spv_module *m = access->m;
    const uint32_t type = pgs_spv_type_uvec(m, quad ? 4 : 1);
    const uint32_t rest = quad ? access->load4_rest : access->load_rest;
    uint32_t function = quad ? access->load4 : access->load;
    if (access->quads)
        return quad ? access->quads[word / 4]
                    : PGS_SPV_VALUE(m, access->list, SpvOpCompositeExtract, type,
                                    access->quads[word / 4], word % 4);
    if (access->variable)
        return PGS_SPV_VALUE(m, access->list, SpvOpLoad, type, stored_pointer(access, word, quad));
    if (is_in_rest(access, word, rest)) {
        function = rest;
        word -= access->layout->head_w;
    }
    if (vertex)
        return PGS_SPV_VALUE(m, access->list, SpvOpFunctionCall, type, function, vertex,
                             word_id(access, word));
    return PGS_SPV_VALUE(m, access->list, SpvOpFunctionCall, type, function, word_id(access, word));
}

/* Loads the words of an I/O variable as uint values, adjacent words of a quad with one load. Absent
 * words are 0. */
static void load_words(const struct pgs_spv_io_access *access, uint32_t vertex,
                       const uint16_t *words, uint32_t count, uint32_t *values)
{
    struct pgs_spv_module *m = access->m;
    uint32_t quad = 0, quad_at = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        if (words[i] == PGS_NO_WORD) {
            values[i] = pgs_spv_uint(m, 0);
            continue;
        }
        const uint32_t at = words[i] & ~3u;
        if (!access->by_word && at != quad_at && i + 1 < count && words[i + 1] != PGS_NO_WORD &&
            (words[i + 1] & ~3u) == at) {
            quad = load(access, vertex, at, true);
            quad_at = at;
        }
        if (at == quad_at)
            values[i] = PGS_SPV_VALUE(m, access->list, SpvOpCompositeExtract, pgs_spv_type_uint(m),
                                      quad, words[i] & 3u);
        else
            values[i] = load(access, vertex, words[i], false);
    }
}

/* A 16-bit component is the low half of its word. */
static uint32_t narrow(const struct pgs_spv_io_access *access, const struct pgs_spv_io_var *var,
                       uint32_t word)
{
    struct pgs_spv_module *m = access->m;
    if (var->is_float) {
        const uint32_t pair = pgs_spv_type_vector(m, var->scalar, 2);
        const uint32_t halves = PGS_SPV_VALUE(m, access->list, SpvOpBitcast, pair, word);
        return PGS_SPV_VALUE(m, access->list, SpvOpCompositeExtract, var->scalar, halves, 0);
    }
    if (var->is_signed) {
        const uint32_t wide =
            PGS_SPV_VALUE(m, access->list, SpvOpBitcast, pgs_spv_type_int(m), word);
        return PGS_SPV_VALUE(m, access->list, SpvOpSConvert, var->scalar, wide);
    }
    return PGS_SPV_VALUE(m, access->list, SpvOpUConvert, var->scalar, word);
}

static uint32_t widen(const struct pgs_spv_io_access *access, const struct pgs_spv_io_var *var,
                      uint32_t value)
{
    struct pgs_spv_module *m = access->m;
    const uint32_t uint_type = pgs_spv_type_uint(m);
    if (var->is_float) {
        const uint32_t zero =
            PGS_SPV_VALUE(m, &m->sections[PGS_SPV_GLOBALS], SpvOpConstant, var->scalar, 0);
        const uint32_t pair = PGS_SPV_VALUE(m, access->list, SpvOpCompositeConstruct,
                                            pgs_spv_type_vector(m, var->scalar, 2), value, zero);
        return PGS_SPV_VALUE(m, access->list, SpvOpBitcast, uint_type, pair);
    }
    if (var->is_signed) {
        const uint32_t wide =
            PGS_SPV_VALUE(m, access->list, SpvOpSConvert, pgs_spv_type_int(m), value);
        return PGS_SPV_VALUE(m, access->list, SpvOpBitcast, uint_type, wide);
    }
    return PGS_SPV_VALUE(m, access->list, SpvOpUConvert, uint_type, value);
}

static void need_narrow_types(struct pgs_spv_module *m, const struct pgs_spv_io_var *var)
{
    if (var->width_bits == 16)
        pgs_spv_add_capability(m, var->is_float ? SpvCapabilityFloat16 : SpvCapabilityInt16);
}

static bool is_uint(const struct pgs_spv_io_var *var)
{
    return !var->is_float && !var->is_signed;
}

uint32_t pgs_spv_io_access_words(const struct pgs_spv_io_access *access,
                                 const struct pgs_spv_io_var *var,
                                 uint16_t words[PGS_SPV_MAX_VAR_WORDS])
{
    const uint32_t count = pgs_spv_io_var_words(var, access->layout, words);
    for (uint32_t i = 0; i < count && access->first_w; i++)
        words[i] = words[i] == PGS_NO_WORD ? PGS_NO_WORD : (uint16_t)(words[i] + access->first_w);
    if (pgs_spv_is_level(var))
        words[0] = (uint16_t)((var->builtin == SpvBuiltInTessLevelOuter ? PGS_PATCH_OUTER_W
                                                                        : PGS_PATCH_INNER_W) +
                              var->element);
    return count;
}

/* True if several 32-bit components lie in one quad, which needs one load or store and no
 * shuffling. */
static bool is_in_slot(const struct pgs_spv_io_var *var, const uint16_t *words, uint32_t count)
{
    if (var->width_bits != 32 || count < 2 || words[0] == PGS_NO_WORD || words[0] % 4 + count > 4)
        return false;
    for (uint32_t i = 1; i < count; i++) {
        if (words[i] != words[0] + i)
            return false;
    }
    return true;
}

/* `count` components of the vector `from`, starting at `first`; those beyond its end repeat
 * `first`. */
static uint32_t shuffle(const struct pgs_spv_io_access *access, uint32_t type, uint32_t value,
                        uint32_t first, uint32_t from, uint32_t count)
{
    uint32_t words[6] = {value, value};
    for (uint32_t i = 0; i < count; i++)
        words[2 + i] = first + i < from ? first + i : 0;
    return pgs_spv_value(access->m, access->list, SpvOpVectorShuffle, type, words, 2 + count);
}

uint32_t pgs_spv_load_io_var(const struct pgs_spv_io_access *access,
                             const struct pgs_spv_io_var *var, uint32_t vertex)
{
    struct pgs_spv_module *m = access->m;
    uint16_t words[PGS_SPV_MAX_VAR_WORDS];
    uint32_t values[PGS_SPV_MAX_VAR_WORDS], parts[4];
    const uint32_t count = pgs_spv_io_access_words(access, var, words);
    uint32_t present = 0;
    for (uint32_t i = 0; i < count; i++)
        present += words[i] != PGS_NO_WORD && (!access->writes || access->writes[words[i]]);
    if (!present)
        return 0;
    need_narrow_types(m, var);
    if (!access->by_word && is_in_slot(var, words, count)) {
        uint32_t value = load(access, vertex, words[0] & ~3u, true);
        if (count < 4)
            value = shuffle(access, pgs_spv_type_uvec(m, count), value, words[0] & 3u, 4, count);
        return is_uint(var) ? value
                            : PGS_SPV_VALUE(m, access->list, SpvOpBitcast, var->type, value);
    }
    load_words(access, vertex, words, count, values);
    for (uint32_t i = 0; i < var->count; i++) {
        if (var->width_bits == 64) {
            const uint32_t pair =
                PGS_SPV_VALUE(m, access->list, SpvOpCompositeConstruct, pgs_spv_type_uvec(m, 2),
                              values[2 * i], values[2 * i + 1]);
            parts[i] = PGS_SPV_VALUE(m, access->list, SpvOpBitcast, var->scalar, pair);
        } else if (var->width_bits == 16) {
            parts[i] = narrow(access, var, values[i]);
        } else {
            parts[i] = is_uint(var)
                           ? values[i]
                           : PGS_SPV_VALUE(m, access->list, SpvOpBitcast, var->scalar, values[i]);
        }
    }
    return pgs_spv_join(m, access->list, var, parts);
}

/* The words of two 64-bit components, with one cast. */
static void split_pair(const struct pgs_spv_io_access *access, const struct pgs_spv_io_var *var,
                       uint32_t value, uint32_t first, uint32_t values[4])
{
    struct pgs_spv_module *m = access->m;
    if (var->count > 2)
        value =
            PGS_SPV_VALUE(m, access->list, SpvOpVectorShuffle,
                          pgs_spv_type_vector(m, var->scalar, 2), value, value, first, first + 1);
    value = PGS_SPV_VALUE(m, access->list, SpvOpBitcast, pgs_spv_type_uvec(m, 4), value);
    for (uint32_t k = 0; k < 4; k++)
        values[k] =
            PGS_SPV_VALUE(m, access->list, SpvOpCompositeExtract, pgs_spv_type_uint(m), value, k);
}

uint32_t pgs_spv_split_io_var(const struct pgs_spv_io_access *access,
                              const struct pgs_spv_io_var *var, uint32_t value,
                              uint32_t values[PGS_SPV_MAX_VAR_WORDS])
{
    struct pgs_spv_module *m = access->m;
    const uint32_t uint_type = pgs_spv_type_uint(m);
    need_narrow_types(m, var);
    const bool as_words = var->width_bits == 32 && var->count > 1 && !is_uint(var);
    if (as_words) /* one cast for all components */
        value =
            PGS_SPV_VALUE(m, access->list, SpvOpBitcast, pgs_spv_type_uvec(m, var->count), value);
    for (uint32_t i = 0; i < var->count; i++) {
        uint32_t part = value;
        if (var->width_bits == 64 && i + 1 < var->count) {
            split_pair(access, var, value, i, values + 2 * i);
            i++;
            continue;
        }
        if (as_words) {
            values[i] = PGS_SPV_VALUE(m, access->list, SpvOpCompositeExtract, uint_type, value, i);
            continue;
        }
        if (var->count > 1)
            part = PGS_SPV_VALUE(m, access->list, SpvOpCompositeExtract, var->scalar, value, i);
        if (var->width_bits == 64) {
            const uint32_t pair =
                PGS_SPV_VALUE(m, access->list, SpvOpBitcast, pgs_spv_type_uvec(m, 2), part);
            for (uint32_t k = 0; k < 2; k++)
                values[2 * i + k] =
                    PGS_SPV_VALUE(m, access->list, SpvOpCompositeExtract, uint_type, pair, k);
        } else if (var->width_bits == 16) {
            values[i] = widen(access, var, part);
        } else {
            values[i] =
                is_uint(var) ? part : PGS_SPV_VALUE(m, access->list, SpvOpBitcast, uint_type, part);
        }
    }
    return var->count * (var->width_bits == 64 ? 2 : 1);
}

static void store(const struct pgs_spv_io_access *access, uint32_t vertex, uint32_t word,
                  uint32_t value, bool quad)
{
    struct pgs_spv_module *m = access->m;
    const uint32_t rest = quad ? access->store4_rest : access->store_rest;
    uint32_t function = quad ? access->store4 : access->store;
    if (access->variable) {
        PGS_SPV_APPEND(m, access->list, SpvOpStore, stored_pointer(access, word, quad), value);
        return;
    }
    if (is_in_rest(access, word, rest)) {
        function = rest;
        word -= access->layout->head_w;
    }
    if (vertex)
        PGS_SPV_VALUE(m, access->list, SpvOpFunctionCall, pgs_spv_type_void(m), function, vertex,
                      word_id(access, word), value);
    else
        PGS_SPV_VALUE(m, access->list, SpvOpFunctionCall, pgs_spv_type_void(m), function,
                      word_id(access, word), value);
}

/* True if no other variable uses words of the quad at `at`. Only locations with several components
 * have a quad of their own. */
static bool owns_slot(const struct pgs_spv_io_access *access, const struct pgs_spv_io_var *var,
                      uint32_t at, const uint16_t *words, uint32_t count)
{
    if (var->builtin != PGS_SPV_NO_BUILTIN)
        return var->builtin == SpvBuiltInPosition && count == 4;
    const uint32_t location =
        var->location + (var->component + count > 4 && words[0] / 4u * 4u != at);
    uint32_t used = 0, mine = 0;
    for (uint32_t c = 0; c < 4 && location < PGS_MAX_LOCATIONS; c++)
        used += access->layout->location_w[location][c] != PGS_NO_WORD;
    for (uint32_t i = 0; i < count; i++)
        mine += words[i] != PGS_NO_WORD && (words[i] & ~3u) == at;
    return used > 1 && mine == used;
}

void pgs_spv_store_io_value(const struct pgs_spv_io_access *access,
                            const struct pgs_spv_io_var *var, uint32_t vertex, uint32_t value)
{
    struct pgs_spv_module *m = access->m;
    uint16_t words[PGS_SPV_MAX_VAR_WORDS];
    uint32_t values[PGS_SPV_MAX_VAR_WORDS];
    const uint32_t count = pgs_spv_io_access_words(access, var, words);
    if (!access->by_word && is_in_slot(var, words, count) && words[0] % 4 == 0 &&
        (count == 4 || owns_slot(access, var, words[0], words, count))) {
        const uint32_t type = pgs_spv_type_uvec(m, count);
        uint32_t quad =
            is_uint(var) ? value : PGS_SPV_VALUE(m, access->list, SpvOpBitcast, type, value);
        if (count < 4)
            quad = shuffle(access, pgs_spv_type_uvec(m, 4), quad, 0, count, 4);
        store(access, vertex, words[0], quad, true);
        return;
    }
    pgs_spv_split_io_var(access, var, value, values);
    for (uint32_t i = 0; i < count; i++) {
        if (words[i] == PGS_NO_WORD)
            continue;
        const uint32_t at = words[i] & ~3u;
        if (access->by_word || !owns_slot(access, var, at, words, count)) {
            store(access, vertex, words[i], values[i], false);
            continue;
        }
        uint32_t parts[4];
        for (uint32_t k = 0; k < 4; k++)
            parts[k] = pgs_spv_uint(m, 0);
        uint32_t k = i;
        for (; k < count && words[k] != PGS_NO_WORD && (words[k] & ~3u) == at; k++)
            parts[words[k] & 3] = values[k];
        const uint32_t quad = pgs_spv_value(m, access->list, SpvOpCompositeConstruct,
                                            pgs_spv_type_uvec(m, 4), parts, 4);
        store(access, vertex, at, quad, true);
        i = k - 1;
    }
}

void pgs_spv_store_io_var(const struct pgs_spv_io_access *access, const struct pgs_spv_io_var *var,
                          uint32_t vertex)
{
    struct pgs_spv_module *m = access->m;
    uint16_t words[PGS_SPV_MAX_VAR_WORDS];
    uint32_t present = 0;
    for (uint32_t i = pgs_spv_io_access_words(access, var, words); i; i--)
        present += words[i - 1] != PGS_NO_WORD;
    if (!present)
        return;
    const uint32_t pointer =
        pgs_spv_io_var_pointer(m, access->list, var, access->stored_class, vertex);
    pgs_spv_store_io_value(access, var, vertex,
                           PGS_SPV_VALUE(m, access->list, SpvOpLoad, var->type, pointer));
}
