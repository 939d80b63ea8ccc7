/* SPDX-License-Identifier: MIT
 *
 * What push constants say of how long the shaders of a pipeline run. A public header of pipeline/.
 */
#ifndef PGS_PIPELINE_SHORT_LOOPS_H
#define PGS_PIPELINE_SHORT_LOOPS_H

#include "spirv/spirv.h"

/* Loops that push constants bound are short while they let nothing run more often than `times`; 0:
 * nobody knows how long the shaders run. The draws of a pass may shade limit_el vertices inline
 * then. */
struct pgs_short_loops {
    struct pgs_spv_push_loops loops;
    uint32_t times, limit_el;
};

static inline bool pgs_loops_are_short(const struct pgs_short_loops *loops, const uint32_t push[64])
{
    return loops->times && pgs_spv_push_times(&loops->loops, push) <= loops->times;
}

#endif
