/* SPDX-License-Identifier: MIT
 *
 * Merges one module into another.
 */
#ifndef PGS_SPIRV_IR_MERGE_H
#define PGS_SPIRV_IR_MERGE_H

#include "spirv/ir/module.h"

/* Adds all of `from` except its entry point to m; execution modes other than float controls are
 * dropped. ids, by id of `from`: the id in m that replaces it; 0: m gets a copy, whose id is
 * written there. UNSUPPORTED if versions, memory models or float controls conflict; m is unusable
 * then. */
void pgs_spv_merge(struct pgs_spv_module *m, const struct pgs_spv_module *from, uint32_t *ids);

#endif
