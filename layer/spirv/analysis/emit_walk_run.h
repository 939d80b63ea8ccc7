/* SPDX-License-Identifier: MIT
 *
 * Walks along a geometry shader: calls, branches and loops whose conditions are known, and over
 * those that are not.
 */
#ifndef PGS_SPIRV_ANALYSIS_EMIT_WALK_RUN_H
#define PGS_SPIRV_ANALYSIS_EMIT_WALK_RUN_H

#include "spirv/analysis/emit_walk.h"

/* Begins at the entry point. Those up to invocation must be set, all others be 0. False: out of
 * memory. */
bool pgs_spv_emit_walk_begin(struct pgs_spv_emit_walk *w);

/* Begins another walk over the same module, from the beginning. */
void pgs_spv_emit_walk_begin_again(struct pgs_spv_emit_walk *w);

/* Executes one instruction, while the walk is neither lost nor done. */
void pgs_spv_emit_walk_step(struct pgs_spv_emit_walk *w);

#endif
