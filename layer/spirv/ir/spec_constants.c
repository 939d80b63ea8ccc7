/* SPDX-License-Identifier: MIT
 *
 * Turns specialization constants, and values computed from them, into constants.
 */
#include "spirv/ir/spec_constants.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/operands.h"
#include "spirv/ir/replicate.h"

#include <string.h>

#define MAX_COMPONENTS 4

/* An integer or bool constant, a scalar or vector, split into components. */
struct number {
    uint32_t type, scalar;      /* ids */
    uint32_t count, width_bits; /* width 1: bool */
    bool is_signed;
    uint64_t bits[MAX_COMPONENTS];
};

static uint64_t mask_of(uint32_t width_bits)
{
    return width_bits >= 64 ? UINT64_MAX : ((uint64_t)1 << width_bits) - 1;
}

static int64_t as_signed(uint64_t bits, uint32_t width_bits)
{
    const uint64_t sign = (uint64_t)1 << (width_bits - 1);
    bits &= mask_of(width_bits);
    return (int64_t)((bits ^ sign) - sign);
}

static bool describe(const struct pgs_spv_module *m, uint32_t type, struct number *n)
{
    *n = (struct number){.type = type, .scalar = type, .count = 1};
    const uint32_t *def = pgs_spv_def_op(m, type, SpvOpTypeVector);
    if (def) {
        n->scalar = def[2];
        n->count = def[3];
    }
    def = pgs_spv_def(m, n->scalar);
    if (!def || n->count == 0 || n->count > MAX_COMPONENTS)
        return false;
    n->width_bits = pgs_spv_op(def) == SpvOpTypeBool  ? 1
                    : pgs_spv_op(def) == SpvOpTypeInt ? def[2]
                                                      : 0;
    n->is_signed = n->width_bits > 1 && def[3] != 0;
    return n->width_bits == 1 || n->width_bits == 8 || n->width_bits == 16 || n->width_bits == 32 ||
           n->width_bits == 64;
}

static bool scalar_bits(const uint32_t *def, uint32_t width_bits, uint64_t *bits)
{
    switch (pgs_spv_op(def)) {
    case SpvOpConstantTrue:
        *bits = 1;
        return width_bits == 1;
    case SpvOpConstantFalse:
    case SpvOpConstantNull:
        *bits = 0;
        return true;
    case SpvOpConstant:
        *bits = def[3];
        if (width_bits == 64)
            *bits |= pgs_spv_length(def) > 4 ? (uint64_t)def[4] << 32 : 0;
        *bits &= mask_of(width_bits);
        return true;
    default:
        return false;
    }
}

static bool read_number(const struct pgs_spv_module *m, uint32_t id, struct number *n)
{
    const uint32_t *def = pgs_spv_def(m, id);
    uint32_t type_word, id_word;
    if (!def)
        return false;
    pgs_spv_result_words(pgs_spv_op(def), &type_word, &id_word);
    if (!type_word || !describe(m, def[type_word], n))
        return false;
    if (n->count == 1)
        return scalar_bits(def, n->width_bits, &n->bits[0]);
    if (pgs_spv_op(def) == SpvOpConstantNull)
        return true;
    if (pgs_spv_op(def) != SpvOpConstantComposite || pgs_spv_length(def) != n->count + 3)
        return false;
    for (uint32_t i = 0; i < n->count; i++) {
        const uint32_t *part = pgs_spv_def(m, def[3 + i]);
        if (!part || !scalar_bits(part, n->width_bits, &n->bits[i]))
            return false;
    }
    return true;
}

static uint32_t *make_scalar(struct pgs_spv_module *m, const struct number *n, uint64_t bits,
                             uint32_t id)
{
    const uint32_t head[2] = {n->scalar, id};
    if (n->width_bits == 1)
        return pgs_spv_make(m, bits & 1 ? SpvOpConstantTrue : SpvOpConstantFalse, head, 2);
    if (n->width_bits < 32) /* the high bits of a narrow literal are sign- or zero-extended */
        bits =
            n->is_signed ? (uint64_t)as_signed(bits, n->width_bits) : bits & mask_of(n->width_bits);
    const uint32_t words[4] = {head[0], head[1], (uint32_t)bits, (uint32_t)(bits >> 32)};
    return pgs_spv_make(m, SpvOpConstant, words, n->width_bits == 64 ? 4 : 3);
}

static uint32_t *make_number(struct pgs_spv_module *m, struct pgs_spv_list *list,
                             const struct number *n, uint32_t id)
{
    if (n->count == 1)
        return make_scalar(m, n, n->bits[0], id);
    uint32_t words[2 + MAX_COMPONENTS] = {n->type, id};
    for (uint32_t i = 0; i < n->count; i++) {
        words[2 + i] = pgs_spv_new_id(m);
        pgs_spv_push(m, list, make_scalar(m, n, n->bits[i], words[2 + i]));
    }
    return pgs_spv_make(m, SpvOpConstantComposite, words, 2 + n->count);
}

static bool divide(uint32_t op, uint64_t a, uint64_t b, uint32_t width_bits, uint64_t *r)
{
    const int64_t x = as_signed(a, width_bits), y = as_signed(b, width_bits);
    /* Division by zero is undefined: return 0. */
    switch (op) {
    case SpvOpUDiv:
        *r = b ? a / b : 0;
        return true;
    case SpvOpUMod:
        *r = b ? a % b : 0;
        return true;
    case SpvOpSDiv:
        *r = y == -1 ? 0 - a : y ? (uint64_t)(x / y) : 0;
        return true;
    case SpvOpSRem:
        *r = y == -1 || y == 0 ? 0 : (uint64_t)(x % y);
        return true;
    case SpvOpSMod: {
        const int64_t rest = y == -1 || y == 0 ? 0 : x % y;
        *r = (uint64_t)(rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest);
        return true;
    }
    default:
        return false;
    }
}

static bool compare(uint32_t op, uint64_t a, uint64_t b, uint32_t width_bits, uint64_t *r)
{
    const int64_t x = as_signed(a, width_bits), y = as_signed(b, width_bits);
    switch (op) {
    case SpvOpIEqual:
    case SpvOpLogicalEqual:
        *r = a == b;
        return true;
    case SpvOpINotEqual:
    case SpvOpLogicalNotEqual:
        *r = a != b;
        return true;
    case SpvOpUGreaterThan:
        *r = a > b;
        return true;
    case SpvOpUGreaterThanEqual:
        *r = a >= b;
        return true;
    case SpvOpULessThan:
        *r = a < b;
        return true;
    case SpvOpULessThanEqual:
        *r = a <= b;
        return true;
    case SpvOpSGreaterThan:
        *r = x > y;
        return true;
    case SpvOpSGreaterThanEqual:
        *r = x >= y;
        return true;
    case SpvOpSLessThan:
        *r = x < y;
        return true;
    case SpvOpSLessThanEqual:
        *r = x <= y;
        return true;
    default:
        return false;
    }
}

static bool shift(uint32_t op, uint64_t a, uint64_t by, uint32_t width_bits, uint64_t *r)
{
    const uint32_t n = by < width_bits ? (uint32_t)by : 0; /* larger shifts are undefined */
    const uint64_t fill = as_signed(a, width_bits) < 0 && n ? UINT64_MAX << (width_bits - n) : 0;
    switch (op) {
    case SpvOpShiftLeftLogical:
        *r = a << n;
        return true;
    case SpvOpShiftRightLogical:
        *r = a >> n;
        return true;
    case SpvOpShiftRightArithmetic:
        *r = (a >> n) | fill;
        return true;
    default:
        return false;
    }
}

static bool binary(uint32_t op, uint64_t a, uint64_t b, uint32_t width_bits, uint64_t *r)
{
    switch (op) {
    case SpvOpIAdd:
        *r = a + b;
        return true;
    case SpvOpISub:
        *r = a - b;
        return true;
    case SpvOpIMul:
        *r = a * b;
        return true;
    case SpvOpBitwiseAnd:
    case SpvOpLogicalAnd:
        *r = a & b;
        return true;
    case SpvOpBitwiseOr:
    case SpvOpLogicalOr:
        *r = a | b;
        return true;
    case SpvOpBitwiseXor:
        *r = a ^ b;
        return true;
    default:
        return divide(op, a, b, width_bits, r) || compare(op, a, b, width_bits, r) ||
               shift(op, a, b, width_bits, r);
    }
}

static bool unary(uint32_t op, uint64_t a, uint32_t width_bits, uint64_t *r)
{
    switch (op) {
    case SpvOpSNegate:
        *r = 0 - a;
        return true;
    case SpvOpNot:
        *r = ~a;
        return true;
    case SpvOpLogicalNot:
        *r = !a;
        return true;
    case SpvOpUConvert:
        *r = a;
        return true;
    case SpvOpSConvert:
        *r = (uint64_t)as_signed(a, width_bits);
        return true;
    default:
        return false;
    }
}

bool pgs_spv_compute(uint32_t op, const uint64_t *operands, uint32_t count, uint32_t width_bits,
                     uint64_t *result)
{
    if (width_bits == 0) /* a broken module's */
        return false;
    switch (count) {
    case 1:
        return unary(op, operands[0], width_bits, result);
    case 2:
        return binary(op, operands[0], operands[1], width_bits, result);
    default:
        return false;
    }
}

/* Computes an operation on numbers; NULL if it is not supported. */
static uint32_t *fold_numbers(struct pgs_spv_module *m, struct pgs_spv_list *list,
                              const uint32_t *ins)
{
    struct number r, a, b, c;
    const uint32_t count = pgs_spv_length(ins) - 4, op = ins[3];
    if (!describe(m, ins[1], &r) || count == 0 || count > 3 || !read_number(m, ins[4], &a))
        return NULL;
    if (count > 1 && !read_number(m, ins[5], &b))
        return NULL;
    if (count > 2 && (!read_number(m, ins[6], &c) || c.count != r.count))
        return NULL;
    if (a.count != r.count || (count > 1 && b.count != r.count))
        return NULL;
    for (uint32_t i = 0; i < r.count; i++) {
        bool known = false;
        if (count < 3)
            known = pgs_spv_compute(op, (const uint64_t[]){a.bits[i], count > 1 ? b.bits[i] : 0},
                                    count, a.width_bits, &r.bits[i]);
        else if (op == SpvOpSelect && a.width_bits == 1) {
            r.bits[i] = a.bits[i] ? b.bits[i] : c.bits[i];
            known = true;
        }
        if (!known)
            return NULL;
        r.bits[i] &= mask_of(r.width_bits);
    }
    return make_number(m, list, &r, ins[2]);
}

static uint32_t *copy_constant(struct pgs_spv_module *m, uint32_t from, const uint32_t *ins)
{
    const uint32_t *def = pgs_spv_def(m, from);
    if (!def || pgs_spv_op(def) < SpvOpConstantTrue || pgs_spv_op(def) > SpvOpConstantNull ||
        def[1] != ins[1])
        return NULL;
    uint32_t *copy = pgs_spv_make(m, pgs_spv_op(def), def + 1, pgs_spv_length(def) - 1);
    if (copy) {
        m->defs[def[2]] = (uint32_t *)(uintptr_t)def;
        copy[2] = ins[2];
        m->defs[ins[2]] = copy;
    }
    return copy;
}

static uint32_t *fold_shuffle(struct pgs_spv_module *m, const uint32_t *ins)
{
    const uint32_t length = pgs_spv_length(ins);
    const uint32_t *a = length > 6 ? pgs_spv_def_op(m, ins[4], SpvOpConstantComposite) : NULL;
    const uint32_t *b = length > 6 ? pgs_spv_def_op(m, ins[5], SpvOpConstantComposite) : NULL;
    uint32_t words[2 + MAX_COMPONENTS] = {ins[1], ins[2]};
    if (!a || !b || length - 6 > MAX_COMPONENTS)
        return NULL;
    const uint32_t a_count = pgs_spv_length(a) - 3, b_count = pgs_spv_length(b) - 3;
    for (uint32_t i = 6; i < length; i++) {
        if (ins[i] >= a_count + b_count)
            return NULL;
        words[i - 4] = ins[i] < a_count ? a[3 + ins[i]] : b[3 + ins[i] - a_count];
    }
    return pgs_spv_make(m, SpvOpConstantComposite, words, length - 4);
}

static uint32_t *fold_composite(struct pgs_spv_module *m, const uint32_t *ins)
{
    const uint32_t length = pgs_spv_length(ins);
    switch (ins[3]) {
    case SpvOpSelect: {
        struct number condition;
        if (length != 7 || !read_number(m, ins[4], &condition) || condition.count != 1 ||
            condition.width_bits != 1)
            return NULL;
        return copy_constant(m, condition.bits[0] ? ins[5] : ins[6], ins);
    }
    case SpvOpCompositeExtract: {
        uint32_t id = length > 5 ? ins[4] : 0;
        for (uint32_t i = 5; i < length && id; i++) {
            const uint32_t *def = pgs_spv_def_op(m, id, SpvOpConstantComposite);
            id = def && ins[i] < pgs_spv_length(def) - 3 ? def[3 + ins[i]] : 0;
        }
        return id ? copy_constant(m, id, ins) : NULL;
    }
    case SpvOpCompositeInsert: {
        const uint32_t *def =
            length == 7 ? pgs_spv_def_op(m, ins[5], SpvOpConstantComposite) : NULL;
        uint32_t *copy =
            def && ins[6] < pgs_spv_length(def) - 3 ? copy_constant(m, ins[5], ins) : NULL;
        if (copy)
            copy[3 + ins[6]] = ins[4];
        return copy;
    }
    case SpvOpVectorShuffle:
        return fold_shuffle(m, ins);
    default:
        return NULL;
    }
}

/* The application's value for a SpecId, if it provides one. */
static bool given_value(const struct pgs_spv_module *m, const struct pgs_spv_shader *shader,
                        uint32_t id, uint8_t value[8], size_t size_B)
{
    uint32_t spec_id;
    if (!pgs_spv_decoration(m, id, -1, SpvDecorationSpecId, &spec_id))
        return false;
    for (uint32_t i = 0; i < shader->spec_entry_count; i++) {
        const struct pgs_spv_spec_entry *entry = &shader->spec_entries[i];
        if (entry->constant_id != spec_id)
            continue;
        if (entry->size_B != size_B || entry->offset_B > shader->spec_data_B ||
            size_B > shader->spec_data_B - entry->offset_B)
            return false;
        memcpy(value, (const uint8_t *)shader->spec_data + entry->offset_B, size_B);
        return true;
    }
    return false;
}

static uint32_t *fold_scalar(struct pgs_spv_module *m, const struct pgs_spv_shader *shader,
                             uint32_t *ins)
{
    uint8_t value[8] = {0};
    if (pgs_spv_op(ins) != SpvOpSpecConstant) {
        uint32_t truth = pgs_spv_op(ins) == SpvOpSpecConstantTrue;
        if (given_value(m, shader, ins[2], value, 4))
            memcpy(&truth, value, 4);
        ins[0] = (3u << 16) | (uint32_t)(truth ? SpvOpConstantTrue : SpvOpConstantFalse);
        return ins;
    }
    ins[0] = (ins[0] & 0xFFFF0000u) | SpvOpConstant;
    const uint32_t *type = pgs_spv_def(m, ins[1]);
    const bool is_int = type && pgs_spv_op(type) == SpvOpTypeInt;
    if (!type || (!is_int && pgs_spv_op(type) != SpvOpTypeFloat)) {
        pgs_spv_fail(m, PGS_SPV_INVALID);
        return ins;
    }
    const uint32_t width_bits = type[2];
    if ((width_bits != 8 && width_bits != 16 && width_bits != 32 && width_bits != 64) ||
        pgs_spv_length(ins) != (width_bits == 64 ? 5 : 4)) {
        pgs_spv_fail(m, PGS_SPV_INVALID);
        return ins;
    }
    if (!given_value(m, shader, ins[2], value, width_bits / 8))
        return ins;
    uint64_t bits = 0;
    for (uint32_t i = 0; i < width_bits / 8; i++) {
        uint32_t byte = value[i];
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        byte = value[width_bits / 8 - 1 - i];
#endif
        bits |= (uint64_t)byte << (i * 8);
    }
    if (is_int && type[3])
        bits = (uint64_t)as_signed(bits, width_bits);
    ins[3] = (uint32_t)bits;
    if (width_bits == 64)
        ins[4] = (uint32_t)(bits >> 32);
    return ins;
}

static bool all_constant(const struct pgs_spv_module *m, const uint32_t *ins)
{
    for (uint32_t i = 3; i < pgs_spv_length(ins); i++) {
        const uint32_t *def = pgs_spv_def(m, ins[i]);
        if (def && (pgs_spv_op(def) == SpvOpSpecConstantOp ||
                    pgs_spv_op(def) == SpvOpSpecConstantComposite))
            return false;
    }
    return true;
}

static bool drop_spec_id(const uint32_t *ins, void *context)
{
    (void)context;
    return pgs_spv_op(ins) == SpvOpDecorate && ins[2] == SpvDecorationSpecId;
}

void pgs_spv_fold(struct pgs_spv_module *m, const struct pgs_spv_shader *shader)
{
    struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    struct pgs_spv_list folded = {0};
    for (uint32_t i = 0; i < globals->count && m->result == PGS_SPV_OK; i++) {
        uint32_t *ins = globals->items[i];
        switch (pgs_spv_op(ins)) {
        case SpvOpSpecConstantTrue:
        case SpvOpSpecConstantFalse:
        case SpvOpSpecConstant:
            ins = fold_scalar(m, shader, ins);
            break;
        case SpvOpSpecConstantComposite:
            if (all_constant(m, ins))
                ins[0] = (ins[0] & 0xFFFF0000u) | SpvOpConstantComposite;
            break;
        case SpvOpSpecConstantOp: {
            uint32_t *value = fold_numbers(m, &folded, ins);
            if (!value && m->result == PGS_SPV_OK)
                value = fold_composite(m, ins);
            ins = value ? value : ins;
            break;
        }
        default:
            break;
        }
        pgs_spv_push(m, &folded, ins);
    }
    *globals = folded;
    pgs_spv_filter(&m->sections[PGS_SPV_ANNOTATIONS], drop_spec_id, NULL);
    pgs_spv_expand_replicates(m);
}
