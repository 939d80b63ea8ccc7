/* SPDX-License-Identifier: MIT
 *
 * Values of an emit walk, and the contents of variables.
 */
#include "spirv/analysis/emit_walk_values.h"

#include "spirv/ir/operands.h"
#include "spirv/ir/spec_constants.h"
#include "spirv/ir/storage_class.h"

#include <spirv/unified1/GLSL.std.450.h>

#define NARROW_MAX 0x7FFFu
#define CHAIN_LIMIT 64

static const struct pgs_spv_emit_walk_value unknown = {.kind = PGS_SPV_UNKNOWN};

static struct pgs_spv_emit_walk_value number(uint64_t bits, uint32_t width_bits)
{
    return (struct pgs_spv_emit_walk_value){.bits = width_bits == 1 ? bits & 1 : (uint32_t)bits,
                                            .kind = PGS_SPV_NUMBER};
}

/* 32: an integer, 1: a bool, 0: something else. */
static uint32_t width_of(const struct pgs_spv_module *m, uint32_t type)
{
    const uint32_t *def = pgs_spv_def(m, type);
    if (def && pgs_spv_op(def) == SpvOpTypeBool)
        return 1;
    return def && pgs_spv_op(def) == SpvOpTypeInt && def[2] == 32 ? 32 : 0;
}

/* The same, and 32 for a float, too: some compilers have counters in floats, which only carry their
 * bits. */
static uint32_t carried_width_of(const struct pgs_spv_module *m, uint32_t type)
{
    const uint32_t *def = pgs_spv_def_op(m, type, SpvOpTypeFloat);
    return def && def[2] == 32 ? 32 : width_of(m, type);
}

struct pgs_spv_emit_walk_value pgs_spv_emit_walk_value(const struct pgs_spv_emit_walk *w,
                                                       uint32_t id)
{
    return id < w->m->bound ? w->values[id] : unknown;
}

/* True if the id, or the variable, is an integer or a bool. */
static bool is_exact(const struct pgs_spv_module *m, uint32_t id)
{
    const uint32_t type = pgs_spv_type_of(m, id);
    const uint32_t *pointer = pgs_spv_def_op(m, type, SpvOpTypePointer);
    return width_of(m, pointer ? pointer[3] : type) != 0;
}

void pgs_spv_emit_walk_assign(struct pgs_spv_emit_walk *w, uint32_t id,
                              struct pgs_spv_emit_walk_value value)
{
    const bool is_narrow = w->values[id].is_narrow;
    if (is_narrow && value.kind == PGS_SPV_NUMBER &&
        (value.bits > NARROW_MAX || !is_exact(w->m, id)))
        value = unknown;
    value.is_narrow = is_narrow;
    w->values[id] = value;
}

static struct pgs_spv_emit_walk_value constant(const struct pgs_spv_module *m, const uint32_t *ins)
{
    const uint32_t width_bits = carried_width_of(m, ins[1]);
    switch (width_bits ? pgs_spv_op(ins) : (uint32_t)SpvOpNop) {
    case SpvOpConstantTrue:
        return number(1, width_bits);
    case SpvOpConstantFalse:
    case SpvOpConstantNull:
        return number(0, width_bits);
    case SpvOpConstant:
        return number(ins[3], width_bits);
    default:
        return unknown;
    }
}

static bool is_narrowing(uint32_t decoration)
{
    return decoration == SpvDecorationRelaxedPrecision || decoration == SpvDecorationNoSignedWrap ||
           decoration == SpvDecorationNoUnsignedWrap;
}

void pgs_spv_emit_walk_constants(struct pgs_spv_emit_walk *w)
{
    const struct pgs_spv_list *annotations = &w->m->sections[PGS_SPV_ANNOTATIONS];
    const struct pgs_spv_list *globals = &w->m->sections[PGS_SPV_GLOBALS];
    const struct pgs_spv_list *imports = &w->m->sections[PGS_SPV_IMPORTS];
    for (uint32_t i = 0; i < globals->count; i++) {
        const uint32_t *ins = globals->items[i];
        uint32_t type_word, id_word;
        pgs_spv_result_words(pgs_spv_op(ins), &type_word, &id_word);
        if (pgs_spv_op(ins) == SpvOpVariable)
            w->values[ins[2]] = pgs_spv_emit_walk_value(w, pgs_spv_word(ins, 4));
        else if (type_word && id_word)
            w->values[ins[id_word]] = constant(w->m, ins);
    }
    for (uint32_t i = 0; i < annotations->count; i++) {
        const uint32_t *ins = annotations->items[i];
        if (pgs_spv_op(ins) == SpvOpDecorate && is_narrowing(ins[2]) && ins[1] < w->m->bound)
            w->values[ins[1]].is_narrow = true;
    }
    for (uint32_t i = 0; i < imports->count; i++) {
        if (pgs_spv_string_is(imports->items[i], 2, "GLSL.std.450"))
            w->glsl = imports->items[i][1];
    }
}

static bool is_undefined(uint32_t op, uint32_t a, uint32_t b)
{
    switch (op) {
    case SpvOpSDiv:
    case SpvOpSRem:
    case SpvOpSMod:
        return b == 0 || (a == 0x80000000u && b == UINT32_MAX);
    case SpvOpUDiv:
    case SpvOpUMod:
        return b == 0;
    case SpvOpShiftLeftLogical:
    case SpvOpShiftRightLogical:
    case SpvOpShiftRightArithmetic:
        return b >= 32;
    default:
        return false;
    }
}

/* The result is also known if one operand decides it. */
static struct pgs_spv_emit_walk_value logic(const struct pgs_spv_emit_walk *w, const uint32_t *ins)
{
    const struct pgs_spv_emit_walk_value a = pgs_spv_emit_walk_value(w, pgs_spv_word(ins, 3));
    const struct pgs_spv_emit_walk_value b = pgs_spv_emit_walk_value(w, pgs_spv_word(ins, 4));
    const uint32_t deciding = pgs_spv_op(ins) == SpvOpLogicalOr;
    if (a.kind == PGS_SPV_NUMBER && b.kind == PGS_SPV_NUMBER)
        return number(deciding ? a.bits | b.bits : a.bits & b.bits, 1);
    if ((a.kind == PGS_SPV_NUMBER && a.bits == deciding) ||
        (b.kind == PGS_SPV_NUMBER && b.bits == deciding))
        return number(deciding, 1);
    return unknown;
}

static struct pgs_spv_emit_walk_value select(const struct pgs_spv_emit_walk *w, const uint32_t *ins)
{
    const struct pgs_spv_emit_walk_value condition =
        pgs_spv_emit_walk_value(w, pgs_spv_word(ins, 3));
    if (condition.kind != PGS_SPV_NUMBER)
        return unknown;
    return pgs_spv_emit_walk_value(w, pgs_spv_word(ins, condition.bits ? 4 : 5));
}

static uint32_t smaller(uint32_t a, uint32_t b, bool is_signed)
{
    return (is_signed ? (int32_t)a < (int32_t)b : a < b) ? a : b;
}

static uint32_t larger(uint32_t a, uint32_t b, bool is_signed)
{
    return smaller(a, b, is_signed) == a ? b : a;
}

static struct pgs_spv_emit_walk_value extended(const struct pgs_spv_emit_walk *w,
                                               const uint32_t *ins)
{
    uint32_t bits[3] = {0};
    const uint32_t count = pgs_spv_length(ins) - 5, op = ins[4];
    if (!w->glsl || ins[3] != w->glsl || count > 3)
        return unknown;
    for (uint32_t i = 0; i < count; i++) {
        const struct pgs_spv_emit_walk_value value = pgs_spv_emit_walk_value(w, ins[5 + i]);
        if (value.kind != PGS_SPV_NUMBER ||
            (w->values[ins[2]].is_narrow && value.bits > NARROW_MAX))
            return unknown;
        bits[i] = value.bits;
    }
    switch (op) {
    case GLSLstd450SMin:
    case GLSLstd450UMin:
        return number(smaller(bits[0], bits[1], op == GLSLstd450SMin), 32);
    case GLSLstd450SMax:
    case GLSLstd450UMax:
        return number(larger(bits[0], bits[1], op == GLSLstd450SMax), 32);
    case GLSLstd450SClamp:
    case GLSLstd450UClamp: {
        const bool is_signed = op == GLSLstd450SClamp;
        if (larger(bits[1], bits[2], is_signed) != bits[2])
            return unknown; /* undefined */
        return number(smaller(larger(bits[0], bits[1], is_signed), bits[2], is_signed), 32);
    }
    default:
        return unknown;
    }
}

static struct pgs_spv_emit_walk_value load(const struct pgs_spv_emit_walk *w, const uint32_t *ins)
{
    uint32_t variable;
    bool is_whole;
    if (w->invocation_variable && ins[3] == w->invocation_variable)
        return number(w->invocation, 32);
    if (pgs_spv_emit_walk_target(w, ins[3], &variable, &is_whole) != PGS_SPV_TARGET_VARIABLE ||
        !is_whole)
        return unknown;
    return pgs_spv_emit_walk_value(w, variable);
}

static struct pgs_spv_emit_walk_value arithmetic(const struct pgs_spv_emit_walk *w,
                                                 const uint32_t *ins, uint32_t width_bits)
{
    const uint32_t count = pgs_spv_length(ins) - 3, op = pgs_spv_op(ins);
    uint64_t operands[2] = {0}, result;
    uint32_t operand_bits = 32;
    if (count == 0 || count > 2)
        return unknown;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *def = pgs_spv_def(w->m, ins[3 + i]);
        const struct pgs_spv_emit_walk_value value = pgs_spv_emit_walk_value(w, ins[3 + i]);
        if (!def || value.kind != PGS_SPV_NUMBER ||
            (w->values[ins[2]].is_narrow && value.bits > NARROW_MAX))
            return unknown;
        operands[i] = value.bits;
        operand_bits = carried_width_of(w->m, pgs_spv_word(def, 1));
    }
    if (op == SpvOpBitcast || op == SpvOpCopyObject)
        return operand_bits == width_bits ? number(operands[0], width_bits) : unknown;
    if (!width_of(w->m, ins[1]) || !is_exact(w->m, ins[3]) ||
        is_undefined(op, (uint32_t)operands[0], (uint32_t)operands[1]) ||
        !pgs_spv_compute(op, operands, count, operand_bits, &result))
        return unknown;
    return number(result, width_bits);
}

struct pgs_spv_emit_walk_value pgs_spv_emit_walk_compute(const struct pgs_spv_emit_walk *w,
                                                         const uint32_t *ins)
{
    const uint32_t width_bits = carried_width_of(w->m, ins[1]);
    struct pgs_spv_emit_walk_value value = unknown;
    if (width_bits == 0)
        return unknown;
    switch (pgs_spv_op(ins)) {
    case SpvOpLoad:
        value = load(w, ins);
        break;
    case SpvOpLogicalAnd:
    case SpvOpLogicalOr:
        value = logic(w, ins);
        break;
    case SpvOpSelect:
        value = select(w, ins);
        break;
    case SpvOpExtInst:
        value = extended(w, ins);
        break;
    default:
        value = arithmetic(w, ins, width_bits);
        break;
    }
    return value.kind == PGS_SPV_NUMBER ? value : unknown;
}

static bool is_own(uint32_t storage_class)
{
    return storage_class == SpvStorageClassFunction || storage_class == SpvStorageClassPrivate;
}

enum pgs_spv_emit_walk_target pgs_spv_emit_walk_target(const struct pgs_spv_emit_walk *w,
                                                       uint32_t pointer, uint32_t *variable,
                                                       bool *is_whole)
{
    *is_whole = true;
    for (uint32_t i = 0; i < CHAIN_LIMIT; i++) {
        const uint32_t storage_class = pgs_spv_storage_class_of(w->m, pointer);
        if (!is_own(storage_class))
            return storage_class == UINT32_MAX || storage_class == SpvStorageClassGeneric
                       ? PGS_SPV_TARGET_LOST
                       : PGS_SPV_TARGET_FOREIGN;
        const uint32_t *def = pgs_spv_def(w->m, pointer);
        switch (pgs_spv_op(def)) {
        case SpvOpVariable:
            *variable = pointer;
            return PGS_SPV_TARGET_VARIABLE;
        case SpvOpFunctionParameter: {
            /* Parameters of active functions hold the target of the pointer. */
            const struct pgs_spv_emit_walk_value value = w->values[pointer];
            *is_whole = *is_whole && value.kind == PGS_SPV_POINTER;
            *variable = value.bits;
            return value.kind == PGS_SPV_POINTER || value.kind == PGS_SPV_PART
                       ? PGS_SPV_TARGET_VARIABLE
                       : PGS_SPV_TARGET_FOREIGN;
        }
        case SpvOpAccessChain:
        case SpvOpInBoundsAccessChain:
            *is_whole = false;
            pointer = def[3];
            break;
        case SpvOpCopyObject:
            pointer = pgs_spv_word(def, 3);
            break;
        default:
            return PGS_SPV_TARGET_LOST;
        }
    }
    return PGS_SPV_TARGET_LOST;
}

void pgs_spv_emit_walk_store(struct pgs_spv_emit_walk *w, const uint32_t *ins)
{
    uint32_t variable;
    bool is_whole;
    switch (pgs_spv_emit_walk_target(w, ins[1], &variable, &is_whole)) {
    case PGS_SPV_TARGET_LOST:
        w->is_lost = true;
        break;
    case PGS_SPV_TARGET_VARIABLE: {
        const struct pgs_spv_emit_walk_value value = pgs_spv_emit_walk_value(w, ins[2]);
        pgs_spv_emit_walk_assign(w, variable,
                                 is_whole && value.kind == PGS_SPV_NUMBER ? value : unknown);
        break;
    }
    default:
        break;
    }
}

static void forget_target(struct pgs_spv_emit_walk *w, uint32_t pointer)
{
    uint32_t variable;
    bool is_whole;
    switch (pgs_spv_emit_walk_target(w, pointer, &variable, &is_whole)) {
    case PGS_SPV_TARGET_LOST:
        w->is_lost = true;
        break;
    case PGS_SPV_TARGET_VARIABLE:
        pgs_spv_emit_walk_assign(w, variable, unknown);
        break;
    default:
        break;
    }
}

void pgs_spv_emit_walk_forget(struct pgs_spv_emit_walk *w, const uint32_t *ins)
{
    const uint32_t op = pgs_spv_op(ins);
    uint32_t type_word, id_word;
    pgs_spv_result_words(op, &type_word, &id_word);
    if (op == SpvOpLoad || pgs_spv_is_chain(op) || op == SpvOpCopyObject)
        return;
    if (op == SpvOpStore || op == SpvOpCopyMemory || op == SpvOpCopyMemorySized)
        forget_target(w, ins[1]); /* also if the pointer is not understood */
    for (uint32_t i = id_word ? id_word + 1 : 1; i < pgs_spv_length(ins); i++) {
        if (!pgs_spv_is_id(ins, i))
            continue;
        const uint32_t storage_class = pgs_spv_storage_class_of(w->m, ins[i]);
        if (is_own(storage_class) || storage_class == SpvStorageClassGeneric)
            forget_target(w, ins[i]);
    }
}
