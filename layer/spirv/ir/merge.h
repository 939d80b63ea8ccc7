/* SPDX-License-Identifier: MIT
 *
 * Makes one module part of another.
 */
#ifndef PGS_SPIRV_IR_MERGE_H
#define PGS_SPIRV_IR_MERGE_H

#include "spirv/ir/module.h"

/* All of `from`, but for its entry point, joins m; of its modes float controls. ids: by id
 * of `from`, the id in m that stands for it; 0: m gets a copy under a new one, which is written
 * there. UNSUPPORTED, and m is lost, where the two cannot be one module: their versions or memory
 * models differ, or float controls contradict. */
void pgs_spv_merge(struct pgs_spv_module *m, const struct pgs_spv_module *from, uint32_t *ids);

#endif
