/* SPDX-License-Identifier: MIT
 *
 * Runs the transform feedback program of a batch: finds space for captured primitives, advances the
 * intervals, adds to queries.
 *
 * A round loads PGS_SCAN_EL operations, one per invocation. Adjacent draws with the same interval
 * and queries form a run that is processed in parallel; runs are processed in order. Only the first
 * invocation reads and writes intervals, counters and queries, so they need no memory barriers.
 *
 * A small program spends its time on dependent loads. Therefore all invocations first load, at the
 * same time, whatever their operations need and no earlier operation can change.
 *
 * One workgroup. Root: pgs_xfb_program. Dispatched by pgs_compute_record beside the first step at
 * which all counts are known.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "poly_gs/xfb.h"
/* Small, as each run of draws costs all invocations, and CPUs run only a few at a time. */
#define PGS_SCAN_EL PGS_XFB_GROUP_EL
layout(local_size_x = PGS_SCAN_EL) in;

#include "xfb/operations.glsl"
#include "xfb/intervals.glsl"
#include "xfb/space.glsl"
#include "xfb/runs.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_program_ref
{
    pgs_xfb_program program;
};

void main()
{
    const uint local = gl_LocalInvocationIndex;
    pgs_program_ref ref = pgs_program_ref(pgs_root_address());
    const uint op_count = ref.program.op_count;
    const uvec2 ops = ref.program.ops;

    if (local == 0u)
        pgs_first_end = PGS_SCAN_EL;
    barrier();
    for (uint first = 0u; first < op_count; first += PGS_SCAN_EL) {
        const uint count = min(op_count - first, PGS_SCAN_EL);
        const pgs_draw_counts counts = pgs_load_op(ops, first + local, op_count);
        barrier();
        pgs_mark_runs(count);
        barrier();
        for (uint start = 0u; start < count;) {
            const uint end = pgs_run_end(start, count);
            if (pgs_op_kind[start] == PGS_XFB_OP_DRAW)
                pgs_run_draws(start, end, counts);
            else if (local == 0u)
                pgs_run_serially(start, end);
            start = end;
        }
        if (local == 0u && pgs_first_end < PGS_SCAN_EL)
            pgs_first_end = 0u;
        barrier(); /* before the next round overwrites the operations */
    }
}
