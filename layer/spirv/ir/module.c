/* SPDX-License-Identifier: MIT */
#include "spirv/ir/module.h"

#include "base/alloc.h"
#include "base/asan.h"
#include "spirv/ir/operands.h"
#include "spirv/ir/sparse_ids.h"

#include <string.h>

/* Bounds the size of hostile modules; usual ones have few. */
#define MAX_GROUP_DECORATIONS 65536u

/* ASan takes a block of the arena for one piece of memory. Where it watches, each allocation ends
 * at a gap that nobody may touch. */
#if PGS_HAS_ASAN
#include <sanitizer/asan_interface.h>
#define GAP_B 16u

static void *alloc_from(struct pgs_arena *arena, size_t size_B)
{
    char *p = size_B > SIZE_MAX - GAP_B ? NULL : pgs_arena_alloc(arena, size_B + GAP_B, 8);
    if (p)
        ASAN_POISON_MEMORY_REGION(p + size_B, GAP_B);
    return p;
}
#else
static void *alloc_from(struct pgs_arena *arena, size_t size_B)
{
    return pgs_arena_alloc(arena, size_B, 8);
}
#endif

void *pgs_spv_alloc(struct pgs_spv_module *m, size_t count, size_t size_B)
{
    size_t total_B;
    if (m->result != PGS_SPV_OK)
        return NULL;
    void *p =
        __builtin_mul_overflow(count, size_B, &total_B) ? NULL : alloc_from(&m->arena, total_B);
    if (!p)
        pgs_spv_fail(m, PGS_SPV_OUT_OF_MEMORY);
    return p;
}

void *pgs_spv_zalloc(struct pgs_spv_module *m, size_t count, size_t size_B)
{
    void *p = pgs_spv_alloc(m, count, size_B);
    return p ? memset(p, 0, count * size_B) : NULL;
}

bool pgs_spv_push_growing(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t *ins)
{
    if (!ins)
        return false;
    if (list->count == list->capacity) {
        const uint32_t capacity = list->capacity ? list->capacity * 2 : 16;
        uint32_t **items = pgs_spv_alloc(m, capacity, sizeof(*items));
        if (!items)
            return false;
        if (list->count)
            memcpy(items, list->items, list->count * sizeof(*items));
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = ins;
    return true;
}

/* The section of an instruction outside of functions; SECTION_COUNT: none, it is only debug
 * information. */
static enum pgs_spv_section section_of(uint32_t op)
{
    switch (op) {
    case SpvOpCapability:
        return PGS_SPV_CAPABILITIES;
    case SpvOpExtension:
        return PGS_SPV_EXTENSIONS;
    case SpvOpExtInstImport:
        return PGS_SPV_IMPORTS;
    case SpvOpMemoryModel:
        return PGS_SPV_MEMORY_MODEL;
    case SpvOpEntryPoint:
        return PGS_SPV_ENTRIES;
    case SpvOpExecutionMode:
    case SpvOpExecutionModeId:
        return PGS_SPV_MODES;
    case SpvOpString:
        return PGS_SPV_STRINGS;
    case SpvOpName:
    case SpvOpMemberName:
        return PGS_SPV_NAMES;
    case SpvOpDecorate:
    case SpvOpMemberDecorate:
    case SpvOpDecorateId:
    case SpvOpDecorateString:
    case SpvOpMemberDecorateString:
    case SpvOpDecorationGroup:
    case SpvOpGroupDecorate:
    case SpvOpGroupMemberDecorate:
        return PGS_SPV_ANNOTATIONS;
    default:
        return pgs_spv_is_dropped(op) ? PGS_SPV_SECTION_COUNT : PGS_SPV_GLOBALS;
    }
}

static bool string_begins(const uint32_t *ins, uint32_t at, const char *prefix)
{
    const uint32_t words = pgs_spv_string_words(ins, at);
    const size_t length = strlen(prefix);
    if (words * 4u <= length)
        return false;
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)prefix[i] != ((ins[at + i / 4] >> (i % 4 * 8)) & 0xFFu))
            return false;
    }
    return true;
}

/* Debug information refers to objects that passes remove, and may be dropped by definition. Printf
 * is kept. */
static bool is_debug_import(const uint32_t *ins)
{
    if (string_begins(ins, 2, "NonSemantic."))
        return !string_begins(ins, 2, "NonSemantic.DebugPrintf");
    return string_begins(ins, 2, "OpenCL.DebugInfo.") || string_begins(ins, 2, "DebugInfo");
}

static bool drops(const struct pgs_spv_module *m, const uint32_t *ins)
{
    const uint32_t op = pgs_spv_op(ins);
    if (op == SpvOpExtInst || op == PGS_SPV_OP_EXT_INST_WITH_FORWARD_REFS) {
        const uint32_t *import = pgs_spv_def_op(m, ins[3], SpvOpExtInstImport);
        return import && is_debug_import(import);
    }
    return op == SpvOpLine || op == SpvOpNoLine || op == SpvOpNop;
}

static bool define(struct pgs_spv_module *m, uint32_t *ins)
{
    uint32_t type_word, id_word;
    pgs_spv_result_words(pgs_spv_op(ins), &type_word, &id_word);
    if (!id_word)
        return true;
    const uint32_t id = ins[id_word];
    if (id == 0 || id >= m->bound || m->defs[id])
        return false;
    m->defs[id] = ins;
    return true;
}

static bool check_strings(const uint32_t *ins)
{
    switch (pgs_spv_op(ins)) {
    case SpvOpExtension:
        return pgs_spv_string_words(ins, 1) != 0;
    case SpvOpExtInstImport:
    case SpvOpName:
        return pgs_spv_string_words(ins, 2) != 0;
    case SpvOpEntryPoint:
        return pgs_spv_string_words(ins, 3) != 0;
    default:
        return true;
    }
}

static bool parse_instructions(struct pgs_spv_module *m, uint32_t *words, size_t word_count)
{
    bool in_function = false;
    for (size_t at = 5; at < word_count;) {
        uint32_t *ins = words + at;
        const uint32_t length = pgs_spv_length(ins), op = pgs_spv_op(ins);
        if (length == 0 || length > word_count - at || length < pgs_spv_min_length(op) ||
            !check_strings(ins))
            return false;
        at += length;
        if (op == SpvOpFunction ? in_function : (op == SpvOpFunctionEnd && !in_function))
            return false;
        in_function = in_function || op == SpvOpFunction;
        const enum pgs_spv_section section = in_function ? PGS_SPV_FUNCTIONS : section_of(op);
        if (section == PGS_SPV_SECTION_COUNT || drops(m, ins))
            continue;
        if (!define(m, ins))
            return false;
        if (op == SpvOpExtInstImport && is_debug_import(ins))
            continue;
        if (!pgs_spv_push(m, &m->sections[section], ins))
            return false;
        in_function = in_function && op != SpvOpFunctionEnd;
    }
    return !in_function;
}

/* Types and constants must follow their operands (except forward pointers), so that recursive walks
 * end. Types of values must exist. */
static bool check_order(const struct pgs_spv_module *m)
{
    for (enum pgs_spv_section s = PGS_SPV_GLOBALS; s <= PGS_SPV_FUNCTIONS; s++) {
        for (uint32_t i = 0; i < m->sections[s].count; i++) {
            const uint32_t *ins = m->sections[s].items[i];
            const uint32_t op = pgs_spv_op(ins);
            uint32_t type_word, id_word;
            pgs_spv_result_words(op, &type_word, &id_word);
            if (type_word && !pgs_spv_def(m, ins[type_word]))
                return false;
            if (op == SpvOpTypePointer && !pgs_spv_def(m, ins[3]))
                return false;
            if (s != PGS_SPV_GLOBALS || op == SpvOpTypePointer || op == SpvOpTypeForwardPointer ||
                !id_word)
                continue;
            for (uint32_t k = 1; k < pgs_spv_length(ins); k++) {
                const bool literal = !pgs_spv_is_id(ins, k) || (op == SpvOpSpecConstantOp && k > 4);
                if (k == id_word || literal || op == SpvOpExtInst)
                    continue;
                const uint32_t *def = pgs_spv_def(m, ins[k]);
                if (!def || (def >= ins && pgs_spv_op(def) != SpvOpTypePointer))
                    return false;
            }
        }
    }
    return true;
}

static bool drop_group(const uint32_t *ins, void *context)
{
    const struct pgs_spv_module *m = context;
    const uint32_t op = pgs_spv_op(ins);
    if (op == SpvOpDecorationGroup || op == SpvOpGroupDecorate || op == SpvOpGroupMemberDecorate)
        return true;
    return (op == SpvOpDecorate || op == SpvOpDecorateId) &&
           pgs_spv_def_op(m, ins[1], SpvOpDecorationGroup);
}

/* Applies one decoration of a group to one target of an OpGroupDecorate (stride 1) or
 * OpGroupMemberDecorate (2). */
static void apply_group(struct pgs_spv_module *m, const uint32_t *decoration,
                        const uint32_t *target, uint32_t stride)
{
    const uint32_t extra = stride - 1, length = pgs_spv_length(decoration);
    uint32_t *copy = pgs_spv_zalloc(m, length + extra, 4);
    if (!copy)
        return;
    const bool member = stride == 2;
    copy[0] = ((length + extra) << 16) |
              (member ? (uint32_t)SpvOpMemberDecorate : pgs_spv_op(decoration));
    memcpy(copy + 1, target, stride * 4);
    memcpy(copy + 1 + stride, decoration + 2, (length - 2) * 4);
    pgs_spv_push(m, &m->sections[PGS_SPV_ANNOTATIONS], copy);
}

static void flatten_groups(struct pgs_spv_module *m)
{
    struct pgs_spv_list *list = &m->sections[PGS_SPV_ANNOTATIONS];
    const uint32_t count = list->count;
    uint32_t made = 0;
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *group = list->items[i];
        const uint32_t op = pgs_spv_op(group), stride = op == SpvOpGroupMemberDecorate ? 2 : 1;
        if (op != SpvOpGroupDecorate && op != SpvOpGroupMemberDecorate)
            continue;
        any = true;
        for (uint32_t k = 0; k < count && m->result == PGS_SPV_OK; k++) {
            const uint32_t *decoration = list->items[k];
            if (pgs_spv_op(decoration) != SpvOpDecorate || decoration[1] != group[1])
                continue;
            for (uint32_t t = 2; t + stride <= pgs_spv_length(group); t += stride, made++)
                apply_group(m, decoration, group + t, stride);
            if (made > MAX_GROUP_DECORATIONS)
                pgs_spv_fail(m, PGS_SPV_INVALID);
        }
    }
    if (any)
        pgs_spv_filter(list, drop_group, m);
}

uint32_t pgs_spv_type_of(const struct pgs_spv_module *m, uint32_t id)
{
    const uint32_t *def = pgs_spv_def(m, id);
    uint32_t type_word, id_word;
    if (!def)
        return 0;
    pgs_spv_result_words(pgs_spv_op(def), &type_word, &id_word);
    return type_word ? def[type_word] : 0;
}

enum pgs_spv_result pgs_spv_parse(struct pgs_spv_module *m, const uint32_t *words,
                                  size_t word_count)
{
    *m = (struct pgs_spv_module){0};
    pgs_arena_init(&m->arena);
    if (!words || word_count < 5 || words[0] != SpvMagicNumber ||
        words[1] < PGS_SPV_VERSION(1, 0) || words[1] > PGS_SPV_VERSION(1, 6) || words[3] == 0 ||
        words[3] > PGS_SPV_ID_LIMIT) {
        pgs_spv_fail(m, PGS_SPV_INVALID);
        return m->result;
    }
    m->version = words[1];
    m->bound = words[3];
    uint32_t *copy = pgs_spv_alloc(m, word_count, 4);
    if (!copy)
        return m->result;
    memcpy(copy, words, word_count * 4);
    const enum pgs_spv_result numbered = pgs_spv_number_sparse_ids(copy, word_count, &m->bound);
    if (numbered != PGS_SPV_OK)
        pgs_spv_fail(m, numbered);
    m->defs_capacity = m->bound + 256;
    m->defs = pgs_spv_zalloc(m, m->defs_capacity, sizeof(*m->defs));
    if (!m->defs)
        return m->result;
    if (!parse_instructions(m, copy, word_count) || !check_order(m))
        pgs_spv_fail(m, PGS_SPV_INVALID);
    const struct pgs_spv_list *models = &m->sections[PGS_SPV_MEMORY_MODEL];
    if (models->count != 1 || (models->items[0][1] != SpvAddressingModelLogical &&
                               models->items[0][1] != SpvAddressingModelPhysicalStorageBuffer64))
        pgs_spv_fail(m, PGS_SPV_INVALID);
    if (m->result == PGS_SPV_OK)
        flatten_groups(m);
    return m->result;
}

void pgs_spv_finish(struct pgs_spv_module *m)
{
    pgs_arena_finish(&m->arena);
}

enum pgs_spv_result pgs_spv_write(struct pgs_spv_module *m, struct pgs_spv_blob *out)
{
    *out = (struct pgs_spv_blob){0};
    if (m->result != PGS_SPV_OK || m->is_trial)
        return m->result;
    size_t count = 5;
    for (uint32_t s = 0; s < PGS_SPV_SECTION_COUNT; s++) {
        for (uint32_t i = 0; i < m->sections[s].count; i++)
            count += pgs_spv_length(m->sections[s].items[i]);
    }
    uint32_t *words = pgs_calloc(count, 4);
    if (!words)
        return PGS_SPV_OUT_OF_MEMORY;
    words[0] = SpvMagicNumber;
    words[1] = m->version;
    words[3] = m->bound;
    size_t at = 5;
    for (uint32_t s = 0; s < PGS_SPV_SECTION_COUNT; s++) {
        for (uint32_t i = 0; i < m->sections[s].count; i++) {
            const uint32_t *ins = m->sections[s].items[i];
            memcpy(words + at, ins, pgs_spv_length(ins) * 4u);
            at += pgs_spv_length(ins);
        }
    }
    *out = (struct pgs_spv_blob){.words = words, .word_count = count};
    return PGS_SPV_OK;
}

void pgs_spv_filter(struct pgs_spv_list *list, bool (*drop)(const uint32_t *ins, void *context),
                    void *context)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        if (!drop(list->items[i], context))
            list->items[kept++] = list->items[i];
    }
    list->count = kept;
}
