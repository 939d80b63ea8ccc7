/* SPDX-License-Identifier: MIT
 *
 * Between the typed leaves of an interface and the 32-bit words of a stored vertex.
 */
#include "spirv/io/io_access.h"

#include "poly_gs/tessellation.h"
#include "spirv/ir/builder.h"

uint32_t pgs_spv_join(struct pgs_spv_module *m, struct pgs_spv_list *list,
                      const struct pgs_spv_leaf *leaf, const uint32_t *parts)
{
    if (leaf->count == 1)
        return parts[0];
    return pgs_spv_value(m, list, SpvOpCompositeConstruct, leaf->type, parts, leaf->count);
}

uint32_t pgs_spv_leaf_pointer(struct pgs_spv_module *m, struct pgs_spv_list *list,
                              const struct pgs_spv_leaf *leaf, uint32_t storage_class,
                              uint32_t vertex)
{
    uint32_t words[2 + PGS_SPV_MAX_PATH];
    uint32_t count = 0;
    words[count++] = leaf->variable;
    if (vertex)
        words[count++] = vertex;
    for (uint32_t i = 0; i < leaf->depth; i++)
        words[count++] = pgs_spv_uint(m, leaf->path[i]);
    if (count == 1)
        return leaf->variable;
    return pgs_spv_value(m, list, SpvOpAccessChain,
                         pgs_spv_type_pointer(m, storage_class, leaf->type), words, count);
}

/* Word or quad of port->variable. */
static uint32_t stored_pointer(const struct pgs_spv_port *port, uint32_t word, bool quad)
{
    struct pgs_spv_module *m = port->m;
    const uint32_t words[] = {port->variable, pgs_spv_uint(m, word / 4), pgs_spv_uint(m, word % 4)};
    const uint32_t type =
        pgs_spv_type_pointer(m, SpvStorageClassPrivate, pgs_spv_type_uvec(m, quad ? 4 : 1));
    return pgs_spv_value(m, port->list, SpvOpAccessChain, type, words, quad ? 2 : 3);
}

static uint32_t word_id(const struct pgs_spv_port *port, uint32_t word)
{
    struct pgs_spv_module *m = port->m;
    const uint32_t constant = pgs_spv_uint(m, word);
    if (!port->offset)
        return constant;
    if (!word)
        return port->offset;
    return PGS_SPV_VALUE(m, port->list, SpvOpIAdd, pgs_spv_type_uint(m), port->offset, constant);
}

static uint32_t load(const struct pgs_spv_port *port, uint32_t vertex, uint32_t word, bool quad)
{
    struct pgs_spv_module *m = port->m;
    const uint32_t type = pgs_spv_type_uvec(m, quad ? 4 : 1),
                   function = quad ? port->load4 : port->load;
    if (port->variable)
        return PGS_SPV_VALUE(m, port->list, SpvOpLoad, type, stored_pointer(port, word, quad));
    if (vertex)
        return PGS_SPV_VALUE(m, port->list, SpvOpFunctionCall, type, function, vertex,
                             word_id(port, word));
    return PGS_SPV_VALUE(m, port->list, SpvOpFunctionCall, type, function, word_id(port, word));
}

/* The words of a leaf as uint values; neighbours in a quad come by one load. Absent ones are 0. */
static void load_words(const struct pgs_spv_port *port, uint32_t vertex, const uint16_t *words,
                       uint32_t count, uint32_t *values)
{
    struct pgs_spv_module *m = port->m;
    uint32_t quad = 0, quad_at = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        if (words[i] == PGS_NO_WORD) {
            values[i] = pgs_spv_uint(m, 0);
            continue;
        }
        const uint32_t at = words[i] & ~3u;
        if (at != quad_at && i + 1 < count && words[i + 1] != PGS_NO_WORD &&
            (words[i + 1] & ~3u) == at) {
            quad = load(port, vertex, at, true);
            quad_at = at;
        }
        if (at == quad_at)
            values[i] = PGS_SPV_VALUE(m, port->list, SpvOpCompositeExtract, pgs_spv_type_uint(m),
                                      quad, words[i] & 3u);
        else
            values[i] = load(port, vertex, words[i], false);
    }
}

/* A component of 16 bits lies in the low half of its word. */
static uint32_t narrow(const struct pgs_spv_port *port, const struct pgs_spv_leaf *leaf,
                       uint32_t word)
{
    struct pgs_spv_module *m = port->m;
    if (leaf->is_float) {
        const uint32_t pair = pgs_spv_type_vector(m, leaf->scalar, 2);
        const uint32_t halves = PGS_SPV_VALUE(m, port->list, SpvOpBitcast, pair, word);
        return PGS_SPV_VALUE(m, port->list, SpvOpCompositeExtract, leaf->scalar, halves, 0);
    }
    if (leaf->is_signed) {
        const uint32_t wide = PGS_SPV_VALUE(m, port->list, SpvOpBitcast, pgs_spv_type_int(m), word);
        return PGS_SPV_VALUE(m, port->list, SpvOpSConvert, leaf->scalar, wide);
    }
    return PGS_SPV_VALUE(m, port->list, SpvOpUConvert, leaf->scalar, word);
}

static uint32_t widen(const struct pgs_spv_port *port, const struct pgs_spv_leaf *leaf,
                      uint32_t value)
{
    struct pgs_spv_module *m = port->m;
    const uint32_t uint_type = pgs_spv_type_uint(m);
    if (leaf->is_float) {
        const uint32_t zero =
            PGS_SPV_VALUE(m, &m->sections[PGS_SPV_GLOBALS], SpvOpConstant, leaf->scalar, 0);
        const uint32_t pair = PGS_SPV_VALUE(m, port->list, SpvOpCompositeConstruct,
                                            pgs_spv_type_vector(m, leaf->scalar, 2), value, zero);
        return PGS_SPV_VALUE(m, port->list, SpvOpBitcast, uint_type, pair);
    }
    if (leaf->is_signed) {
        const uint32_t wide =
            PGS_SPV_VALUE(m, port->list, SpvOpSConvert, pgs_spv_type_int(m), value);
        return PGS_SPV_VALUE(m, port->list, SpvOpBitcast, uint_type, wide);
    }
    return PGS_SPV_VALUE(m, port->list, SpvOpUConvert, uint_type, value);
}

static void need_narrow_types(struct pgs_spv_module *m, const struct pgs_spv_leaf *leaf)
{
    if (leaf->width_bits == 16)
        pgs_spv_add_capability(m, leaf->is_float ? SpvCapabilityFloat16 : SpvCapabilityInt16);
}

static bool is_uint(const struct pgs_spv_leaf *leaf)
{
    return !leaf->is_float && !leaf->is_signed;
}

uint32_t pgs_spv_port_words(const struct pgs_spv_port *port, const struct pgs_spv_leaf *leaf,
                            uint16_t words[PGS_SPV_MAX_LEAF_WORDS])
{
    const uint32_t count = pgs_spv_leaf_words(leaf, port->layout, words);
    for (uint32_t i = 0; i < count && port->first_w; i++)
        words[i] = words[i] == PGS_NO_WORD ? PGS_NO_WORD : (uint16_t)(words[i] + port->first_w);
    if (pgs_spv_is_level(leaf))
        words[0] = (uint16_t)((leaf->builtin == SpvBuiltInTessLevelOuter ? PGS_PATCH_OUTER_W
                                                                         : PGS_PATCH_INNER_W) +
                              leaf->element);
    return count;
}

/* Several 32-bit components in one slot of four words: one load or store and no taking apart. */
static bool is_in_slot(const struct pgs_spv_leaf *leaf, const uint16_t *words, uint32_t count)
{
    if (leaf->width_bits != 32 || count < 2 || words[0] == PGS_NO_WORD || words[0] % 4 + count > 4)
        return false;
    for (uint32_t i = 1; i < count; i++) {
        if (words[i] != words[0] + i)
            return false;
    }
    return true;
}

/* `count` components of a vector of `from`, from `first` on; those beyond repeat the first. */
static uint32_t shuffle(const struct pgs_spv_port *port, uint32_t type, uint32_t value,
                        uint32_t first, uint32_t from, uint32_t count)
{
    uint32_t words[6] = {value, value};
    for (uint32_t i = 0; i < count; i++)
        words[2 + i] = first + i < from ? first + i : 0;
    return pgs_spv_value(port->m, port->list, SpvOpVectorShuffle, type, words, 2 + count);
}

uint32_t pgs_spv_load_leaf(const struct pgs_spv_port *port, const struct pgs_spv_leaf *leaf,
                           uint32_t vertex)
{
    struct pgs_spv_module *m = port->m;
    uint16_t words[PGS_SPV_MAX_LEAF_WORDS];
    uint32_t values[PGS_SPV_MAX_LEAF_WORDS], parts[4];
    const uint32_t count = pgs_spv_port_words(port, leaf, words);
    uint32_t present = 0;
    for (uint32_t i = 0; i < count; i++)
        present += words[i] != PGS_NO_WORD;
    if (!present)
        return 0;
    need_narrow_types(m, leaf);
    if (is_in_slot(leaf, words, count)) {
        uint32_t value = load(port, vertex, words[0] & ~3u, true);
        if (count < 4)
            value = shuffle(port, pgs_spv_type_uvec(m, count), value, words[0] & 3u, 4, count);
        return is_uint(leaf) ? value
                             : PGS_SPV_VALUE(m, port->list, SpvOpBitcast, leaf->type, value);
    }
    load_words(port, vertex, words, count, values);
    for (uint32_t i = 0; i < leaf->count; i++) {
        if (leaf->width_bits == 64) {
            const uint32_t pair =
                PGS_SPV_VALUE(m, port->list, SpvOpCompositeConstruct, pgs_spv_type_uvec(m, 2),
                              values[2 * i], values[2 * i + 1]);
            parts[i] = PGS_SPV_VALUE(m, port->list, SpvOpBitcast, leaf->scalar, pair);
        } else if (leaf->width_bits == 16) {
            parts[i] = narrow(port, leaf, values[i]);
        } else {
            parts[i] = is_uint(leaf)
                           ? values[i]
                           : PGS_SPV_VALUE(m, port->list, SpvOpBitcast, leaf->scalar, values[i]);
        }
    }
    return pgs_spv_join(m, port->list, leaf, parts);
}

uint32_t pgs_spv_split_leaf(const struct pgs_spv_port *port, const struct pgs_spv_leaf *leaf,
                            uint32_t value, uint32_t values[PGS_SPV_MAX_LEAF_WORDS])
{
    struct pgs_spv_module *m = port->m;
    const uint32_t uint_type = pgs_spv_type_uint(m);
    need_narrow_types(m, leaf);
    for (uint32_t i = 0; i < leaf->count; i++) {
        uint32_t part = value;
        if (leaf->count > 1)
            part = PGS_SPV_VALUE(m, port->list, SpvOpCompositeExtract, leaf->scalar, value, i);
        if (leaf->width_bits == 64) {
            const uint32_t pair =
                PGS_SPV_VALUE(m, port->list, SpvOpBitcast, pgs_spv_type_uvec(m, 2), part);
            for (uint32_t k = 0; k < 2; k++)
                values[2 * i + k] =
                    PGS_SPV_VALUE(m, port->list, SpvOpCompositeExtract, uint_type, pair, k);
        } else if (leaf->width_bits == 16) {
            values[i] = widen(port, leaf, part);
        } else {
            values[i] =
                is_uint(leaf) ? part : PGS_SPV_VALUE(m, port->list, SpvOpBitcast, uint_type, part);
        }
    }
    return leaf->count * (leaf->width_bits == 64 ? 2 : 1);
}

static void store(const struct pgs_spv_port *port, uint32_t vertex, uint32_t word, uint32_t value,
                  bool quad)
{
    struct pgs_spv_module *m = port->m;
    const uint32_t function = quad ? port->store4 : port->store;
    if (port->variable)
        PGS_SPV_APPEND(m, port->list, SpvOpStore, stored_pointer(port, word, quad), value);
    else if (vertex)
        PGS_SPV_VALUE(m, port->list, SpvOpFunctionCall, pgs_spv_type_void(m), function, vertex,
                      word_id(port, word), value);
    else
        PGS_SPV_VALUE(m, port->list, SpvOpFunctionCall, pgs_spv_type_void(m), function,
                      word_id(port, word), value);
}

/* Does nobody else use words of the slot of four at `at`? Only a location with several components
 * has such a slot. */
static bool owns_slot(const struct pgs_spv_port *port, const struct pgs_spv_leaf *leaf, uint32_t at,
                      const uint16_t *words, uint32_t count)
{
    if (leaf->builtin != PGS_SPV_NO_BUILTIN)
        return leaf->builtin == SpvBuiltInPosition && count == 4;
    const uint32_t location =
        leaf->location + (leaf->component + count > 4 && words[0] / 4u * 4u != at);
    uint32_t used = 0, mine = 0;
    for (uint32_t c = 0; c < 4 && location < PGS_MAX_LOCATIONS; c++)
        used += port->layout->location_w[location][c] != PGS_NO_WORD;
    for (uint32_t i = 0; i < count; i++)
        mine += words[i] != PGS_NO_WORD && (words[i] & ~3u) == at;
    return used > 1 && mine == used;
}

void pgs_spv_store_value(const struct pgs_spv_port *port, const struct pgs_spv_leaf *leaf,
                         uint32_t vertex, uint32_t value)
{
    struct pgs_spv_module *m = port->m;
    uint16_t words[PGS_SPV_MAX_LEAF_WORDS];
    uint32_t values[PGS_SPV_MAX_LEAF_WORDS];
    const uint32_t count = pgs_spv_port_words(port, leaf, words);
    if (is_in_slot(leaf, words, count) && words[0] % 4 == 0 &&
        (count == 4 || owns_slot(port, leaf, words[0], words, count))) {
        const uint32_t type = pgs_spv_type_uvec(m, count);
        uint32_t quad =
            is_uint(leaf) ? value : PGS_SPV_VALUE(m, port->list, SpvOpBitcast, type, value);
        if (count < 4)
            quad = shuffle(port, pgs_spv_type_uvec(m, 4), quad, 0, count, 4);
        store(port, vertex, words[0], quad, true);
        return;
    }
    pgs_spv_split_leaf(port, leaf, value, values);
    for (uint32_t i = 0; i < count; i++) {
        if (words[i] == PGS_NO_WORD)
            continue;
        const uint32_t at = words[i] & ~3u;
        if (!owns_slot(port, leaf, at, words, count)) {
            store(port, vertex, words[i], values[i], false);
            continue;
        }
        uint32_t parts[4];
        for (uint32_t k = 0; k < 4; k++)
            parts[k] = pgs_spv_uint(m, 0);
        uint32_t k = i;
        for (; k < count && words[k] != PGS_NO_WORD && (words[k] & ~3u) == at; k++)
            parts[words[k] & 3] = values[k];
        const uint32_t quad = pgs_spv_value(m, port->list, SpvOpCompositeConstruct,
                                            pgs_spv_type_uvec(m, 4), parts, 4);
        store(port, vertex, at, quad, true);
        i = k - 1;
    }
}

void pgs_spv_store_leaf(const struct pgs_spv_port *port, const struct pgs_spv_leaf *leaf,
                        uint32_t vertex)
{
    struct pgs_spv_module *m = port->m;
    uint16_t words[PGS_SPV_MAX_LEAF_WORDS];
    uint32_t present = 0;
    for (uint32_t i = pgs_spv_port_words(port, leaf, words); i; i--)
        present += words[i - 1] != PGS_NO_WORD;
    if (!present)
        return;
    const uint32_t pointer = pgs_spv_leaf_pointer(m, port->list, leaf, port->stored_class, vertex);
    pgs_spv_store_value(port, leaf, vertex,
                        PGS_SPV_VALUE(m, port->list, SpvOpLoad, leaf->type, pointer));
}
