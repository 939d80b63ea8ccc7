/* SPDX-License-Identifier: MIT
 *
 * One form of a module for all that differ in ids, names and the order of declarations only, which
 * caches of drivers compare word by word.
 */
#ifndef PGS_SPIRV_IR_CANONICAL_H
#define PGS_SPIRV_IR_CANONICAL_H

#include "spirv/ir/module.h"

/* The last pass: numbers ids anew, in the order in which functions use them, declares what is at
 * module scope in this order, and drops names. Does nothing if the module has instructions whose
 * operands are not known, pointers declared ahead, or switches. */
void pgs_spv_make_canonical(struct pgs_spv_module *m);

#endif
