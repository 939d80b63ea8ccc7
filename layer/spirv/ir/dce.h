/* SPDX-License-Identifier: MIT
 *
 * Dead-code elimination.
 */
#ifndef PGS_SPIRV_IR_DCE_H
#define PGS_SPIRV_IR_DCE_H

#include "spirv/ir/module.h"

/* Chooses the entry point and drops the others, and functions that it does not reach. INVALID if it
 * is missing or the call graph has a cycle. */
void pgs_spv_dce_functions(struct pgs_spv_module *m, const struct pgs_spv_shader *shader);

/* Drops module-scope instructions that nothing uses, with their names and decorations.
 * `keep_interface`: variables that m->entry lists count as used. Outputs with an initializer always
 * do. */
void pgs_spv_dce_globals(struct pgs_spv_module *m, bool keep_interface);

#endif
