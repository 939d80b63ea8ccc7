/* SPDX-License-Identifier: MIT
 *
 * Kernel xfb_program: loads the operations of a round and divides them into runs. A run is a
 * sequence of draws with the same interval, queries, vertex sizes and streams, or one other
 * operation.
 */
#ifndef PGS_XFB_OPERATIONS_GLSL
#define PGS_XFB_OPERATIONS_GLSL

#include "record.glsl"
#include "xfb/counts.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_op_ref
{
    pgs_xfb_op op;
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
shared uint pgs_op_kind[PGS_XFB_GROUP_EL];
shared uvec2 pgs_op_interval[PGS_XFB_GROUP_EL];
shared uvec2 pgs_op_capture[PGS_XFB_GROUP_EL];
shared uvec2 pgs_op_queries[PGS_XFB_GROUP_EL];
shared uint pgs_op_same[PGS_XFB_GROUP_EL]; /* buffers in which it is as the operation before it; all: of the same run */
shared uint pgs_first_end; /* the first END of the round, PGS_XFB_GROUP_EL if there is none; 0 if an earlier round had one */

/* The same for each of their buffers: element operation * PGS_MAX_XFB_BUFFERS + buffer. */
#define PGS_OP_BUFFERS_EL (PGS_XFB_GROUP_EL * PGS_MAX_XFB_BUFFERS)
/* DRAW: start of the buffer. BEGIN and END: the counter. 0: none. */
shared uvec2 pgs_op_address[PGS_OP_BUFFERS_EL];
/* DRAW: size of the buffer. BEGIN: offset from the counter, valid if no earlier END of the program
 * can have written it. */
shared uint pgs_op_bytes[PGS_OP_BUFFERS_EL];
shared uint pgs_op_primitive_B[PGS_OP_BUFFERS_EL]; /* DRAW: bytes per captured primitive */
shared uint pgs_op_stream[PGS_OP_BUFFERS_EL];      /* DRAW: that the buffer captures */

/* First step, one operation per invocation. Call with number < op_count only. */
void pgs_load_op(const uvec2 ops, const uint number)
{
    const uint local = PGS_LOCAL_ID;
    const pgs_xfb_op op = pgs_op_ref(pgs_mul_add(ops, number, 32u)).op;
    pgs_op_kind[local] = op.kind;
    pgs_op_interval[local] = op.interval;
    pgs_op_capture[local] = op.capture;
    pgs_op_queries[local] = op.queries;
    pgs_op_same[local] = 0u;
    if (op.kind == PGS_XFB_OP_END)
        atomicMin(pgs_first_end, local);
    if (op.kind == PGS_XFB_OP_DRAW)
        pgs_count_draw(op.capture);
}

/* Second step, after a barrier: loads the buffer `index` of operation i, and counts the stream of
 * that number. */
void pgs_load_buffer(const uint i, const uint index)
{
    const uint at = i * PGS_MAX_XFB_BUFFERS + index;
    const uint kind = pgs_op_kind[i];
    pgs_interval_ref ref = pgs_interval_ref(pgs_op_interval[i]);
    uvec2 address = uvec2(0u);
    uint bytes = 0u;
    if (kind == PGS_XFB_OP_BEGIN) {
        address = ref.interval.load[index];
        bytes = pgs_read_counter(address);
    } else if (kind == PGS_XFB_OP_END) {
        address = pgs_end_ref(pgs_op_queries[i]).end.store[index];
    } else if (kind == PGS_XFB_OP_DRAW) {
        pgs_some_capture_ref captured = pgs_some_capture_ref(pgs_op_capture[i]);
        if (pgs_op_interval[i] != uvec2(0u)) {
            address = ref.interval.base[index];
            bytes = ref.interval.size_B[index];
        }
        pgs_op_primitive_B[at] = captured.capture.stride_B[index] * min(captured.capture.vertices_per_primitive, 3u);
        pgs_op_stream[at] = captured.capture.stream[index] & 3u;
        pgs_count_stream(captured, i, index);
    }
    pgs_op_address[at] = address;
    pgs_op_bytes[at] = bytes;
}

/* Third step, after a barrier: compares operation i with the one before it, as far as its buffer
 * `index` is concerned. */
void pgs_compare(const uint i, const uint index)
{
    const uint at = i * PGS_MAX_XFB_BUFFERS + index;
    const bool is_draw = pgs_op_kind[i] == PGS_XFB_OP_DRAW;
    if (is_draw && index == 0u)
        pgs_count_geometry_primitives(i);
    const uint before = max(i, 1u) - 1u;
    const uint at_before = before * PGS_MAX_XFB_BUFFERS + index;
    const uvec2 differs = (pgs_op_interval[i] ^ pgs_op_interval[before]) | (pgs_op_queries[i] ^ pgs_op_queries[before]);
    const uint in_buffer = (pgs_op_stream[at] ^ pgs_op_stream[at_before]) |
                           (pgs_op_primitive_B[at] ^ pgs_op_primitive_B[at_before]) | (pgs_op_kind[before] ^ PGS_XFB_OP_DRAW);
    if (is_draw && (differs.x | differs.y | in_buffer) == 0u)
        atomicAdd(pgs_op_same[i], 1u);
}

/* Last operation of the run that begins at `start`, + 1. */
uint pgs_run_end(const uint start, const uint count)
{
    uint end = start + 1u;
    while (end < count && pgs_op_same[end] == PGS_MAX_XFB_BUFFERS)
        end++;
    return end;
}

#endif
