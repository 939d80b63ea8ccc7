/* SPDX-License-Identifier: MIT
 *
 * Branches of an emit walk whose condition is unknown.
 */
#ifndef PGS_SPIRV_ANALYSIS_EMIT_WALK_SKIP_H
#define PGS_SPIRV_ANALYSIS_EMIT_WALK_SKIP_H

#include "spirv/analysis/emit_walk.h"

/* Handles a branch with an unknown condition: returns true if there are paths to `merge` (0: the
 * end of the function) and none of them emits. All that they could write then becomes unknown. */
bool pgs_spv_emit_walk_skip(struct pgs_spv_emit_walk *w, const uint32_t *branch, uint32_t merge);

#endif
