/* SPDX-License-Identifier: MIT
 *
 * Selections whose arms only compute become choices of values.
 */
#ifndef PGS_SPIRV_IR_FLATTEN_H
#define PGS_SPIRV_IR_FLATTEN_H

#include "spirv/ir/module.h"

/* Computes short arms without operations that may fail or take long, whatever the condition is, and
 * makes one value of two with OpSelect or logic. Drops selections with nothing in them. What stays
 * are more blocks that only follow each other. True if there was any. */
bool pgs_spv_flatten(struct pgs_spv_module *m);

#endif
