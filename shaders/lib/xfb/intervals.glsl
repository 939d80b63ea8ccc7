/* SPDX-License-Identifier: MIT
 *
 * Kernel xfb_program: operations other than draws. They begin and end intervals and make queries
 * available. Invocation n, below PGS_MAX_XFB_BUFFERS, does it for buffer n, and is the only one that
 * accesses the offset of that buffer.
 */
#ifndef PGS_XFB_INTERVALS_GLSL
#define PGS_XFB_INTERVALS_GLSL

#include "xfb/operations.glsl"

/* The current interval, and a copy of the offset of this invocation's buffer. */
uvec2 pgs_at_interval = uvec2(0u);
uint pgs_at_offset_B;

void pgs_go_to_interval(const uvec2 address)
{
    if (pgs_at_interval != address)
        pgs_at_offset_B = pgs_interval_ref(address).interval.offset_B[PGS_LOCAL_ID];
    pgs_at_interval = address;
}

void pgs_store_offset()
{
    pgs_interval_ref(pgs_at_interval).interval.offset_B[PGS_LOCAL_ID] = pgs_at_offset_B;
}

/* Executes operation i, which is no draw, for the buffer of this invocation. An End without a Begin
 * has no interval and writes no counters. */
void pgs_run_operation(const uint i)
{
    const uint kind = pgs_op_kind[i];
    const uint at = i * PGS_MAX_XFB_BUFFERS + PGS_LOCAL_ID;
    const uvec2 interval = pgs_op_interval[i];
    if (kind == PGS_XFB_OP_AVAILABLE) {
        if (PGS_LOCAL_ID == 0u)
            pgs_write_near(pgs_op_queries[i], PGS_QUERY_AVAILABLE_W, 1u);
    } else if (kind == PGS_XFB_OP_BEGIN) {
        pgs_at_interval = interval;
        pgs_at_offset_B = i < pgs_first_end ? pgs_op_bytes[at] : pgs_read_counter(pgs_op_address[at]);
        pgs_store_offset();
    } else if (interval != uvec2(0u)) {
        pgs_go_to_interval(interval);
        if (pgs_op_address[at] != uvec2(0u))
            pgs_write(pgs_op_address[at], pgs_at_offset_B);
    }
}

#endif
