/* SPDX-License-Identifier: MIT
 *
 * Invariant outputs. A shader may run as the driver's own and also as part of a generated one, and
 * a driver that contracts or reorders arithmetic may do so differently in each. So the values that
 * such outputs depend on are decorated NoContraction in both. Invariant itself is removed: compute
 * shaders have no such outputs, and NVIDIA's driver contracts what leads to one despite
 * NoContraction.
 */
#include "spirv/analysis/invariant.h"

#include "base/alloc.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/float_modes.h"
#include "spirv/ir/operands.h"
#include "spirv/ir/storage_class.h"

#include <string.h>

#define FIRST_WORD 5 /* the first word after the header */
#define MAX_ROUNDS 64

struct slice {
    struct pgs_spv_module *m;
    uint8_t *feeds; /* by id: a value that an invariant output depends on, a pointer to such a
                     * value, or a function that returns one */
    uint32_t *function_at; /* by id: position of its OpFunction in the functions section */
    bool grows;
};

static bool says_invariant(const uint32_t *ins, size_t length)
{
    switch (ins[0] & 0xFFFFu) {
    case SpvOpDecorate:
        return length > 2 && ins[2] == SpvDecorationInvariant;
    case SpvOpMemberDecorate:
        return length > 3 && ins[3] == SpvDecorationInvariant;
    default:
        return false;
    }
}

static bool is_annotation(uint32_t op)
{
    return op == SpvOpDecorate || op == SpvOpMemberDecorate || op == SpvOpDecorationGroup ||
           op == SpvOpDecorateId || op == SpvOpDecorateString || op == SpvOpMemberDecorateString;
}

/* Position of the first annotation if any of them is Invariant, else 0. */
static size_t find_annotations(const uint32_t *words, size_t word_count)
{
    size_t first = 0;
    if (!words || word_count < FIRST_WORD || words[0] != SpvMagicNumber)
        return 0;
    for (size_t at = FIRST_WORD; at < word_count;) {
        const uint32_t *ins = words + at;
        const size_t length = pgs_spv_length(ins);
        if (length == 0 || length > word_count - at || pgs_spv_ends_annotations(ins))
            return 0;
        if (is_annotation(pgs_spv_op(ins)) && !first)
            first = at;
        if (says_invariant(ins, length))
            return first;
        at += length;
    }
    return 0;
}

static void add(struct slice *s, uint32_t id)
{
    if (id >= s->m->bound || s->feeds[id])
        return;
    s->feeds[id] = 1;
    s->grows = true;
}

static void add_operands(struct slice *s, const uint32_t *ins)
{
    for (uint32_t i = 1; i < pgs_spv_length(ins); i++) {
        if (pgs_spv_is_id(ins, i))
            add(s, ins[i]);
    }
}

static bool feeds(const struct slice *s, uint32_t id)
{
    return id < s->m->bound && s->feeds[id];
}

static bool is_pointer(const struct slice *s, uint32_t id)
{
    const uint32_t *def = pgs_spv_def(s->m, id);
    uint32_t type_word = 0, id_word = 0;
    if (def)
        pgs_spv_result_words(pgs_spv_op(def), &type_word, &id_word);
    return type_word && pgs_spv_def_op(s->m, def[type_word], SpvOpTypePointer);
}

/* True if an operand is a pointer to a value of the slice. */
static bool points(const struct slice *s, const uint32_t *ins)
{
    for (uint32_t i = 1; i < pgs_spv_length(ins); i++) {
        if (pgs_spv_is_id(ins, i) && feeds(s, ins[i]) && is_pointer(s, ins[i]))
            return true;
    }
    return false;
}

/* An argument and its parameter point to the same memory. */
static void join_parameters(struct slice *s, const uint32_t *call)
{
    const struct pgs_spv_list *list = &s->m->sections[PGS_SPV_FUNCTIONS];
    const uint32_t first = call[3] < s->m->bound ? s->function_at[call[3]] + 1 : list->count;
    for (uint32_t i = 4; i < pgs_spv_length(call); i++) {
        const uint32_t at = first + i - 4;
        if (at >= list->count || pgs_spv_op(list->items[at]) != SpvOpFunctionParameter)
            return;
        const uint32_t parameter = list->items[at][2];
        if (feeds(s, parameter))
            add(s, call[i]);
        else if (feeds(s, call[i]) && is_pointer(s, call[i]))
            add(s, parameter);
    }
}

/* `function` contains the instruction. Branches decide what is stored, so their conditions belong
 * to the slice. */
static void visit(struct slice *s, const uint32_t *ins, uint32_t function)
{
    const uint32_t op = pgs_spv_op(ins);
    uint32_t type_word, id_word;
    pgs_spv_result_words(op, &type_word, &id_word);
    switch (op) {
    case SpvOpFunction:
        return;
    case SpvOpBranchConditional:
    case SpvOpSwitch:
        add(s, ins[1]);
        return;
    case SpvOpReturnValue:
        if (feeds(s, function))
            add(s, ins[1]);
        return;
    case SpvOpStore:
    case SpvOpCopyMemory:
    case SpvOpCopyMemorySized:
        if (feeds(s, ins[1]))
            add(s, ins[2]);
        return;
    case SpvOpFunctionCall:
        join_parameters(s, ins);
        break;
    case SpvOpLoad:
        break;
    default: /* derived pointers, writes through pointers, atomic operations */
        if (id_word && points(s, ins))
            add(s, ins[id_word]);
        break;
    }
    if (id_word && feeds(s, ins[id_word]))
        add_operands(s, ins);
}

static void add_outputs(struct slice *s)
{
    const struct pgs_spv_list *globals = &s->m->sections[PGS_SPV_GLOBALS];
    for (uint32_t i = 0; i < globals->count; i++) {
        const uint32_t *ins = globals->items[i];
        if (pgs_spv_op(ins) != SpvOpVariable || ins[3] != SpvStorageClassOutput)
            continue;
        const uint32_t *held = pgs_spv_held_struct(s->m, ins);
        bool invariant = pgs_spv_decoration(s->m, ins[2], -1, SpvDecorationInvariant, NULL);
        for (uint32_t k = 2; held && k < pgs_spv_length(held); k++)
            invariant |=
                pgs_spv_decoration(s->m, held[1], (int32_t)k - 2, SpvDecorationInvariant, NULL);
        if (invariant)
            add(s, ins[2]);
    }
}

/* Walks backwards until a round adds nothing. A module that needs too many rounds is unusual or
 * hostile, and all of its arithmetic is decorated. */
static void grow(struct slice *s)
{
    const struct pgs_spv_list *list = &s->m->sections[PGS_SPV_FUNCTIONS];
    uint32_t *owner = pgs_spv_zalloc(s->m, list->count + 1u, 4);
    uint32_t function = 0;
    if (!owner)
        return;
    for (uint32_t i = 0; i < list->count; i++) {
        if (pgs_spv_op(list->items[i]) == SpvOpFunction) {
            function = list->items[i][2];
            s->function_at[function] = i;
        }
        owner[i] = function;
    }
    add_outputs(s);
    for (uint32_t round = 0; s->grows && round < MAX_ROUNDS; round++) {
        s->grows = false;
        for (uint32_t i = list->count; i > 0; i--)
            visit(s, list->items[i - 1], owner[i - 1]);
    }
    if (s->grows)
        memset(s->feeds, 1, s->m->bound);
}

static bool is_arithmetic(const uint32_t *ins)
{
    switch (pgs_spv_op(ins)) {
    case SpvOpFNegate:
    case SpvOpFAdd:
    case SpvOpFSub:
    case SpvOpFMul:
    case SpvOpFDiv:
    case SpvOpFRem:
    case SpvOpFMod:
    case SpvOpVectorTimesScalar:
    case SpvOpMatrixTimesScalar:
    case SpvOpVectorTimesMatrix:
    case SpvOpMatrixTimesVector:
    case SpvOpMatrixTimesMatrix:
    case SpvOpOuterProduct:
    case SpvOpDot:
    case SpvOpExtInst:
        return true;
    default:
        return false;
    }
}

/* -- fast math, which excludes NoContraction (SPV_KHR_float_controls2) -- */

#define EXACT (PGS_SPV_FAST_MATH_REORDERING | PGS_SPV_FAST_MATH_RECIPROCAL)

/* The width of the floats that the instruction makes; 0: none. */
static uint32_t float_width(const struct slice *s, const uint32_t *ins)
{
    const uint32_t *type = pgs_spv_def(s->m, ins[1]);
    while (type && (pgs_spv_op(type) == SpvOpTypeVector || pgs_spv_op(type) == SpvOpTypeMatrix))
        type = pgs_spv_def(s->m, type[2]);
    return type && pgs_spv_op(type) == SpvOpTypeFloat ? type[2] : 0;
}

/* The decoration that keeps the instruction exact. Returns its length: 0 if it has one, whose bits
 * are cleared (exact_modes). */
static uint32_t exact_decoration(const struct slice *s, const uint32_t *ins, uint32_t decoration[4])
{
    uint32_t mask;
    if (pgs_spv_decoration(s->m, ins[2], -1, SpvDecorationNoContraction, NULL) ||
        pgs_spv_decoration(s->m, ins[2], -1, SpvDecorationFPFastMathMode, NULL))
        return 0;
    decoration[1] = ins[2];
    if (pgs_spv_has_mode(s->m, PGS_SPV_MODE_FAST_MATH_DEFAULT) &&
        pgs_spv_fast_math_default(s->m, float_width(s, ins), &mask)) {
        decoration[0] = 4u << 16 | SpvOpDecorate;
        decoration[2] = SpvDecorationFPFastMathMode;
        decoration[3] = mask & ~EXACT;
        return 4;
    }
    decoration[0] = 3u << 16 | SpvOpDecorate;
    decoration[2] = SpvDecorationNoContraction;
    return 3;
}

/* Clears what is not exact in the decorations of the slice, and of groups, which may have its
 * values among their targets. Vulkan leaves them to instructions on floats. */
static void exact_modes(const struct slice *s, uint32_t *words, size_t word_count)
{
    for (size_t at = 0; at < word_count && pgs_spv_op(words + at) != SpvOpFunction;
         at += pgs_spv_length(words + at)) {
        uint32_t *ins = words + at;
        if (pgs_spv_op(ins) == SpvOpDecorate && pgs_spv_length(ins) > 3 &&
            ins[2] == SpvDecorationFPFastMathMode &&
            (feeds(s, ins[1]) || pgs_spv_def_op(s->m, ins[1], SpvOpDecorationGroup)))
            ins[3] &= ~EXACT;
    }
}

static size_t copy_without_invariant(uint32_t *to, const uint32_t *from, size_t word_count)
{
    size_t count = 0;
    bool annotates = true;
    for (size_t at = 0; at < word_count;) {
        const size_t length = pgs_spv_length(from + at);
        annotates &= pgs_spv_op(from + at) != SpvOpFunction;
        if (!annotates || !says_invariant(from + at, length)) {
            memcpy(to + count, from + at, length * 4);
            count += length;
        }
        at += length;
    }
    return count;
}

/* Writes the words with the new decorations in place of Invariant. */
static void write(struct slice *s, const uint32_t *words, size_t word_count, size_t at,
                  struct pgs_spv_blob *out)
{
    const struct pgs_spv_list *list = &s->m->sections[PGS_SPV_FUNCTIONS];
    out->words = pgs_alloc((word_count + 4 * (size_t)list->count) * 4);
    if (!out->words) {
        pgs_spv_fail(s->m, PGS_SPV_OUT_OF_MEMORY);
        return;
    }
    memcpy(out->words, words, at * 4);
    size_t count = at;
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t *ins = list->items[i];
        uint32_t decoration[4];
        if (!is_arithmetic(ins) || !feeds(s, ins[2]))
            continue;
        const uint32_t length = exact_decoration(s, ins, decoration);
        memcpy(out->words + count, decoration, length * sizeof(*decoration));
        count += length;
    }
    const size_t rest = copy_without_invariant(out->words + count, words + at, word_count - at);
    exact_modes(s, out->words + count, rest);
    count += rest;
    out->word_count = count;
}

enum pgs_spv_result pgs_spv_keep_invariant(const uint32_t *words, size_t word_count,
                                           struct pgs_spv_blob *out)
{
    const size_t at = find_annotations(words, word_count);
    struct pgs_spv_module m;
    *out = (struct pgs_spv_blob){0};
    if (!at)
        return PGS_SPV_OK;
    if (pgs_spv_parse(&m, words, word_count) == PGS_SPV_OK) {
        struct slice s = {.m = &m,
                          .feeds = pgs_spv_zalloc(&m, m.bound, 1),
                          .function_at = pgs_spv_zalloc(&m, m.bound, 4)};
        if (m.result == PGS_SPV_OK)
            grow(&s);
        if (m.result == PGS_SPV_OK)
            write(&s, words, word_count, at, out);
    }
    pgs_spv_finish(&m);
    return m.result;
}
