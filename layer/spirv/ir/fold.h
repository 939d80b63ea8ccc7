/* SPDX-License-Identifier: MIT
 *
 * Computes single instructions on constants.
 */
#ifndef PGS_SPIRV_IR_FOLD_H
#define PGS_SPIRV_IR_FOLD_H

#include "spirv/ir/module.h"

/* Finds or makes the zero of a type of numbers or bools, or of what is made of them; 0 for other
 * types. */
uint32_t pgs_spv_null(struct pgs_spv_module *m, uint32_t type);

/* Finds or makes the constant of a type of bools or 32-bit integers; 0 for other types. */
uint32_t pgs_spv_make_constant(struct pgs_spv_module *m, uint32_t type, uint32_t bits);

/* Of an instruction that is a constant. */
bool pgs_spv_bits_of(const struct pgs_spv_module *m, const uint32_t *constant, uint32_t *bits);

/* Value of a bool or 32-bit integer constant, bools as 0 and 1; false if the id is none. */
static inline bool pgs_spv_constant_bits(const struct pgs_spv_module *m, uint32_t id,
                                         uint32_t *bits)
{
    const uint32_t *def = pgs_spv_def(m, id);
    return def && pgs_spv_op(def) >= SpvOpConstantTrue && pgs_spv_op(def) <= SpvOpConstantNull &&
           pgs_spv_bits_of(m, def, bits);
}

/* The id of a constant or of an operand that equals what the instruction computes; 0 if there is
 * none. Integers and bools only: what floats make is left to the driver. */
uint32_t pgs_spv_fold_instruction(struct pgs_spv_module *m, const uint32_t *ins);

/* The BitwiseAnd of another one, both with constants behind, takes its operand and one constant.
 * Leaves all other instructions alone. */
void pgs_spv_join_masks(struct pgs_spv_module *m, uint32_t *ins);

#endif
