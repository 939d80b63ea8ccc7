/* SPDX-License-Identifier: MIT
 *
 * Branches of an emit walk whose condition is not known.
 */
#ifndef PGS_SPIRV_ANALYSIS_EMIT_WALK_SKIP_H
#define PGS_SPIRV_ANALYSIS_EMIT_WALK_SKIP_H

#include "spirv/analysis/emit_walk.h"

/* From a branch whose condition is not known: does every way lead to `merge` (0: out
 * of the function) without an emit? Then all that could happen on these ways becomes unknown. */
bool pgs_spv_emit_walk_skip(struct pgs_spv_emit_walk *w, const uint32_t *branch, uint32_t merge);

#endif
