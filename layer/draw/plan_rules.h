/* SPDX-License-Identifier: MIT
 *
 * What the choice of a plan depends on besides pipeline, state and call. Internal to draw/.
 */
#ifndef PGS_DRAW_PLAN_RULES_H
#define PGS_DRAW_PLAN_RULES_H

#include "draw/draw.h"

struct pgs_plan_rules {
    enum pgs_plan wish;
    uint32_t max_out_vertices; /* of a record (pgs_max_record_vertices) */
    uint64_t index_range_B;    /* of vertices, for the indices of one draw; 0: any */
    uint64_t most_stored_B;    /* for a draw of known size, which is inline beyond it; 0: any */
    uint64_t sure_B;           /* memory left for tessellated draws whose worst case must fit */
    uint32_t summed_tiles, spread_from; /* of the class; PGS_COST_SPREAD_INVOCATIONS */
    uint32_t inline_patches;            /* PGS_COST_INLINE_PATCHES */
    uint64_t byte_count_B; /* memory for vertices that a draw by byte count may turn out to have */
    uint64_t vital_B;      /* likewise, if it is lost without */
    uint32_t spare_ksteps; /* that an inline draw may run more than a stored one (tier.h) */
    uint64_t limited_el, dense_so_far_el; /* of the draws of the pass; of those with is_dense */
    uint64_t dense_el;      /* the limit where much is emitted (emits.h); 0: that of the pipeline */
    uint32_t calls_to_come; /* with the pipeline in the pass, this one too; 0: not known */
    uint32_t sift_from;     /* primitives of a draw that is sifted (poly_gs/sift.h); 0: none is */
    bool sifts_later;       /* not before threads have compiled the shader for it */
    bool draws_directly, draws_in_order; /* of struct pgs_device_class */
    bool culls_all;       /* strips outside, rather than draw directly (PGS_CULL_ALWAYS) */
    bool reads_arguments; /* the driver can read the application's own arguments */
    bool trusts_size;     /* draws whose size only the GPU knows were small so far */
    bool serial;          /* short work is for one invocation (plan_inline.h) */
};

#endif
