/* SPDX-License-Identifier: MIT
 *
 * Members of a record that are loaded together.
 */
#ifndef PGS_SPIRV_IR_JOIN_LOADS_H
#define PGS_SPIRV_IR_JOIN_LOADS_H

#include "spirv/ir/module.h"

/* Loads of words that lie in the same 16 bytes of a structure become one load of these: for
 * drivers whose compilers load each member by itself. Of structures that libraries have brought
 * as readonly, and that nobody writes while shaders run: they are multiples of 16 bytes, and a load
 * may come as far in front of where it was as its address is known. The values stay the same.
 *
 * To be called when all functions are written. */
void pgs_spv_join_loads(struct pgs_spv_module *m);

#endif
