/* SPDX-License-Identifier: MIT
 *
 * What the choice of a plan depends on besides pipeline, state and call. Internal to draw/.
 */
#ifndef PGS_DRAW_PLAN_RULES_H
#define PGS_DRAW_PLAN_RULES_H

#include "draw/draw.h"

#define PGS_MORE_PATCHES 256u

struct pgs_plan_rules {
    enum pgs_plan wish;
    uint32_t max_out_vertices; /* of a record (pgs_max_record_vertices) */
    uint64_t index_range_B;    /* of vertices, for the indices of one draw; 0: any */
    uint64_t most_stored_B;    /* for a draw of known size, which is inline beyond it; 0: any */
    uint64_t sure_B;           /* memory left for tessellated draws whose worst case must fit */
    uint32_t summed_tiles, spread_from; /* of the class; PGS_COST_SPREAD_INVOCATIONS */
    uint32_t slice_vertices;            /* PGS_COST_SLICE_VERTICES; 0: no draw has slices */
    uint32_t inline_patches, inline_evaluations; /* PGS_COST_* */
    uint32_t more_each;      /* vertices + 1 that PGS_MORE_PATCHES patches of the pipeline evaluate
                                inline      and not stored (patches.h); 0: not known */
    uint64_t evaluated_more; /* by draws of the pass */
    uint64_t byte_count_B; /* memory for vertices that a draw by byte count may turn out to have */
    uint64_t vital_B;      /* likewise, if it is lost without */
    uint32_t spare_ksteps; /* that an inline draw may run more than a stored one (tier.h) */
    uint64_t limited_el, dense_so_far_el; /* of the draws of the pass; of those with is_dense */
    uint64_t dense_el;      /* the limit where much is emitted (emits.h); 0: that of the pipeline */
    uint32_t calls_to_come; /* with the pipeline in the pass, this one too; 0: not known */
    uint32_t sift_from;     /* primitives of a draw that is sifted (poly_gs/sift.h); 0: none is */
    uint32_t pick_from;     /* likewise of one that is picked (poly_gs/pick.h) */
    uint64_t most_picked_B; /* for such a draw; others may go in rounds */
    bool sifts_later;       /* not before threads have compiled the shader for it */
    bool picks_later;       /* likewise */
    bool draws_directly, draws_in_order; /* of struct pgs_device_class */
    bool culls_all;       /* strips outside, rather than draw directly (PGS_CULL_ALWAYS) */
    bool reads_arguments; /* the driver can read the application's own arguments */
    bool trusts_size;     /* draws whose size only the GPU knows were small so far */
    bool serial;          /* short work is for one invocation (plan_inline.h) */
};

/* Of the evaluation shader with which inline_evaluations was measured. */
#define PGS_USUAL_EVALUATION_STEPS 196u

/* Vertices that so many patches evaluate more inline, as if the pipeline's evaluation shader had
 * the usual length. more_each: as above. */
static inline uint64_t pgs_more_evaluated(const struct pgs_emulated_pipeline *pipeline,
                                          uint32_t more_each, uint32_t patches)
{
    const uint64_t more = more_each ? (uint64_t)patches * (more_each - 1) / PGS_MORE_PATCHES : 0;
    const uint32_t steps = pipeline->evaluation_steps;
    return !steps || more > UINT32_MAX ? more : more * steps / PGS_USUAL_EVALUATION_STEPS;
}

#endif
