/* SPDX-License-Identifier: MIT
 *
 * Kernel xfb_program: operations other than draws. They begin and end intervals and make queries
 * available. Only the first invocation calls these functions, so that state needs no memory
 * barriers between runs.
 */
#ifndef PGS_XFB_INTERVALS_GLSL
#define PGS_XFB_INTERVALS_GLSL

#include "xfb/operations.glsl"

/* The current interval and a copy of its offsets. */
uvec2 pgs_at_interval = uvec2(0u);
shared uint pgs_at_offset_B[PGS_MAX_XFB_BUFFERS];

void pgs_go_to_interval(const uvec2 address)
{
    if (pgs_at_interval == address)
        return;
    pgs_interval_ref ref = pgs_interval_ref(address);
    pgs_at_interval = address;
    pgs_at_offset_B = ref.interval.offset_B;
}

void pgs_store_offsets()
{
    pgs_interval_ref ref = pgs_interval_ref(pgs_at_interval);
    ref.interval.offset_B = pgs_at_offset_B;
}

void begin_interval(const uint i)
{
    pgs_at_interval = pgs_op_interval[i];
    uvec4 offset_B = pgs_op_offsets_B[i];
    if (i >= pgs_first_end)
        offset_B = pgs_read_counters(pgs_interval_ref(pgs_at_interval).interval.load);
    for (uint index = 0u; index < PGS_MAX_XFB_BUFFERS; index++)
        pgs_at_offset_B[index] = offset_B[index];
    pgs_store_offsets();
}

/* An End without a Begin has no interval and writes no counters. */
void end_interval(const uint i)
{
    if (pgs_op_interval[i] == uvec2(0u))
        return;
    pgs_go_to_interval(pgs_op_interval[i]);
    [[dont_unroll]] for (uint index = 0u; index < PGS_MAX_XFB_BUFFERS; index++) {
        const uvec2 counter = pgs_op_addresses[i][index];
        if (counter != uvec2(0u))
            pgs_write(counter, pgs_at_offset_B[index]);
    }
}

/* Executes operations start .. end - 1, none of which is a draw, in order. */
void pgs_run_serially(const uint start, const uint end)
{
    for (uint i = start; i < end; i++) {
        if (pgs_op_kind[i] == PGS_XFB_OP_BEGIN)
            begin_interval(i);
        else if (pgs_op_kind[i] == PGS_XFB_OP_END)
            end_interval(i);
        else
            pgs_write_at(pgs_op_queries[i], PGS_QUERY_AVAILABLE_W, 1u);
    }
}

#endif
