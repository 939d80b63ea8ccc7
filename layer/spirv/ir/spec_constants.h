/* SPDX-License-Identifier: MIT
 *
 * Specialization.
 */
#ifndef PGS_SPIRV_IR_SPEC_CONSTANTS_H
#define PGS_SPIRV_IR_SPEC_CONSTANTS_H

#include "spirv/ir/module.h"

/* Specialization constants become constants. Operations that cannot be computed here (on
 * floats) stay, with constant operands. */
void pgs_spv_fold(struct pgs_spv_module *m, const struct pgs_spv_shader *shader);

/* One or two operands, integers or bools (width 1) of width_bits. Bits beyond the width of the
 * result are left for the caller to drop, and what is undefined is 0. False: it is not one of those
 * that are computed here. */
bool pgs_spv_compute(uint32_t op, const uint64_t *operands, uint32_t count, uint32_t width_bits,
                     uint64_t *result);

#endif
