/* SPDX-License-Identifier: MIT
 *
 * Computes single instructions on constants.
 */
#include "spirv/ir/fold.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/operands.h"
#include "spirv/ir/spec_constants.h"

#include <spirv/unified1/GLSL.std.450.h>

/* CompositeInserts behind each other that are looked through. There may be thousands, and in a
 * broken module they may go round in a circle. */
#define MAX_INSERTS 16

/* 32: integers, 1: bools, 0: anything else. */
static uint32_t width_of(const struct pgs_spv_module *m, uint32_t type)
{
    const uint32_t *def = pgs_spv_def(m, type);
    if (def && pgs_spv_op(def) == SpvOpTypeBool)
        return 1;
    return def && pgs_spv_op(def) == SpvOpTypeInt && def[2] == 32 ? 32 : 0;
}

/* Of an integer or a float; 0: it is neither. */
static uint32_t bits_of_scalar(const struct pgs_spv_module *m, uint32_t type)
{
    const uint32_t *def = pgs_spv_def(m, type);
    const uint32_t op = def ? pgs_spv_op(def) : SpvOpNop;
    return op == SpvOpTypeInt || op == SpvOpTypeFloat ? def[2] : 0;
}

uint32_t pgs_spv_make_constant(struct pgs_spv_module *m, uint32_t type, uint32_t bits)
{
    const uint32_t width_bits = width_of(m, type);
    const uint32_t op = width_bits == 32 ? SpvOpConstant
                        : bits           ? SpvOpConstantTrue
                                         : SpvOpConstantFalse;
    return width_bits ? pgs_spv_known_constant(m, op, type, bits) : 0;
}

bool pgs_spv_bits_of(const struct pgs_spv_module *m, const uint32_t *constant, uint32_t *bits)
{
    const uint32_t op = pgs_spv_op(constant);
    switch (op) {
    case SpvOpConstantTrue:
    case SpvOpConstantFalse:
        *bits = op == SpvOpConstantTrue;
        return width_of(m, constant[1]) == 1;
    case SpvOpConstant:
    case SpvOpConstantNull:
        *bits = op == SpvOpConstant ? constant[3] : 0;
        return width_of(m, constant[1]) != 0;
    default:
        return false;
    }
}

static bool is_wide_constant(const uint32_t *def, uint32_t type, uint32_t low)
{
    return pgs_spv_op(def) == SpvOpConstant && pgs_spv_length(def) == 5 && def[1] == type &&
           def[3] == low && !def[4];
}

uint32_t pgs_spv_null(struct pgs_spv_module *m, uint32_t type)
{
    struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    const uint32_t *def = pgs_spv_def(m, type);
    const uint32_t op = def ? pgs_spv_op(def) : SpvOpNop;
    if (op < SpvOpTypeBool || op > SpvOpTypeStruct || (op > SpvOpTypeMatrix && op < SpvOpTypeArray))
        return 0;
    if (width_of(m, type))
        return pgs_spv_make_constant(m, type, 0);
    for (uint32_t i = 0; i < globals->count; i++) {
        const uint32_t *ins = globals->items[i];
        if (pgs_spv_op(ins) == SpvOpConstantNull && ins[1] == type)
            return ins[2];
    }
    return pgs_spv_value(m, globals, SpvOpConstantNull, type, NULL, 0);
}

/* A constant of an unsigned type of 64 bits that is a known number of 32. */
static uint32_t fold_widening(struct pgs_spv_module *m, const uint32_t *ins)
{
    struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    const uint32_t *type = pgs_spv_def_op(m, ins[1], SpvOpTypeInt);
    uint32_t bits;
    if (!type || type[2] != 64 || !pgs_spv_constant_bits(m, ins[3], &bits))
        return 0;
    uint32_t *recent = pgs_spv_recent(m, SpvOpUConvert, ins[1], bits);
    if (*recent < globals->count && is_wide_constant(globals->items[*recent], ins[1], bits))
        return globals->items[*recent][2];
    for (uint32_t i = 0; i < globals->count; i++) {
        if (is_wide_constant(globals->items[i], ins[1], bits)) {
            *recent = i;
            return globals->items[i][2];
        }
    }
    *recent = globals->count;
    return PGS_SPV_VALUE(m, globals, SpvOpConstant, ins[1], bits, 0);
}

static uint32_t fold_select(const struct pgs_spv_module *m, const uint32_t *ins)
{
    uint32_t condition;
    if (pgs_spv_constant_bits(m, ins[3], &condition))
        return condition ? ins[4] : ins[5];
    return ins[4] == ins[5] ? ins[4] : 0;
}

/* The low or high word of a product with 1. */
static uint32_t fold_product(struct pgs_spv_module *m, const uint32_t *ins, const uint32_t *product)
{
    uint32_t bits;
    for (uint32_t i = 3; i < 5; i++) {
        if (!pgs_spv_constant_bits(m, product[i], &bits) || bits != 1)
            continue;
        return ins[4] ? pgs_spv_make_constant(m, ins[1], 0) : product[7 - i];
    }
    return 0;
}

/* The bits of a constant of 32 bits, of whatever type, as an integer; and zeros as any type. */
static uint32_t fold_bits(struct pgs_spv_module *m, uint32_t type, uint32_t id)
{
    if (pgs_spv_def_op(m, id, SpvOpConstantNull))
        return pgs_spv_null(m, type);
    const uint32_t *constant = pgs_spv_def_op(m, id, SpvOpConstant);
    return constant && pgs_spv_length(constant) == 4 && width_of(m, type) == 32 &&
                   bits_of_scalar(m, constant[1]) == 32
               ? pgs_spv_make_constant(m, type, constant[3])
               : 0;
}

/* A component of a known vector that is seen as another one with as many. */
static uint32_t fold_seen(struct pgs_spv_module *m, const uint32_t *ins, const uint32_t *cast)
{
    const uint32_t *type = pgs_spv_def_op(m, cast[1], SpvOpTypeVector);
    const uint32_t *vector = pgs_spv_def_op(m, cast[3], SpvOpConstantComposite);
    return type && vector && pgs_spv_length(vector) == type[3] + 3 && ins[4] < type[3]
               ? fold_bits(m, ins[1], vector[3 + ins[4]])
               : 0;
}

/* A part that something in front puts together. */
static uint32_t fold_extract(struct pgs_spv_module *m, const uint32_t *ins)
{
    const uint32_t *def = pgs_spv_length(ins) == 5 ? pgs_spv_def(m, ins[3]) : NULL;
    for (uint32_t i = 0; i < MAX_INSERTS && def; i++) {
        if (pgs_spv_op(def) != SpvOpCompositeInsert || pgs_spv_length(def) != 6)
            break;
        if (def[5] == ins[4])
            return def[3];
        def = pgs_spv_def(m, def[4]);
    }
    const uint32_t op = def ? pgs_spv_op(def) : SpvOpNop;
    if (op == SpvOpUMulExtended)
        return fold_product(m, ins, def);
    if (op == SpvOpBitcast)
        return fold_seen(m, ins, def);
    if (op == SpvOpConstantNull)
        return fold_bits(m, ins[1], def[2]);
    if ((op != SpvOpCompositeConstruct && op != SpvOpConstantComposite) ||
        ins[4] >= pgs_spv_length(def) - 3)
        return 0;
    for (uint32_t i = 3; i <= 3 + ins[4]; i++) /* vectors may be made of vectors */
        if (pgs_spv_type_of(m, def[i]) != ins[1] && pgs_spv_def_op(m, def[1], SpvOpTypeVector))
            return 0;
    return def[3 + ins[4]];
}

void pgs_spv_join_masks(struct pgs_spv_module *m, uint32_t *ins)
{
    const uint32_t *inner =
        pgs_spv_op(ins) == SpvOpBitwiseAnd ? pgs_spv_def_op(m, ins[3], SpvOpBitwiseAnd) : NULL;
    uint32_t mask, inner_mask;
    if (!inner || !pgs_spv_constant_bits(m, ins[4], &mask) ||
        !pgs_spv_constant_bits(m, inner[4], &inner_mask))
        return;
    ins[4] = pgs_spv_make_constant(m, pgs_spv_type_of(m, ins[4]), mask & inner_mask);
    ins[3] = inner[3];
}

/* x with 0, 1 or itself that is x, or 0 whatever x is. */
static uint32_t fold_identity(struct pgs_spv_module *m, const uint32_t *ins)
{
    uint32_t bits;
    const uint32_t op = pgs_spv_op(ins);
    if (ins[3] == ins[4] && (op == SpvOpLogicalAnd || op == SpvOpLogicalOr))
        return ins[3];
    const bool right = pgs_spv_constant_bits(m, ins[4], &bits);
    if (!right && !pgs_spv_constant_bits(m, ins[3], &bits))
        return 0;
    const uint32_t other = right ? ins[3] : ins[4];
    const bool keeps_type = pgs_spv_type_of(m, other) == ins[1];
    switch (op) {
    case SpvOpIMul:
        if (bits == 0)
            return pgs_spv_make_constant(m, ins[1], 0);
        return keeps_type && bits == 1 ? other : 0;
    case SpvOpBitwiseAnd:
        if (bits == 0)
            return pgs_spv_make_constant(m, ins[1], 0);
        return keeps_type && bits == UINT32_MAX ? other : 0;
    case SpvOpLogicalAnd:
        return bits ? other : right ? ins[4] : ins[3];
    case SpvOpLogicalOr:
        return !bits ? other : right ? ins[4] : ins[3];
    case SpvOpIAdd:
    case SpvOpBitwiseOr:
    case SpvOpBitwiseXor:
        return keeps_type && bits == 0 ? other : 0;
    case SpvOpISub:
    case SpvOpShiftLeftLogical:
    case SpvOpShiftRightLogical:
    case SpvOpShiftRightArithmetic:
        return right && keeps_type && bits == 0 ? other : 0;
    case SpvOpUDiv:
        return right && keeps_type && bits == 1 ? other : 0;
    default:
        return 0;
    }
}

/* A number of 64 bits and 0. */
static uint32_t fold_wide_sum(const struct pgs_spv_module *m, const uint32_t *ins)
{
    const uint32_t *zero = pgs_spv_def_op(m, ins[4], SpvOpConstant);
    return zero && pgs_spv_length(zero) == 5 && !zero[3] && !zero[4] &&
                   pgs_spv_type_of(m, ins[3]) == ins[1]
               ? ins[3]
               : 0;
}

/* What is denied twice. */
static uint32_t fold_denial(const struct pgs_spv_module *m, const uint32_t *ins)
{
    const uint32_t *inner = pgs_spv_def_op(m, ins[3], SpvOpLogicalNot);
    return inner ? inner[3] : 0;
}

static uint32_t fold_numbers(struct pgs_spv_module *m, const uint32_t *ins)
{
    const uint32_t count = pgs_spv_length(ins) - 3;
    uint64_t operands[2] = {0}, result;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bits;
        if (!pgs_spv_constant_bits(m, ins[3 + i], &bits))
            return count == 2                           ? fold_identity(m, ins)
                   : pgs_spv_op(ins) == SpvOpLogicalNot ? fold_denial(m, ins)
                                                        : 0;
        operands[i] = bits;
    }
    if (!pgs_spv_compute(pgs_spv_op(ins), operands, count, width_of(m, pgs_spv_type_of(m, ins[3])),
                         &result))
        return 0;
    return pgs_spv_make_constant(m, ins[1], (uint32_t)result);
}

/* The minimum and maximum of two known numbers. */
static uint32_t fold_extended(struct pgs_spv_module *m, const uint32_t *ins)
{
    const uint32_t *set =
        pgs_spv_length(ins) == 7 ? pgs_spv_def_op(m, ins[3], SpvOpExtInstImport) : NULL;
    uint32_t a, b;
    if (!set || !pgs_spv_string_is(set, 2, "GLSL.std.450") ||
        !pgs_spv_constant_bits(m, ins[5], &a) || !pgs_spv_constant_bits(m, ins[6], &b))
        return 0;
    switch (ins[4]) {
    case GLSLstd450UMin:
        return pgs_spv_make_constant(m, ins[1], a < b ? a : b);
    case GLSLstd450UMax:
        return pgs_spv_make_constant(m, ins[1], a > b ? a : b);
    default:
        return 0;
    }
}

uint32_t pgs_spv_fold_instruction(struct pgs_spv_module *m, const uint32_t *ins)
{
    const uint32_t op = pgs_spv_op(ins), length = pgs_spv_length(ins);
    switch (op) {
    case SpvOpSelect:
        return fold_select(m, ins);
    case SpvOpCompositeExtract:
        return fold_extract(m, ins);
    case SpvOpCopyObject:
        return ins[3];
    case SpvOpUConvert:
        return fold_widening(m, ins);
    case SpvOpExtInst:
        return fold_extended(m, ins);
    case SpvOpBitcast:
        return fold_bits(m, ins[1], ins[3]);
    default: {
        /* From negations to comparisons and shifts, without floats and vectors. */
        const bool computes = op >= SpvOpSNegate && op <= SpvOpBitCount;
        if (!computes || (length != 4 && length != 5))
            return 0;
        return width_of(m, ins[1]) ? fold_numbers(m, ins)
               : op == SpvOpIAdd   ? fold_wide_sum(m, ins)
                                   : 0;
    }
    }
}
