/* SPDX-License-Identifier: MIT
 *
 * Writes single instructions of a copy, unless it is known what they result in.
 */
#include "spirv/ir/fold_copy.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/fold.h"
#include "spirv/ir/operands.h"

struct pgs_spv_folded pgs_spv_fold_id(const struct pgs_spv_module *m, uint32_t id)
{
    uint32_t bits;
    const bool known = pgs_spv_constant_bits(m, id, &bits);
    return (struct pgs_spv_folded){.id = id, .possible = known ? bits : UINT32_MAX};
}

uint32_t pgs_spv_possible_bits(const struct pgs_spv_module *m, uint32_t op, struct pgs_spv_folded a,
                               struct pgs_spv_folded b)
{
    uint32_t by;
    switch (op) {
    case SpvOpBitwiseAnd:
        return a.possible & b.possible;
    case SpvOpBitwiseOr:
    case SpvOpBitwiseXor:
        return a.possible | b.possible;
    case SpvOpShiftRightLogical:
        return pgs_spv_constant_bits(m, b.id, &by) && by < 32 ? a.possible >> by : UINT32_MAX;
    default:
        return UINT32_MAX;
    }
}

/* A chosen component of a vector, if the number of the component is known. */
static void name_component(const struct pgs_spv_module *m, uint32_t *copy)
{
    uint32_t component;
    if (pgs_spv_op(copy) != SpvOpVectorExtractDynamic ||
        !pgs_spv_constant_bits(m, copy[4], &component))
        return;
    const uint32_t *vector = pgs_spv_def(m, copy[3]);
    const uint32_t *type = vector ? pgs_spv_def_op(m, vector[1], SpvOpTypeVector) : NULL;
    if (!type || component >= type[3])
        return;
    copy[0] = 5u << 16 | SpvOpCompositeExtract;
    copy[4] = component;
}

struct pgs_spv_folded pgs_spv_write_copy(struct pgs_spv_module *m, uint32_t *copy,
                                         uint32_t possible, struct pgs_spv_list *out)
{
    struct pgs_spv_folded value = {.possible = possible};
    uint32_t bits;
    name_component(m, copy);
    const uint32_t id_word = pgs_spv_result_word(copy);
    if (!id_word) {
        pgs_spv_push(m, out, copy);
        return value;
    }
    value.id = possible ? 0 : pgs_spv_make_constant(m, copy[1], 0);
    if (!value.id)
        value.id = pgs_spv_fold_instruction(m, copy);
    if (value.id) {
        if (pgs_spv_constant_bits(m, value.id, &bits))
            value.possible = bits;
        return value;
    }
    value.id = copy[id_word] = pgs_spv_new_id(m);
    if (m->result != PGS_SPV_OK)
        return value;
    m->defs[value.id] = copy;
    pgs_spv_push(m, out, copy);
    return value;
}
