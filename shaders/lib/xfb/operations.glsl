/* SPDX-License-Identifier: MIT
 *
 * Kernel xfb_program: loads the operations of a round, one per invocation, and divides them into
 * runs. A run is a sequence of draws with the same interval, queries, vertex sizes and streams, or
 * a sequence of other operations.
 */
#ifndef PGS_XFB_OPERATIONS_GLSL
#define PGS_XFB_OPERATIONS_GLSL

#include "record.glsl"
#include "scan.glsl"
#include "xfb/counts.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_op_ref
{
    pgs_xfb_op op;
};

layout(buffer_reference, std430, buffer_reference_align = 8) buffer pgs_some_capture_ref
{
    pgs_capture capture;
};

layout(buffer_reference, std430, buffer_reference_align = 8) buffer pgs_interval_ref
{
    pgs_xfb_interval interval;
};

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_end_ref
{
    pgs_xfb_end end;
};

/* The operations of the round. */
shared uint pgs_op_kind[PGS_SCAN_EL];
shared uvec2 pgs_op_interval[PGS_SCAN_EL];
shared uvec2 pgs_op_capture[PGS_SCAN_EL];
shared uvec2 pgs_op_queries[PGS_SCAN_EL];
shared uvec4 pgs_op_strides_B[PGS_SCAN_EL];
shared uint pgs_op_shape[PGS_SCAN_EL];       /* vertices of a primitive, streams of the buffers */
shared uint pgs_op_starts[PGS_SCAN_EL / 32]; /* bit n: operation n begins a run */
/* Address and size of each buffer of the interval. END: addresses of the counters that it
 * writes. */
shared uvec2 pgs_op_addresses[PGS_SCAN_EL][PGS_MAX_XFB_BUFFERS];
shared uvec4 pgs_op_sizes_B[PGS_SCAN_EL];
/* BEGIN: initial offsets of the interval. Valid if no earlier END of the program can have written
 * the counters. */
shared uvec4 pgs_op_offsets_B[PGS_SCAN_EL];
shared uint pgs_first_end; /* the first END of the round, PGS_SCAN_EL if there is none; 0 if an earlier round had one */

uint pgs_shape_vertices_per_primitive(const uint shape)
{
    return shape & 3u;
}

uint pgs_shape_stream(const uint shape, const uint index)
{
    return shape >> (2u + 2u * index) & 3u;
}

/* Offsets from the counters; 0 where there is no counter. */
uvec4 pgs_read_counters(const uvec2 load[PGS_MAX_XFB_BUFFERS])
{
    uvec4 offset_B = uvec4(0u);
    for (uint index = 0u; index < PGS_MAX_XFB_BUFFERS; index++) {
        if (load[index] != uvec2(0u))
            offset_B[index] = pgs_read(load[index]);
    }
    return offset_B;
}

void load_interval(const uint kind, const uvec2 address)
{
    const uint local = gl_LocalInvocationIndex;
    pgs_interval_ref ref = pgs_interval_ref(address);
    const uvec2 base[PGS_MAX_XFB_BUFFERS] = ref.interval.base;
    const uvec2 load[PGS_MAX_XFB_BUFFERS] = ref.interval.load;
    const uint size_B[PGS_MAX_XFB_BUFFERS] = ref.interval.size_B;
    pgs_op_addresses[local] = base;
    pgs_op_sizes_B[local] = uvec4(size_B[0], size_B[1], size_B[2], size_B[3]);
    if (kind == PGS_XFB_OP_BEGIN)
        pgs_op_offsets_B[local] = pgs_read_counters(load);
}

/* Loads the operation of this invocation, if number < op_count, and everything for it that no
 * earlier operation can change. Returns the counts of its draw, or zeros. */
pgs_draw_counts pgs_load_op(const uvec2 ops, const uint number, const uint op_count)
{
    const uint local = gl_LocalInvocationIndex;
    pgs_draw_counts counts =
        pgs_draw_counts(uvec2(0u), uvec2(0u), uvec2(0u), uvec2(0u), false, false, uvec2(0u), uvec2(0u), uvec2(0u), uvec2(0u),
                        0u, false);
    if (local < PGS_SCAN_EL / 32)
        pgs_op_starts[local] = 0u;
    if (number >= op_count)
        return counts;
    const pgs_xfb_op op = pgs_op_ref(pgs_mul_add(ops, number, 32u)).op;
    pgs_op_kind[local] = op.kind;
    pgs_op_interval[local] = op.interval;
    pgs_op_capture[local] = op.capture;
    pgs_op_queries[local] = op.queries;
    if (op.kind == PGS_XFB_OP_END) {
        pgs_op_addresses[local] = pgs_end_ref(op.queries).end.store;
        atomicMin(pgs_first_end, local);
    }
    if (op.kind == PGS_XFB_OP_BEGIN || (op.kind == PGS_XFB_OP_DRAW && op.interval != uvec2(0u)))
        load_interval(op.kind, op.interval);
    if (op.kind != PGS_XFB_OP_DRAW)
        return counts;
    const pgs_capture capture = pgs_some_capture_ref(op.capture).capture;
    uint shape = min(capture.vertices_per_primitive, 3u);
    for (uint index = 0u; index < PGS_MAX_XFB_BUFFERS; index++) {
        pgs_op_strides_B[local][index] = capture.stride_B[index];
        shape |= (capture.stream[index] & 3u) << (2u + 2u * index);
    }
    pgs_op_shape[local] = shape;
    return pgs_count_draw(capture);
}

bool continues_run(const uint i)
{
    if (i == 0u || (pgs_op_kind[i] == PGS_XFB_OP_DRAW) != (pgs_op_kind[i - 1u] == PGS_XFB_OP_DRAW))
        return false;
    if (pgs_op_kind[i] != PGS_XFB_OP_DRAW)
        return true;
    return pgs_op_interval[i] == pgs_op_interval[i - 1u] && pgs_op_queries[i] == pgs_op_queries[i - 1u] &&
           pgs_op_strides_B[i] == pgs_op_strides_B[i - 1u] && pgs_op_shape[i] == pgs_op_shape[i - 1u];
}

/* Marks where runs begin among the first `count` operations. Called by the whole workgroup, between
 * barriers. */
void pgs_mark_runs(const uint count)
{
    const uint local = gl_LocalInvocationIndex;
    if (local < count && !continues_run(local))
        atomicOr(pgs_op_starts[local / 32u], 1u << (local & 31u));
}

/* Last operation of the run that begins at `start`, + 1. */
uint pgs_run_end(const uint start, const uint count)
{
    uint word = (start + 1u) / 32u;
    if (word >= PGS_SCAN_EL / 32)
        return count;
    uint bits = pgs_op_starts[word] & (0xFFFFFFFFu << ((start + 1u) & 31u));
    while (bits == 0u) {
        word++;
        if (word >= PGS_SCAN_EL / 32)
            return count;
        bits = pgs_op_starts[word];
    }
    return word * 32u + uint(findLSB(bits));
}

#endif
