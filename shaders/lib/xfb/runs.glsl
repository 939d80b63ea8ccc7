/* SPDX-License-Identifier: MIT
 *
 * Kernel xfb_program: a run of draws. Sums what they count, gives each draw its part of the buffers,
 * and adds the sums to the queries.
 */
#ifndef PGS_XFB_RUNS_GLSL
#define PGS_XFB_RUNS_GLSL

#include "xfb/space.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_query_set_ref
{
    pgs_query_set queries;
};

/* Sums over the run: PGS_COUNT_*. Then for each stream the primitives that fit. */
#define SUM_WRITTEN PGS_COUNT_COUNT
shared uvec2 pgs_sums[PGS_COUNT_COUNT + PGS_MAX_STREAMS];

/* Sums the column `which` of the counts over the draws start .. end - 1. The counts of streams are
 * replaced by places: first primitive, and how many. */
void sum_column(const uint which, const uint start, const uint end)
{
    const bool is_stream = which < PGS_MAX_STREAMS;
    const uint limit_el = is_stream ? pgs_space_el[which] : 0u;
    uvec2 sum = uvec2(0u);
    uint placed_el = 0u;
    for (uint i = start; i < end; i++) {
        const uint at = i * PGS_COUNT_COUNT + which;
        const uvec2 count = pgs_op_counts[at];
        const uint taken_el = min(pgs_wide_saturated(count), limit_el - placed_el);
        sum = pgs_wide_plus(sum, count);
        if (is_stream)
            pgs_op_counts[at] = uvec2(placed_el, taken_el);
        placed_el += taken_el;
    }
    pgs_sums[which] = sum;
    if (is_stream)
        pgs_sums[SUM_WRITTEN + which] = limit_el != PGS_SPACE_UNLIMITED ? uvec2(placed_el, 0u) : sum;
}

/* Adds the sums of the run that begins at `start` to its queries. Invocation n adds to the n-th
 * value: generated primitives of each stream, statistics, primitives written and needed of each
 * stream. */
#define VALUES_WRITTEN PGS_COUNT_COUNT
#define VALUES_NEEDED (VALUES_WRITTEN + PGS_MAX_STREAMS)
#define VALUES_COUNT (VALUES_NEEDED + PGS_MAX_STREAMS)

void count_run(const uint start)
{
    const uint value = PGS_LOCAL_ID;
    pgs_query_set_ref set = pgs_query_set_ref(pgs_op_queries[start]);
    const uint stream = (value - VALUES_WRITTEN) & 3u;
    uvec2 address = uvec2(0u);
    uint offset_B = value < VALUES_NEEDED ? 0u : 8u;
    if (pgs_op_queries[start] == uvec2(0u)) {
    } else if (value < PGS_MAX_STREAMS) {
        address = set.queries.generated[value];
    } else if (value < VALUES_WRITTEN) {
        address = set.queries.statistics;
        offset_B = PGS_COUNT_STATISTIC(value) * 8u;
    } else if (value < VALUES_COUNT && pgs_op_interval[start] != uvec2(0u)) {
        address = set.queries.xfb[stream];
    }
    if (address != uvec2(0u))
        pgs_wide_add_to_memory(pgs_add(address, offset_B), pgs_sums[value < VALUES_NEEDED ? value : stream]);
}

/* Processes the draws start .. end - 1 in parallel. Called by the whole workgroup. */
void pgs_run_draws(const uint start, const uint end)
{
    const uint local = PGS_LOCAL_ID;
    if (local < PGS_MAX_STREAMS)
        pgs_space_el[local] = PGS_SPACE_UNLIMITED;
    barrier();
    if (local < PGS_MAX_XFB_BUFFERS)
        pgs_find_space(start);
    barrier();
    if (local < PGS_COUNT_COUNT)
        sum_column(local, start, end);
    barrier();
    for (uint n = start * PGS_MAX_XFB_BUFFERS + local; n < end * PGS_MAX_XFB_BUFFERS; n += PGS_XFB_GROUP_EL)
        pgs_place_draw(n / PGS_MAX_XFB_BUFFERS, n % PGS_MAX_XFB_BUFFERS);
    count_run(start);
    if (local < PGS_MAX_XFB_BUFFERS)
        pgs_advance(start, end);
}

#endif
