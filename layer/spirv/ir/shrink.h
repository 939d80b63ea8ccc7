/* SPDX-License-Identifier: MIT
 *
 * Makes functions that the layer put together shorter.
 */
#ifndef PGS_SPIRV_IR_SHRINK_H
#define PGS_SPIRV_IR_SHRINK_H

#include "spirv/ir/module.h"

/* To be called when all functions are written and linked. What they compute stays the same. Leaves
 * modules alone whose instructions it does not know. */
void pgs_spv_shrink(struct pgs_spv_module *m);

#endif
