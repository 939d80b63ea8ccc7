/* SPDX-License-Identifier: MIT
 *
 * Runs the feedback program of a batch: finds room for what is captured, advances the intervals, counts for queries.
 * One workgroup. It takes PGS_SCAN_EL operations at a time; draws that follow one another in the same interval, for the
 * same queries and with vertices of the same size are a run and go in parallel. What lasts from one run to the next
 * (intervals, counters, queries) only the first invocation reads and writes, so it needs no fences.
 *
 * For a small program the time is that of loads which wait for one another. So each invocation fetches, beforehand and
 * together, what its operation will need and no operation before it can change.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "poly_gs/feedback.h"
/* A small group: each run of a program costs all its invocations, and CPUs have only a few at a time. */
#define PGS_SCAN_EL PGS_FEEDBACK_GROUP_EL
layout(local_size_x = PGS_SCAN_EL) in;

#include "record.glsl"
#include "scan.glsl"
#include "tessellation.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_program_ref
{
    pgs_feedback_program program;
};

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_op_ref
{
    pgs_feedback_op op;
};

layout(buffer_reference, std430, buffer_reference_align = 8) buffer pgs_some_capture_ref
{
    pgs_capture capture;
};

layout(buffer_reference, std430, buffer_reference_align = 8) buffer pgs_interval_ref
{
    pgs_feedback_interval interval;
};

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_end_ref
{
    pgs_feedback_end end;
};

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_query_set_ref
{
    pgs_query_set queries;
};

/* ---- Unsigned 64-bit numbers in two words, low word first. ---- */

uvec2 product(const uint a, const uint b)
{
    uint high, low;
    umulExtended(a, b, high, low);
    return uvec2(low, high);
}

uvec2 times(const uvec2 a, const uint b)
{
    const uvec2 low = product(a.x, b);
    return uvec2(low.x, low.y + a.y * b);
}

uvec2 plus(const uvec2 a, const uvec2 b)
{
    const uint low = a.x + b.x;
    return uvec2(low, a.y + b.y + (low < b.x ? 1u : 0u));
}

uint saturated(const uvec2 a)
{
    return a.y != 0u ? 0xFFFFFFFFu : a.x;
}

void add_to_memory(const uvec2 address, const uvec2 value)
{
    if (address == uvec2(0u) || value == uvec2(0u))
        return;
    const uvec2 high = pgs_add(address, 4u);
    const uvec2 sum = plus(uvec2(pgs_read(address), pgs_read(high)), value);
    pgs_write(address, sum.x);
    pgs_write(high, sum.y);
}

/* ---- Sums over the draws of a run. ---- */

/* 0 .. PGS_MAX_STREAMS - 1: primitives of each stream; then PGS_STATISTIC_*, of which some stay 0. */
#define SUM_STATISTICS PGS_MAX_STREAMS
#define SUM_COUNT (PGS_MAX_STREAMS + PGS_STATISTIC_COUNT)

/* In thirds, so that atomics do without carry: 16, 16 and 32 bits; 2^16 summands are not reached. */
shared uint sums[SUM_COUNT][3];

void sum_add(const uint which, const uvec2 value)
{
    if (value == uvec2(0u))
        return;
    atomicAdd(sums[which][0], value.x & 0xFFFFu);
    atomicAdd(sums[which][1], value.x >> 16);
    if (value.y != 0u)
        atomicAdd(sums[which][2], value.y);
}

uvec2 sum_of(const uint which)
{
    const uint middle = sums[which][1];
    return plus(uvec2(sums[which][0], 0u), uvec2(middle << 16, (middle >> 16) + sums[which][2]));
}

/* ---- The operations that are in work, one for each invocation. ---- */

shared uint op_kind[PGS_SCAN_EL];
shared uvec2 op_interval[PGS_SCAN_EL];
shared uvec2 op_capture[PGS_SCAN_EL];
shared uvec2 op_queries[PGS_SCAN_EL];
shared uvec4 op_strides_B[PGS_SCAN_EL];
shared uint op_shape[PGS_SCAN_EL];          /* corners and the streams of buffers */
shared uint op_starts[PGS_SCAN_EL / 32];    /* bit n: operation n begins a run */
/* Of the interval: where each buffer begins, and its size. END has instead where its counters go. */
shared uvec2 op_addresses[PGS_SCAN_EL][PGS_MAX_FEEDBACK_BUFFERS];
shared uvec4 op_sizes_B[PGS_SCAN_EL];
/* BEGIN: what the interval starts with, as long as no END before it can have written that. */
shared uvec4 op_offsets_B[PGS_SCAN_EL];
shared uint first_end; /* the first operation that is an END; 0 also: one was among earlier operations */

/* The interval that the first invocation was at last, and its offsets, which are also in memory. */
uvec2 at_interval = uvec2(0u);
shared uint at_offset_B[PGS_MAX_FEEDBACK_BUFFERS];

/* What a draw has of primitives and, where they are counted, of everything else. */
struct draw_counts {
    uvec2 stream0; /* primitives */
    uvec2 stream1;
    uvec2 stream2;
    uvec2 stream3;
    bool has_geometry; /* a geometry shader of the application */
    bool has_statistics;
    uvec2 vertices;
    uvec2 primitives;
    uvec2 invocations;
    uvec2 patches;
    uint evaluations;
    bool is_fixed; /* the CPU knows where it captures */
};

uvec2 primitives_of(const draw_counts counts, const uint stream)
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

/* The sums of a draw that went in chunks. */
void add_chunks(inout draw_counts counts, const uvec2 chunks, const uint stream_count)
{
    uvec2 sums[PGS_MAX_STREAMS] = {uvec2(0u), uvec2(0u), uvec2(0u), uvec2(0u)};
    for (uint i = 0u; i < PGS_CHUNKS * stream_count; i++) {
        const uvec2 sum = pgs_mul_add(chunks, i, 8u);
        sums[i % stream_count] = plus(sums[i % stream_count], uvec2(pgs_read(sum), pgs_read(pgs_add(sum, 4u))));
    }
    counts.stream0 = sums[0];
    counts.stream1 = sums[1];
    counts.stream2 = sums[2];
    counts.stream3 = sums[3];
}

/* Input assembly vertices are the positions of the draw but for restart indices, those of incomplete primitives too. */
draw_counts count_draw(const pgs_capture capture)
{
    pgs_draw_ref record = pgs_draw_ref(capture.draw);
    const uint draw_flags = record.draw.flags;
    const uint instances = record.draw.instance_count;
    const uint invocations = record.draw.invocations;
    const bool empty = record.draw.unit_bound == 0u;
    uint in_instance = record.draw.primitive_count;
    uint vertices = record.draw.vertex_count;
    if ((draw_flags & PGS_DRAW_RESTART) != 0u) {
        const uvec2 restart_count = record.draw.restart_count;
        in_instance = min(in_instance, pgs_read_at(restart_count, 0u));
        vertices -= pgs_read_at(restart_count, 1u);
    }

    draw_counts counts;
    const bool is_geometry = (capture.flags & PGS_CAPTURE_GEOMETRY) != 0u;
    const bool is_known = (capture.flags & PGS_CAPTURE_KNOWN) != 0u;
    counts.has_geometry = (is_geometry || is_known) && (capture.flags & PGS_CAPTURE_PASS_THROUGH) == 0u;
    counts.has_statistics = (capture.flags & PGS_CAPTURE_STATISTICS) != 0u;
    counts.is_fixed = (capture.flags & PGS_CAPTURE_FIXED) != 0u;
    counts.vertices = product(vertices, instances);
    counts.primitives = product(in_instance, instances);
    counts.stream0 = counts.primitives;
    counts.patches = uvec2(0u);
    counts.evaluations = 0u;
    if ((draw_flags & PGS_DRAW_TESSELLATED) != 0u) {
        pgs_tessellation_ref made = pgs_tessellation_ref(record.draw.tessellation);
        counts.patches = counts.primitives;
        counts.evaluations = made.tessellation.vertex_count;
        counts.stream0 = uvec2(made.tessellation.primitive_count, 0u);
    }
    counts.invocations = counts.has_geometry ? times(counts.stream0, invocations) : uvec2(0u);
    counts.stream1 = uvec2(0u);
    counts.stream2 = uvec2(0u);
    counts.stream3 = uvec2(0u);
    if (is_known) {
        const uvec2 units = times(counts.stream0, invocations);
        counts.stream0 = times(units, capture.per_unit[0]);
        counts.stream1 = times(units, capture.per_unit[1]);
        counts.stream2 = times(units, capture.per_unit[2]);
        counts.stream3 = times(units, capture.per_unit[3]);
    }
    if (!is_geometry)
        return counts;
    if (empty && capture.chunks != uvec2(0u) && counts.primitives != uvec2(0u)) {
        add_chunks(counts, capture.chunks, min(record.draw.stream_count, PGS_MAX_STREAMS));
        return counts;
    }
    /* A draw without units has no tiles that could have been counted. */
    counts.stream0 = uvec2(empty ? 0u : capture.total[0], 0u);
    counts.stream1 = uvec2(empty ? 0u : capture.total[1], 0u);
    counts.stream2 = uvec2(empty ? 0u : capture.total[2], 0u);
    counts.stream3 = uvec2(empty ? 0u : capture.total[3], 0u);
    return counts;
}

/* ---- Room. ---- */

#define ROOM_UNLIMITED 0xFFFFFFFFu

shared uint room_el[PGS_MAX_STREAMS];              /* primitives */
shared uvec2 room_start[PGS_MAX_FEEDBACK_BUFFERS]; /* where the next vertex goes; 0: nowhere */

uint shape_corners(const uint shape)
{
    return shape & 3u;
}

uint shape_stream(const uint shape, const uint index)
{
    return shape >> (2u + 2u * index) & 3u;
}

/* Whole primitives that fit in a buffer. A counter that points beyond it or not at a word leaves none: the application
 * may have written it. */
uint buffer_room_el(const uvec2 base, const uint offset_B, const uint size_B, const uint primitive_B)
{
    if (offset_B >= size_B || ((offset_B | base.x) & 3u) != 0u)
        return 0u;
    return (size_B - offset_B) / primitive_B;
}

void go_to_interval(const uvec2 address)
{
    if (at_interval == address)
        return;
    pgs_interval_ref ref = pgs_interval_ref(address);
    at_interval = address;
    at_offset_B = ref.interval.offset_B;
}

void store_offsets()
{
    pgs_interval_ref ref = pgs_interval_ref(at_interval);
    ref.interval.offset_B = at_offset_B;
}

/* The first invocation, before a run whose first operation is `start`. */
void find_room(const uint start)
{
    [[dont_unroll]] for (uint stream = 0u; stream < PGS_MAX_STREAMS; stream++)
        room_el[stream] = ROOM_UNLIMITED;
    [[dont_unroll]] for (uint index = 0u; index < PGS_MAX_FEEDBACK_BUFFERS; index++)
        room_start[index] = uvec2(0u);
    if (op_interval[start] == uvec2(0u))
        return;
    go_to_interval(op_interval[start]);
    const uint shape = op_shape[start];
    [[dont_unroll]] for (uint index = 0u; index < PGS_MAX_FEEDBACK_BUFFERS; index++) {
        const uvec2 base = op_addresses[start][index];
        const uint primitive_B = op_strides_B[start][index] * shape_corners(shape);
        if (base == uvec2(0u) || primitive_B == 0u)
            continue;
        const uint stream = shape_stream(shape, index);
        const uint offset_B = at_offset_B[index];
        room_start[index] = pgs_add(base, offset_B);
        room_el[stream] = min(room_el[stream], buffer_room_el(base, offset_B, op_sizes_B[start][index], primitive_B));
    }
}

/* All invocations together; in_run: those with a draw of the run; is_fixed: it has its place, which somebody may be reading.
 * A stream that no buffer takes has nothing to copy. */
void place_stream(const uint stream, const uint start, const bool is_single, const bool in_run, const bool is_fixed,
                  const uint wanted)
{
    pgs_some_capture_ref ref = pgs_some_capture_ref(op_capture[gl_LocalInvocationIndex]);
    const uint limit = room_el[stream];
    if (limit == ROOM_UNLIMITED) {
        if (in_run && !is_fixed)
            ref.capture.written[stream] = 0u;
        return;
    }
    uint first = 0u;
    uint written = in_run ? min(wanted, limit) : 0u;
    if (!is_single) {
        const uint after = pgs_scan_limited(written, limit);
        first = gl_LocalInvocationIndex > 0u ? pgs_scan_sums[gl_LocalInvocationIndex - 1u] : 0u;
        written = after - first;
    }
    if (!in_run || is_fixed)
        return;
    ref.capture.written[stream] = written;
    const uint shape = op_shape[start];
    [[dont_unroll]] for (uint index = 0u; index < PGS_MAX_FEEDBACK_BUFFERS; index++) {
        const uvec2 begin = room_start[index];
        if (begin != uvec2(0u) && shape_stream(shape, index) == stream)
            ref.capture.target[index] = pgs_mul_add(begin, first, op_strides_B[start][index] * shape_corners(shape));
    }
}

void clear_targets()
{
    pgs_some_capture_ref ref = pgs_some_capture_ref(op_capture[gl_LocalInvocationIndex]);
    [[dont_unroll]] for (uint index = 0u; index < PGS_MAX_FEEDBACK_BUFFERS; index++) {
        if (room_start[index] == uvec2(0u))
            ref.capture.target[index] = uvec2(0u);
    }
}

/* ---- What the first invocation does. ---- */

/* After a run: the interval goes on behind what was written, queries have what was counted. */
void finish_run(const uint start)
{
    const bool captures = op_interval[start] != uvec2(0u);
    const bool counts = op_queries[start] != uvec2(0u);
    pgs_query_set_ref set = pgs_query_set_ref(op_queries[start]);
    const uint shape = op_shape[start];
    [[dont_unroll]] for (uint index = 0u; captures && index < PGS_MAX_FEEDBACK_BUFFERS; index++) {
        const uint stream = shape_stream(shape, index);
        if (room_start[index] != uvec2(0u))
            at_offset_B[index] += min(saturated(sum_of(stream)), room_el[stream]) * op_strides_B[start][index] *
                                  shape_corners(shape);
    }
    if (captures)
        store_offsets();
    if (!counts)
        return;
    [[dont_unroll]] for (uint stream = 0u; stream < PGS_MAX_STREAMS; stream++) {
        const uvec2 needed = sum_of(stream);
        uvec2 written = needed;
        if (room_el[stream] != ROOM_UNLIMITED)
            written = uvec2(min(saturated(needed), room_el[stream]), 0u);
        add_to_memory(set.queries.generated[stream], needed);
        const uvec2 feedback = captures ? set.queries.feedback[stream] : uvec2(0u);
        if (feedback == uvec2(0u))
            continue;
        add_to_memory(feedback, written);
        add_to_memory(pgs_add(feedback, 8u), needed);
    }
    const uvec2 statistics = set.queries.statistics;
    if (statistics == uvec2(0u))
        return;
    [[dont_unroll]] for (uint i = 0u; i < PGS_STATISTIC_COUNT; i++)
        add_to_memory(pgs_add(statistics, i * 8u), sum_of(SUM_STATISTICS + i));
}

/* What the counters say; without a counter 0. */
uvec4 read_counters(const uvec2 load[PGS_MAX_FEEDBACK_BUFFERS])
{
    uvec4 offset_B = uvec4(0u);
    for (uint index = 0u; index < PGS_MAX_FEEDBACK_BUFFERS; index++) {
        if (load[index] != uvec2(0u))
            offset_B[index] = pgs_read(load[index]);
    }
    return offset_B;
}

void begin_interval(const uint i)
{
    at_interval = op_interval[i];
    uvec4 offset_B = op_offsets_B[i];
    if (i >= first_end)
        offset_B = read_counters(pgs_interval_ref(at_interval).interval.load);
    for (uint index = 0u; index < PGS_MAX_FEEDBACK_BUFFERS; index++)
        at_offset_B[index] = offset_B[index];
    store_offsets();
}

/* Of no interval, that is without a begin: nothing is known that counters could get. */
void end_interval(const uint i)
{
    if (op_interval[i] == uvec2(0u))
        return;
    go_to_interval(op_interval[i]);
    [[dont_unroll]] for (uint index = 0u; index < PGS_MAX_FEEDBACK_BUFFERS; index++) {
        const uvec2 counter = op_addresses[i][index];
        if (counter != uvec2(0u))
            pgs_write(counter, at_offset_B[index]);
    }
}

void run_serially(const uint start, const uint end)
{
    for (uint i = start; i < end; i++) {
        if (op_kind[i] == PGS_FEEDBACK_BEGIN)
            begin_interval(i);
        else if (op_kind[i] == PGS_FEEDBACK_END)
            end_interval(i);
        else
            pgs_write_at(op_queries[i], PGS_QUERY_AVAILABLE_W, 1u);
    }
}

/* ---- What all invocations do together. ---- */

void load_interval(const uint kind, const uvec2 address)
{
    const uint local = gl_LocalInvocationIndex;
    pgs_interval_ref ref = pgs_interval_ref(address);
    const uvec2 base[PGS_MAX_FEEDBACK_BUFFERS] = ref.interval.base;
    const uvec2 load[PGS_MAX_FEEDBACK_BUFFERS] = ref.interval.load;
    const uint size_B[PGS_MAX_FEEDBACK_BUFFERS] = ref.interval.size_B;
    op_addresses[local] = base;
    op_sizes_B[local] = uvec4(size_B[0], size_B[1], size_B[2], size_B[3]);
    if (kind == PGS_FEEDBACK_BEGIN)
        op_offsets_B[local] = read_counters(load);
}

/* Returns the draw of this invocation, if it has one. */
draw_counts load_op(const uvec2 ops, const uint number, const uint op_count)
{
    const uint local = gl_LocalInvocationIndex;
    draw_counts counts =
        draw_counts(uvec2(0u), uvec2(0u), uvec2(0u), uvec2(0u), false, false, uvec2(0u), uvec2(0u), uvec2(0u), uvec2(0u), 0u, false);
    if (local < PGS_SCAN_EL / 32)
        op_starts[local] = 0u;
    if (number >= op_count)
        return counts;
    const pgs_feedback_op op = pgs_op_ref(pgs_mul_add(ops, number, 32u)).op;
    op_kind[local] = op.kind;
    op_interval[local] = op.interval;
    op_capture[local] = op.capture;
    op_queries[local] = op.queries;
    if (op.kind == PGS_FEEDBACK_END) {
        op_addresses[local] = pgs_end_ref(op.queries).end.store;
        atomicMin(first_end, local);
    }
    if (op.kind == PGS_FEEDBACK_BEGIN || (op.kind == PGS_FEEDBACK_DRAW && op.interval != uvec2(0u)))
        load_interval(op.kind, op.interval);
    if (op.kind != PGS_FEEDBACK_DRAW)
        return counts;
    const pgs_capture capture = pgs_some_capture_ref(op.capture).capture;
    uint shape = min(capture.corners, 3u);
    for (uint index = 0u; index < PGS_MAX_FEEDBACK_BUFFERS; index++) {
        op_strides_B[local][index] = capture.stride_B[index];
        shape |= (capture.stream[index] & 3u) << (2u + 2u * index);
    }
    op_shape[local] = shape;
    return count_draw(capture);
}

/* Operations that are no draws make runs, too. */
bool continues_run(const uint i)
{
    if (i == 0u || (op_kind[i] == PGS_FEEDBACK_DRAW) != (op_kind[i - 1u] == PGS_FEEDBACK_DRAW))
        return false;
    if (op_kind[i] != PGS_FEEDBACK_DRAW)
        return true;
    return op_interval[i] == op_interval[i - 1u] && op_queries[i] == op_queries[i - 1u] &&
           op_strides_B[i] == op_strides_B[i - 1u] && op_shape[i] == op_shape[i - 1u];
}

uint run_end(const uint start, const uint count)
{
    uint word = (start + 1u) / 32u;
    if (word >= PGS_SCAN_EL / 32)
        return count;
    uint bits = op_starts[word] & (0xFFFFFFFFu << ((start + 1u) & 31u));
    while (bits == 0u) {
        word++;
        if (word >= PGS_SCAN_EL / 32)
            return count;
        bits = op_starts[word];
    }
    return word * 32u + uint(findLSB(bits));
}

void sum_draw(const draw_counts counts, const bool wants_statistics)
{
    [[dont_unroll]] for (uint stream = 0u; stream < PGS_MAX_STREAMS; stream++)
        sum_add(stream, primitives_of(counts, stream));
    if (!wants_statistics)
        return;
    if (counts.has_geometry) {
        [[dont_unroll]] for (uint stream = 0u; stream < PGS_MAX_STREAMS; stream++)
            sum_add(SUM_STATISTICS + PGS_STATISTIC_GEOMETRY_PRIMITIVES, primitives_of(counts, stream));
    }
    if (!counts.has_statistics)
        return;
    sum_add(SUM_STATISTICS + PGS_STATISTIC_VERTICES, counts.vertices);
    sum_add(SUM_STATISTICS + PGS_STATISTIC_PRIMITIVES, counts.primitives);
    sum_add(SUM_STATISTICS + PGS_STATISTIC_VERTEX_SHADER, counts.vertices);
    sum_add(SUM_STATISTICS + PGS_STATISTIC_GEOMETRY_SHADER, counts.invocations);
    sum_add(SUM_STATISTICS + PGS_STATISTIC_CONTROL_PATCHES, counts.patches);
    sum_add(SUM_STATISTICS + PGS_STATISTIC_EVALUATION, uvec2(counts.evaluations, 0u));
}

void run_draws(const uint start, const uint end, const draw_counts counts)
{
    const uint local = gl_LocalInvocationIndex;
    const bool in_run = local >= start && local < end;
    if (local < SUM_COUNT) {
        [[dont_unroll]] for (uint third = 0u; third < 3u; third++)
            sums[local][third] = 0u;
    }
    if (local == 0u)
        find_room(start);
    barrier();
    if (in_run) {
        sum_draw(counts, op_queries[start] != uvec2(0u));
        if (!counts.is_fixed)
            clear_targets();
    }
    [[dont_unroll]] for (uint stream = 0u; stream < PGS_MAX_STREAMS; stream++)
        place_stream(stream, start, end - start == 1u, in_run, counts.is_fixed,
                     saturated(primitives_of(counts, stream)));
    barrier();
    if (local == 0u)
        finish_run(start);
    barrier(); /* before the next run's sums and room */
}

void main()
{
    const uint local = gl_LocalInvocationIndex;
    pgs_program_ref ref = pgs_program_ref(pgs_root_address());
    const uint op_count = ref.program.op_count;
    const uvec2 ops = ref.program.ops;

    if (local == 0u)
        first_end = PGS_SCAN_EL;
    barrier();
    for (uint first = 0u; first < op_count; first += PGS_SCAN_EL) {
        const uint count = min(op_count - first, PGS_SCAN_EL);
        const draw_counts counts = load_op(ops, first + local, op_count);
        barrier();
        if (local < count && !continues_run(local))
            atomicOr(op_starts[local / 32u], 1u << (local & 31u));
        barrier();
        for (uint start = 0u; start < count;) {
            const uint end = run_end(start, count);
            if (op_kind[start] == PGS_FEEDBACK_DRAW)
                run_draws(start, end, counts);
            else if (local == 0u)
                run_serially(start, end);
            start = end;
        }
        if (local == 0u && first_end < PGS_SCAN_EL)
            first_end = 0u;
        barrier(); /* before the next operations */
    }
}
