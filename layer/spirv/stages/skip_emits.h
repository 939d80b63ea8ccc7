/* SPDX-License-Identifier: MIT
 *
 * Lets loops that emit vertices begin where a wanted one is emitted.
 */
#ifndef PGS_SPIRV_STAGES_SKIP_EMITS_H
#define PGS_SPIRV_STAGES_SKIP_EMITS_H

#include "spirv/analysis/emit_loops.h"

/* A loop as in analysis/counted_loop.h, if the entry point has one, begins later by as many times
 * as skip(times, vertices of each), a uint of two, says, which must be less than `times` unless
 * that is 0. False: it has none. */
bool pgs_spv_skip_emits(struct pgs_spv_module *m, const struct pgs_spv_emit_functions *functions,
                        uint32_t skip);

#endif
