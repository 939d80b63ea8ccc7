/* SPDX-License-Identifier: MIT
 *
 * Kernel xfb_program: primitives and invocations of a draw, and their sums over the draws of a run.
 */
#ifndef PGS_XFB_COUNTS_GLSL
#define PGS_XFB_COUNTS_GLSL

#include "record.glsl"
#include "tessellation.glsl"
#include "xfb/wide.glsl"

/* Counts of one draw. Without has_statistics only primitives are counted. */
struct pgs_draw_counts {
    uvec2 stream0;       /* primitives that the last stage outputs to each stream */
    uvec2 stream1;
    uvec2 stream2;
    uvec2 stream3;
    bool has_geometry;   /* the application has a geometry shader */
    bool has_statistics; /* input assembly and shader invocations are counted, too */
    uvec2 vertices;      /* of input assembly */
    uvec2 primitives;    /* of input assembly */
    uvec2 invocations;   /* of the geometry shader */
    uvec2 patches;
    uint evaluations;    /* invocations of the evaluation shader */
    bool is_fixed;       /* the CPU knows where the draw captures */
};

uvec2 pgs_primitives_of(const pgs_draw_counts counts, const uint stream)
{
    switch (stream) {
    case 0u:
        return counts.stream0;
    case 1u:
        return counts.stream1;
    case 2u:
        return counts.stream2;
    }
    return counts.stream3;
}

/* Primitives of a draw that was counted in chunks. */
void add_chunks(inout pgs_draw_counts counts, const uvec2 chunks, const uint stream_count)
{
    uvec2 of_stream[PGS_MAX_STREAMS] = {uvec2(0u), uvec2(0u), uvec2(0u), uvec2(0u)};
    for (uint i = 0u; i < PGS_CHUNKS * stream_count; i++) {
        const uvec2 sum = pgs_mul_add(chunks, i, 8u);
        of_stream[i % stream_count] =
            pgs_wide_plus(of_stream[i % stream_count], uvec2(pgs_read(sum), pgs_read(pgs_add(sum, 4u))));
    }
    counts.stream0 = of_stream[0];
    counts.stream1 = of_stream[1];
    counts.stream2 = of_stream[2];
    counts.stream3 = of_stream[3];
}

/* Counts a draw. Input assembly counts all vertices, including those of incomplete primitives, but
 * no restart indices. */
pgs_draw_counts pgs_count_draw(const pgs_capture capture)
{
    pgs_draw_ref record = pgs_draw_ref(capture.draw);
    const uint draw_flags = record.draw.flags;
    const uint instances = record.draw.instance_count;
    const uint invocations = record.draw.invocations;
    const bool empty = record.draw.gs_invocation_bound == 0u;
    uint in_instance = record.draw.primitive_count;
    uint vertices = record.draw.vertex_count;
    if ((draw_flags & PGS_DRAW_RESTART) != 0u) {
        const uvec2 restart_count = record.draw.restart_count;
        in_instance = min(in_instance, pgs_read_at(restart_count, 0u));
        vertices -= pgs_read_at(restart_count, 1u);
    }

    pgs_draw_counts counts;
    const bool is_geometry = (capture.flags & PGS_CAPTURE_GEOMETRY) != 0u;
    const bool is_known = (capture.flags & PGS_CAPTURE_KNOWN) != 0u;
    counts.has_geometry = (is_geometry || is_known) && (capture.flags & PGS_CAPTURE_PASS_THROUGH) == 0u;
    counts.has_statistics = (capture.flags & PGS_CAPTURE_STATISTICS) != 0u;
    counts.is_fixed = (capture.flags & PGS_CAPTURE_FIXED) != 0u;
    counts.vertices = pgs_wide_product(vertices, instances);
    counts.primitives = pgs_wide_product(in_instance, instances);
    counts.stream0 = counts.primitives;
    counts.patches = uvec2(0u);
    counts.evaluations = 0u;
    if ((draw_flags & PGS_DRAW_TESSELLATED) != 0u) {
        pgs_tessellation_ref made = pgs_tessellation_ref(record.draw.tessellation);
        counts.patches = counts.primitives;
        counts.evaluations = made.tessellation.vertex_count;
        counts.stream0 = uvec2(made.tessellation.primitive_count, 0u);
    }
    counts.invocations = counts.has_geometry ? pgs_wide_times(counts.stream0, invocations) : uvec2(0u);
    counts.stream1 = uvec2(0u);
    counts.stream2 = uvec2(0u);
    counts.stream3 = uvec2(0u);
    if (is_known) {
        const uvec2 gs_invocations = pgs_wide_times(counts.stream0, invocations);
        counts.stream0 = pgs_wide_times(gs_invocations, capture.per_gs_invocation[0]);
        counts.stream1 = pgs_wide_times(gs_invocations, capture.per_gs_invocation[1]);
        counts.stream2 = pgs_wide_times(gs_invocations, capture.per_gs_invocation[2]);
        counts.stream3 = pgs_wide_times(gs_invocations, capture.per_gs_invocation[3]);
    }
    if (!is_geometry)
        return counts;
    if (empty && capture.chunks != uvec2(0u) && counts.primitives != uvec2(0u)) {
        add_chunks(counts, capture.chunks, min(record.draw.stream_count, PGS_MAX_STREAMS));
        return counts;
    }
    /* A draw without GS invocations has no tiles, so its totals were not written. */
    counts.stream0 = uvec2(empty ? 0u : capture.total[0], 0u);
    counts.stream1 = uvec2(empty ? 0u : capture.total[1], 0u);
    counts.stream2 = uvec2(empty ? 0u : capture.total[2], 0u);
    counts.stream3 = uvec2(empty ? 0u : capture.total[3], 0u);
    return counts;
}

/* Sums over the draws of a run. 0 .. PGS_MAX_STREAMS - 1: primitives of each stream; from
 * PGS_SUM_STATISTICS on: PGS_STATISTIC_*, some of which stay 0. */
#define PGS_SUM_STATISTICS PGS_MAX_STREAMS
#define PGS_SUM_COUNT (PGS_MAX_STREAMS + PGS_STATISTIC_COUNT)

/* Each sum is split into 16, 16 and 32 bits, so that atomics need no carry. A run has far fewer
 * than 2^16 draws. */
shared uint pgs_sums[PGS_SUM_COUNT][3];

/* Called by all invocations with a draw of the run. */
void sum_add(const uint which, const uvec2 value)
{
    if (value == uvec2(0u))
        return;
    atomicAdd(pgs_sums[which][0], value.x & 0xFFFFu);
    atomicAdd(pgs_sums[which][1], value.x >> 16);
    if (value.y != 0u)
        atomicAdd(pgs_sums[which][2], value.y);
}

/* Call after a barrier. */
uvec2 pgs_sum_of(const uint which)
{
    const uint middle = pgs_sums[which][1];
    return pgs_wide_plus(uvec2(pgs_sums[which][0], 0u), uvec2(middle << 16, (middle >> 16) + pgs_sums[which][2]));
}

void pgs_sum_draw(const pgs_draw_counts counts, const bool wants_statistics)
{
    [[dont_unroll]] for (uint stream = 0u; stream < PGS_MAX_STREAMS; stream++)
        sum_add(stream, pgs_primitives_of(counts, stream));
    if (!wants_statistics)
        return;
    if (counts.has_geometry) {
        [[dont_unroll]] for (uint stream = 0u; stream < PGS_MAX_STREAMS; stream++)
            sum_add(PGS_SUM_STATISTICS + PGS_STATISTIC_GEOMETRY_PRIMITIVES, pgs_primitives_of(counts, stream));
    }
    if (!counts.has_statistics)
        return;
    sum_add(PGS_SUM_STATISTICS + PGS_STATISTIC_VERTICES, counts.vertices);
    sum_add(PGS_SUM_STATISTICS + PGS_STATISTIC_PRIMITIVES, counts.primitives);
    sum_add(PGS_SUM_STATISTICS + PGS_STATISTIC_VERTEX_SHADER, counts.vertices);
    sum_add(PGS_SUM_STATISTICS + PGS_STATISTIC_GEOMETRY_SHADER, counts.invocations);
    sum_add(PGS_SUM_STATISTICS + PGS_STATISTIC_CONTROL_PATCHES, counts.patches);
    sum_add(PGS_SUM_STATISTICS + PGS_STATISTIC_EVALUATION, uvec2(counts.evaluations, 0u));
}

#endif
