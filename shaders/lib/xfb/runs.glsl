/* SPDX-License-Identifier: MIT
 *
 * Kernel xfb_program: a run of draws. Sums their primitives, gives each draw its part of the
 * buffers, and adds the sums to the queries.
 */
#ifndef PGS_XFB_RUNS_GLSL
#define PGS_XFB_RUNS_GLSL

#include "xfb/counts.glsl"
#include "xfb/intervals.glsl"
#include "xfb/operations.glsl"
#include "xfb/space.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_query_set_ref
{
    pgs_query_set queries;
};

/* Advances the interval by what the run captures, and adds to the queries. Called by the first
 * invocation. */
void finish_run(const uint start)
{
    const bool captures = pgs_op_interval[start] != uvec2(0u);
    const bool counts = pgs_op_queries[start] != uvec2(0u);
    pgs_query_set_ref set = pgs_query_set_ref(pgs_op_queries[start]);
    const uint shape = pgs_op_shape[start];
    [[dont_unroll]] for (uint index = 0u; captures && index < PGS_MAX_XFB_BUFFERS; index++) {
        const uint stream = pgs_shape_stream(shape, index);
        if (pgs_space_start[index] != uvec2(0u))
            pgs_at_offset_B[index] += min(pgs_wide_saturated(pgs_sum_of(stream)), pgs_space_el[stream]) *
                                      pgs_op_strides_B[start][index] * pgs_shape_vertices_per_primitive(shape);
    }
    if (captures)
        pgs_store_offsets();
    if (!counts)
        return;
    [[dont_unroll]] for (uint stream = 0u; stream < PGS_MAX_STREAMS; stream++) {
        const uvec2 needed = pgs_sum_of(stream);
        uvec2 written = needed;
        if (pgs_space_el[stream] != PGS_SPACE_UNLIMITED)
            written = uvec2(min(pgs_wide_saturated(needed), pgs_space_el[stream]), 0u);
        pgs_wide_add_to_memory(set.queries.generated[stream], needed);
        const uvec2 xfb = captures ? set.queries.xfb[stream] : uvec2(0u);
        if (xfb == uvec2(0u))
            continue;
        pgs_wide_add_to_memory(xfb, written);
        pgs_wide_add_to_memory(pgs_add(xfb, 8u), needed);
    }
    const uvec2 statistics = set.queries.statistics;
    if (statistics == uvec2(0u))
        return;
    [[dont_unroll]] for (uint i = 0u; i < PGS_STATISTIC_COUNT; i++)
        pgs_wide_add_to_memory(pgs_add(statistics, i * 8u), pgs_sum_of(PGS_SUM_STATISTICS + i));
}

/* Processes the draws start .. end - 1 in parallel. counts: of this invocation's draw. Called by
 * the whole workgroup. */
void pgs_run_draws(const uint start, const uint end, const pgs_draw_counts counts)
{
    const uint local = gl_LocalInvocationIndex;
    const bool in_run = local >= start && local < end;
    if (local < PGS_SUM_COUNT) {
        [[dont_unroll]] for (uint third = 0u; third < 3u; third++)
            pgs_sums[local][third] = 0u;
    }
    if (local == 0u)
        pgs_find_space(start);
    barrier();
    if (in_run) {
        pgs_sum_draw(counts, pgs_op_queries[start] != uvec2(0u));
        if (!counts.is_fixed)
            pgs_clear_targets();
    }
    [[dont_unroll]] for (uint stream = 0u; stream < PGS_MAX_STREAMS; stream++)
        pgs_place_stream(stream, start, end - start == 1u, in_run, counts.is_fixed,
                         pgs_wide_saturated(pgs_primitives_of(counts, stream)));
    barrier();
    if (local == 0u)
        finish_run(start);
    barrier(); /* before the next run overwrites sums and space */
}

#endif
