/* SPDX-License-Identifier: MIT
 *
 * Writes single instructions of a copy, unless it is known what they result in.
 */
#ifndef PGS_SPIRV_IR_FOLD_COPY_H
#define PGS_SPIRV_IR_FOLD_COPY_H

#include "spirv/ir/module.h"

/* What stands for an id in a copy. */
struct pgs_spv_folded {
    uint32_t id;
    uint32_t possible; /* of an integer: bits that may be set */
};

/* What stands for an id of m itself. */
struct pgs_spv_folded pgs_spv_fold_id(const struct pgs_spv_module *m, uint32_t id);

/* Operations for which pgs_spv_possible_bits may know something. All have two operands. */
static inline bool pgs_spv_is_bitwise(uint32_t op)
{
    return op >= SpvOpShiftRightLogical && op <= SpvOpBitwiseAnd;
}

/* Bits that may be set in what such an operation makes of its operands. */
uint32_t pgs_spv_possible_bits(const struct pgs_spv_module *m, uint32_t op, struct pgs_spv_folded a,
                               struct pgs_spv_folded b);

/* Writes the copy, which has its new operands, to `out`, with a new id for its result, if it has
 * one. If it is known what it results in, writes nothing. Returns what it results in.
 * possible: bits that may be set in it. */
struct pgs_spv_folded pgs_spv_write_copy(struct pgs_spv_module *m, uint32_t *copy,
                                         uint32_t possible, struct pgs_spv_list *out);

#endif
