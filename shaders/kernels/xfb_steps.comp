/* SPDX-License-Identifier: MIT
 *
 * Does what xfb_program does, one operation after the other. It has no barriers and a third of the
 * code, so it suits CPUs: there, compiling xfb_program takes longer than anything that it could save.
 *
 * One invocation. Root: pgs_xfb_program. Dispatched by pgs_compute_record.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#define PGS_ROOT_ALONE
#include "poly_gs/xfb.h"
layout(local_size_x = 1) in;

#define PGS_XFB_ROUND_EL 1
#include "xfb/buffer_space.glsl"
#include "xfb/counts.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_program_ref
{
    pgs_xfb_program program;
};

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_op_ref
{
    pgs_xfb_op op;
};

layout(buffer_reference, std430, buffer_reference_align = 8) buffer pgs_interval_ref
{
    pgs_xfb_interval interval;
};

/* Of the current draw, for each buffer: bytes of a primitive, 0 if it is not captured, and its
 * stream. For each stream: primitives that its buffers take, and those that the queries count. */
shared uint primitive_B[PGS_MAX_XFB_BUFFERS];
shared uint stream_of[PGS_MAX_XFB_BUFFERS];
shared uint space_el[PGS_MAX_STREAMS];
shared uvec2 written[PGS_MAX_STREAMS];

/* Here every load and store of a driver's memory is dear to compile, so each is there once, in a
 * loop. */
uvec2 read_address(const uvec2 array, const uint index)
{
    return uvec2(pgs_read_near(array, index * 2u), pgs_read_near(array, index * 2u + 1u));
}

/* BEGIN and END. */
#define LOAD_B 32u /* pgs_xfb_interval.load */
void begin_or_end(const bool begins, const uvec2 interval, const uvec2 end)
{
    pgs_interval_ref ref = pgs_interval_ref(interval);
    const uvec2 counters = begins ? pgs_add(interval, LOAD_B) : end;
    [[dont_unroll]] for (uint i = 0u; i < PGS_MAX_XFB_BUFFERS; i++) {
        const uvec2 counter = read_address(counters, i);
        const uint offset_B = pgs_read_counter(counter);
        if (begins) {
            ref.interval.offset_B[i] = offset_B;
        } else if (counter != uvec2(0u)) {
            pgs_write(counter, ref.interval.offset_B[i]);
        }
    }
}

/* Sets what is said of buffers above and, unless the CPU did, where the draw writes. */
void find_space(const uvec2 interval, pgs_some_capture_ref captured)
{
    const uvec2 readable = pgs_readable(interval, interval);
    pgs_interval_ref ref = pgs_interval_ref(readable);
    const uint vertices = min(captured.capture.vertices_per_primitive, 3u);
    [[dont_unroll]] for (uint i = 0u; i < PGS_MAX_STREAMS; i++)
        space_el[i] = PGS_SPACE_UNLIMITED;
    [[dont_unroll]] for (uint i = 0u; i < PGS_MAX_XFB_BUFFERS; i++) {
        uint size_B = captured.capture.stride_B[i] * vertices;
        const uint stream = captured.capture.stream[i] & 3u;
        const uvec2 base = read_address(readable, i);
        if (interval == uvec2(0u) || base == uvec2(0u))
            size_B = 0u;
        primitive_B[i] = size_B;
        stream_of[i] = stream;
        uvec2 target = uvec2(0u);
        if (size_B != 0u) {
            const uint offset_B = ref.interval.offset_B[i];
            target = pgs_add(base, offset_B);
            space_el[stream] = min(space_el[stream], pgs_buffer_space_el(base, offset_B, ref.interval.size_B[i], size_B));
        }
        if ((pgs_op_flags[0] & PGS_CAPTURE_FIXED) == 0u)
            captured.capture.target[i] = target;
    }
}

/* Captures what fits of each stream, and advances the offsets. */
void place_draw(const uvec2 interval, pgs_some_capture_ref captured)
{
    [[dont_unroll]] for (uint i = 0u; i < PGS_MAX_STREAMS; i++) {
        const bool is_captured = space_el[i] != PGS_SPACE_UNLIMITED;
        const uint taken_el = min(pgs_wide_saturated(pgs_op_counts[i]), space_el[i]);
        space_el[i] = taken_el;
        written[i] = is_captured ? uvec2(taken_el, 0u) : pgs_op_counts[i];
        if ((pgs_op_flags[0] & PGS_CAPTURE_FIXED) == 0u)
            captured.capture.written[i] = is_captured ? taken_el : 0u;
    }
    pgs_interval_ref ref = pgs_interval_ref(pgs_readable(interval, interval));
    [[dont_unroll]] for (uint i = 0u; i < PGS_MAX_XFB_BUFFERS; i++)
        if (primitive_B[i] != 0u)
            ref.interval.offset_B[i] += space_el[stream_of[i]] * primitive_B[i];
}

/* Adds to the queries: generated primitives of each stream, statistics, primitives written and
 * needed of each stream, which count in intervals only. */
#define VALUES_WRITTEN PGS_COUNT_COUNT
#define VALUES_NEEDED (VALUES_WRITTEN + PGS_MAX_STREAMS)
#define VALUES_COUNT (VALUES_NEEDED + PGS_MAX_STREAMS)
/* Addresses in pgs_query_set. */
#define SET_GENERATED PGS_MAX_STREAMS
#define SET_STATISTICS (2 * PGS_MAX_STREAMS)

void count_draw(const uvec2 queries, const bool in_interval)
{
    const uint value_count = in_interval ? VALUES_COUNT : VALUES_WRITTEN;
    [[dont_unroll]] for (uint value = 0u; value < value_count; value++) {
        const uint stream = value & 3u;
        uint address = stream;
        uint offset_B = value < VALUES_NEEDED ? 0u : 8u;
        uvec2 count = pgs_op_counts[value < VALUES_WRITTEN ? value : stream];
        if (value < PGS_MAX_STREAMS) {
            address = SET_GENERATED + stream;
        } else if (value < VALUES_WRITTEN) {
            address = SET_STATISTICS;
            offset_B = PGS_COUNT_STATISTIC(value) * 8u;
        } else if (value < VALUES_NEEDED) {
            count = written[stream];
        }
        const uvec2 values = read_address(queries, address);
        if (values != uvec2(0u))
            pgs_wide_add_to_memory(pgs_add(pgs_readable(values, values), offset_B), count);
    }
}

void run_draw(const uvec2 interval, const uvec2 capture, const uvec2 queries)
{
    pgs_some_capture_ref captured = pgs_some_capture_ref(capture);
    pgs_count_draw(capture);
    [[dont_unroll]] for (uint i = 0u; i < PGS_MAX_STREAMS; i++)
        pgs_count_stream(captured, 0u, i);
    pgs_count_geometry_primitives(0u);
    find_space(interval, captured);
    place_draw(interval, captured);
    if (queries != uvec2(0u))
        count_draw(queries, interval != uvec2(0u));
}

void main()
{
    const pgs_xfb_program program = pgs_program_ref(pgs_root_address()).program;
    [[dont_unroll]] for (uint i = 0u; i < program.op_count; i++) {
        const pgs_xfb_op op = pgs_op_ref(pgs_mul_add(program.ops, min(i, program.op_count - 1u), 32u)).op;
        if (op.kind == PGS_XFB_OP_DRAW)
            run_draw(op.interval, op.capture, op.queries);
        else if (op.kind == PGS_XFB_OP_AVAILABLE)
            pgs_write_near(op.queries, PGS_QUERY_AVAILABLE_W, 1u);
        else if (op.interval != uvec2(0u)) /* an End without a Begin writes no counters */
            begin_or_end(op.kind == PGS_XFB_OP_BEGIN, op.interval, op.queries);
    }
}
