/* SPDX-License-Identifier: MIT
 *
 * Specialization.
 */
#ifndef PGS_SPIRV_IR_SPEC_CONSTANTS_H
#define PGS_SPIRV_IR_SPEC_CONSTANTS_H

#include "spirv/ir/module.h"

/* Turns specialization constants into constants. Operations that cannot be computed here (on
 * floats) stay, with constant operands. */
void pgs_spv_fold(struct pgs_spv_module *m, const struct pgs_spv_shader *shader);

/* Computes an operation with one or two operands, integers or bools (width 1) of width_bits. The
 * caller drops bits beyond the result's width. Undefined results are 0. False if the operation is
 * not supported, or width_bits is 0: of another type. */
bool pgs_spv_compute(uint32_t op, const uint64_t *operands, uint32_t count, uint32_t width_bits,
                     uint64_t *result);

#endif
