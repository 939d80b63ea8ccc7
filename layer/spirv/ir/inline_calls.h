/* SPDX-License-Identifier: MIT
 *
 * Writes functions that are called once into their callers.
 */
#ifndef PGS_SPIRV_IR_INLINE_CALLS_H
#define PGS_SPIRV_IR_INLINE_CALLS_H

#include "spirv/ir/module.h"

/* Functions that return from their end alone, and whose control does not forbid it. Drivers do so
 * with all calls; here it saves what calls take, and other passes see across. To be called when all
 * functions are written. Operands must be known (pgs_spv_can_rename), and no function call itself.
 */
void pgs_spv_inline_calls(struct pgs_spv_module *m);

#endif
