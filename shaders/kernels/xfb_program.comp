/* SPDX-License-Identifier: MIT
 *
 * Runs the transform feedback program of a batch: finds space for captured primitives, advances the
 * intervals, adds to queries.
 *
 * A round loads PGS_XFB_GROUP_EL operations. Adjacent draws with the same interval and queries form a
 * run that is processed in parallel; runs are processed in order. An invocation handles an operation,
 * one buffer or stream of several, or one value of the queries, so that what four buffers need is
 * code for one.
 *
 * A small program spends its time on dependent loads. Therefore all invocations first load, at the
 * same time, whatever the operations need and no earlier operation can change.
 *
 * One workgroup. Root: pgs_xfb_program. Dispatched by pgs_compute_record beside the first step at
 * which all counts are known.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/xfb.h"
layout(local_size_x = PGS_XFB_GROUP_EL) in;

#include "xfb/operations.glsl"
#include "xfb/intervals.glsl"
#include "xfb/space.glsl"
#include "xfb/runs.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_program_ref
{
    pgs_xfb_program program;
};

/* Loads the operations first .. first + count - 1. Called by the whole workgroup. */
void load_round(const uvec2 ops, const uint first, const uint count)
{
    const uint local = PGS_LOCAL_ID;
    if (local < count)
        pgs_load_op(ops, first + local);
    barrier();
    for (uint n = local; n < count * PGS_MAX_XFB_BUFFERS; n += PGS_XFB_GROUP_EL)
        pgs_load_buffer(n / PGS_MAX_XFB_BUFFERS, n % PGS_MAX_XFB_BUFFERS);
    barrier();
    for (uint n = local; n < count * PGS_MAX_XFB_BUFFERS; n += PGS_XFB_GROUP_EL)
        pgs_compare(n / PGS_MAX_XFB_BUFFERS, n % PGS_MAX_XFB_BUFFERS);
    barrier();
}

void main()
{
    const uint local = PGS_LOCAL_ID;
    pgs_program_ref ref = pgs_program_ref(pgs_root_address());
    const uint op_count = ref.program.op_count;
    const uvec2 ops = ref.program.ops;

    if (local == 0u)
        pgs_first_end = PGS_XFB_GROUP_EL;
    barrier();
    for (uint first = 0u; first < op_count; first += PGS_XFB_GROUP_EL) {
        const uint count = min(op_count - first, PGS_XFB_GROUP_EL);
        load_round(ops, first, count);
        for (uint start = 0u; start < count;) {
            const uint end = pgs_run_end(start, count);
            if (pgs_op_kind[start] == PGS_XFB_OP_DRAW)
                pgs_run_draws(start, end);
            else if (local < PGS_MAX_XFB_BUFFERS)
                pgs_run_operation(start);
            /* Queries may be in several sets, and another invocation may load the counter that this
             * one stored. */
            groupMemoryBarrier();
            barrier();
            start = end;
        }
        if (local == 0u && pgs_first_end < PGS_XFB_GROUP_EL)
            pgs_first_end = 0u;
        barrier(); /* before the next round overwrites the operations */
    }
}
