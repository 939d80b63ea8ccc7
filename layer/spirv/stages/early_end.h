/* SPDX-License-Identifier: MIT
 *
 * Ends loops that emit vertices once all that is wanted has been emitted.
 */
#ifndef PGS_SPIRV_STAGES_EARLY_END_H
#define PGS_SPIRV_STAGES_EARLY_END_H

#include "spirv/analysis/emit_loops.h"

/* A loop of the entry point behind which nothing comes but ends of strips is left behind an emit if
 * done(argument), a bool of a constant, says so. Whatever the shader would do later must not matter
 * then. */
void pgs_spv_end_early(struct pgs_spv_module *m, const struct pgs_spv_emit_functions *functions,
                       uint32_t done, uint32_t argument);

#endif
