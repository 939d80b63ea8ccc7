/* SPDX-License-Identifier: MIT
 *
 * Kernels xfb_program and xfb_steps: primitives and invocations of each draw of a round.
 */
#ifndef PGS_XFB_COUNTS_GLSL
#define PGS_XFB_COUNTS_GLSL

#include "record.glsl"
#include "tessellation.glsl"
#include "xfb/wide.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) buffer pgs_some_capture_ref
{
    pgs_capture capture;
};

/* Operations of a round. Only xfb_program takes several at once. */
#ifndef PGS_XFB_ROUND_EL
#define PGS_XFB_ROUND_EL PGS_XFB_GROUP_EL
#endif

/* What is counted of a draw. First the primitives that the last stage outputs to each stream, then
 * the statistics. */
#define PGS_COUNT_STATISTICS PGS_MAX_STREAMS
#define PGS_COUNT_VERTICES 4u
#define PGS_COUNT_PRIMITIVES 5u
#define PGS_COUNT_VERTEX_SHADER 6u
#define PGS_COUNT_GEOMETRY_SHADER 7u
#define PGS_COUNT_GEOMETRY_PRIMITIVES 8u
#define PGS_COUNT_CONTROL_PATCHES 9u
#define PGS_COUNT_EVALUATION 10u
#define PGS_COUNT_CLIPPING 11u
#define PGS_COUNT_COUNT 12u
/* PGS_STATISTIC_* of a statistic: there they have gaps. */
#define PGS_COUNT_STATISTIC(which)                                                                                     \
    ((which) - (which < PGS_COUNT_CONTROL_PATCHES ? PGS_COUNT_VERTICES - PGS_STATISTIC_VERTICES                       \
                                                   : PGS_COUNT_CONTROL_PATCHES - PGS_STATISTIC_CONTROL_PATCHES))

/* Element operation * PGS_COUNT_COUNT + PGS_COUNT_*. */
shared uvec2 pgs_op_counts[PGS_XFB_ROUND_EL * PGS_COUNT_COUNT];
/* Primitives or GS invocations from which those of the streams follow, and what else they follow
 * from: PGS_CAPTURE_* and PGS_COUNTED_*. */
shared uvec2 pgs_op_counted[PGS_XFB_ROUND_EL];
shared uint pgs_op_flags[PGS_XFB_ROUND_EL];
#define PGS_COUNTED_RASTER_SHIFT 8     /* the rasterized stream is in the bits from here on */
#define PGS_COUNTED_EMPTY 0x40000000u  /* the record has no GS invocations */
#define PGS_COUNTED_CHUNKS 0x80000000u /* it was counted in chunks */

/* Offset from a counter, or 0 if there is none. */
uint pgs_read_counter(const uvec2 counter)
{
    const uint value = pgs_read_readable(counter);
    return counter != uvec2(0u) ? value : 0u;
}

bool pgs_has_geometry(const uint flags)
{
    return (flags & (PGS_CAPTURE_GEOMETRY | PGS_CAPTURE_KNOWN)) != 0u && (flags & PGS_CAPTURE_PASS_THROUGH) == 0u;
}

/* Counts the draw of this invocation, except for what its streams count. Input assembly counts all
 * vertices, including those of incomplete primitives, but no restart indices. */
void pgs_count_draw(const uvec2 address)
{
    const uint first = PGS_LOCAL_ID * PGS_COUNT_COUNT;
    pgs_some_capture_ref captured = pgs_some_capture_ref(address);
    pgs_draw_ref record = pgs_draw_ref(captured.capture.draw);
    const uint draw_flags = record.draw.flags;
    const uint instances = record.draw.instance_count;
    uint flags = captured.capture.flags | (record.draw.raster_stream & 3u) << PGS_COUNTED_RASTER_SHIFT;
    uint in_instance = record.draw.primitive_count;
    uint vertices = record.draw.vertex_count;
    if ((draw_flags & PGS_DRAW_RESTART) != 0u) {
        const uvec2 restart_count = pgs_readable(record.draw.restart_count, record.draw.restart_count);
        in_instance = min(in_instance, pgs_read_near(restart_count, 0u));
        vertices -= pgs_read_near(restart_count, 1u);
    }
    const uvec2 of_assembly = pgs_wide_product(in_instance, instances);
    uvec2 primitives = of_assembly;
    uvec2 patches = uvec2(0u);
    uint evaluations = 0u;
    if ((draw_flags & PGS_DRAW_TESSELLATED) != 0u) {
        pgs_tessellation_ref made = pgs_tessellation_ref(record.draw.tessellation);
        patches = primitives;
        evaluations = made.tessellation.vertex_count;
        primitives = uvec2(made.tessellation.primitive_count, 0u);
    }
    const uvec2 gs_invocations = pgs_wide_times(primitives, record.draw.invocations);
    if (record.draw.gs_invocation_bound == 0u) {
        flags |= PGS_COUNTED_EMPTY;
        if (captured.capture.chunks != uvec2(0u) && of_assembly != uvec2(0u))
            flags |= PGS_COUNTED_CHUNKS;
    }
    pgs_op_flags[PGS_LOCAL_ID] = flags;
    pgs_op_counted[PGS_LOCAL_ID] = (flags & PGS_CAPTURE_KNOWN) != 0u ? gs_invocations : primitives;
    const uint factor = (flags & PGS_CAPTURE_STATISTICS) != 0u ? 1u : 0u;
    const uint of_round = (draw_flags & PGS_DRAW_TESSELLATED) != 0u ? 1u : factor; /* each has its own primitives */
    const uvec2 assembled = pgs_wide_product(vertices, instances) * factor;
    pgs_op_counts[first + PGS_COUNT_VERTICES] = assembled;
    pgs_op_counts[first + PGS_COUNT_PRIMITIVES] = of_assembly * factor;
    pgs_op_counts[first + PGS_COUNT_VERTEX_SHADER] = assembled;
    pgs_op_counts[first + PGS_COUNT_GEOMETRY_SHADER] = pgs_has_geometry(flags) ? gs_invocations * of_round : uvec2(0u);
    pgs_op_counts[first + PGS_COUNT_CONTROL_PATCHES] = patches * factor;
    pgs_op_counts[first + PGS_COUNT_EVALUATION] = uvec2(evaluations, 0u);
}

/* Primitives of a stream of a draw that was counted in chunks. Tells each chunk what is in front of it. */
uvec2 count_chunks(pgs_some_capture_ref captured, const uint stream)
{
    const uint stream_count = min(pgs_draw_ref(captured.capture.draw).draw.stream_count, PGS_MAX_STREAMS);
    uvec2 place = pgs_add(captured.capture.chunks, stream * 8u);
    uvec2 sum = uvec2(0u);
    for (uint i = 0u; i < (stream < stream_count ? PGS_CHUNKS : 0u); i++) {
        pgs_write_near(place, 1u, pgs_wide_saturated(sum));
        sum = pgs_wide_plus(sum, uvec2(pgs_read_near(place, 0u), 0u));
        place = pgs_add(place, stream_count * 8u);
    }
    return sum;
}

/* Counts a stream of operation i, a draw, after pgs_count_draw. */
void pgs_count_stream(pgs_some_capture_ref captured, const uint i, const uint stream)
{
    const uint flags = pgs_op_flags[i];
    uvec2 primitives = stream == 0u ? pgs_op_counted[i] : uvec2(0u);
    if ((flags & PGS_CAPTURE_KNOWN) != 0u)
        primitives = pgs_wide_times(pgs_op_counted[i], captured.capture.per_gs_invocation[stream]);
    if ((flags & PGS_CAPTURE_GEOMETRY) != 0u) {
        primitives = uvec2(0u);
        if ((flags & PGS_COUNTED_CHUNKS) != 0u)
            primitives = count_chunks(captured, stream);
        else if ((flags & PGS_COUNTED_EMPTY) == 0u) /* else there are no tiles, so the totals were not written */
            primitives.x = captured.capture.total[stream];
    }
    pgs_op_counts[i * PGS_COUNT_COUNT + stream] = primitives;
}

/* Counts what the geometry shader of operation i, a draw, emits, and what is clipped, after
 * pgs_count_stream. */
void pgs_count_geometry_primitives(const uint i)
{
    const uint first = i * PGS_COUNT_COUNT;
    uvec2 sum = uvec2(0u);
    for (uint stream = 0u; stream < PGS_MAX_STREAMS; stream++)
        sum = pgs_wide_plus(sum, pgs_op_counts[first + stream]);
    const uint rasterized = pgs_op_flags[i] >> PGS_COUNTED_RASTER_SHIFT & (PGS_MAX_STREAMS - 1u);
    pgs_op_counts[first + PGS_COUNT_CLIPPING] = pgs_op_counts[first + rasterized];
    pgs_op_counts[first + PGS_COUNT_GEOMETRY_PRIMITIVES] = pgs_has_geometry(pgs_op_flags[i]) ? sum : uvec2(0u);
}

#endif
