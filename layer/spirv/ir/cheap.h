/* SPDX-License-Identifier: MIT
 *
 * Which instructions may be computed where nothing needs their results.
 */
#ifndef PGS_SPIRV_IR_CHEAP_H
#define PGS_SPIRV_IR_CHEAP_H

#include "spirv/ir/module.h"

/* True for what takes a driver little, whatever its operands are, and cannot fail: integers, logic,
 * addresses, parts of vectors, and loads from memory of the invocation at places that are there. */
bool pgs_spv_is_cheap(const struct pgs_spv_module *m, const uint32_t *ins);

#endif
