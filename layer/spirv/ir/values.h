/* SPDX-License-Identifier: MIT
 *
 * Computes and loads no value twice.
 */
#ifndef PGS_SPIRV_IR_VALUES_H
#define PGS_SPIRV_IR_VALUES_H

#include "spirv/ir/module.h"

/* In each function of m: gives equal values one id, puts what was stored in the place of loads,
 * folds what is computed of constants, and drops stores that change nothing. Values with
 * decorations of their own stay. Operands must be known (pgs_spv_can_rename). What nothing uses any
 * more is left to pgs_spv_drop_dead_values. */
void pgs_spv_number_values(struct pgs_spv_module *m);

#endif
