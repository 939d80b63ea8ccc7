/* SPDX-License-Identifier: MIT
 *
 * Parses the module of a shader for a pass.
 */
#ifndef PGS_SPIRV_IR_OPEN_H
#define PGS_SPIRV_IR_OPEN_H

#include "spirv/ir/module.h"

/* Parses the module and drops what the entry point does not need. Specialization constants stay
 * unless `fold`. The caller finishes m, also on failure. */
enum pgs_spv_result pgs_spv_open_stage(struct pgs_spv_module *m,
                                       const struct pgs_spv_shader *shader, bool fold);

#endif
