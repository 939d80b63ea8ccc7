/* SPDX-License-Identifier: MIT
 *
 * Makes one block of two.
 */
#ifndef PGS_SPIRV_IR_JOIN_BLOCKS_H
#define PGS_SPIRV_IR_JOIN_BLOCKS_H

#include "spirv/ir/module.h"

/* In all functions of m, selections go around arms without instructions. A block that another one
 * ends with a branch to becomes part of that one, if nothing else leads or refers to it and it
 * comes next. Operands must be known (pgs_spv_can_rename). */
void pgs_spv_join_blocks(struct pgs_spv_module *m);

#endif
