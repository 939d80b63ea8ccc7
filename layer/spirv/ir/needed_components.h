/* SPDX-License-Identifier: MIT
 *
 * Components of vectors that something reads.
 */
#ifndef PGS_SPIRV_IR_NEEDED_COMPONENTS_H
#define PGS_SPIRV_IR_NEEDED_COMPONENTS_H

#include "spirv/ir/module.h"

/* By id, as far as functions use it: a mask of the components of a vector whose values may matter,
 * also by way of other vectors; all bits for what is no vector. What a component that does not
 * matter holds must be defined all the same. NULL: out of memory. Lives as long as the module. */
const uint8_t *pgs_spv_needed_components(struct pgs_spv_module *m);

#endif
