/* SPDX-License-Identifier: MIT
 *
 * Kernel xfb_program: space in the bound buffers for what a run captures, and where each of its
 * draws writes.
 */
#ifndef PGS_XFB_SPACE_GLSL
#define PGS_XFB_SPACE_GLSL

#include "record.glsl"
#include "scan.glsl"
#include "xfb/intervals.glsl"

#define PGS_SPACE_UNLIMITED 0xFFFFFFFFu

shared uint pgs_space_el[PGS_MAX_STREAMS];         /* primitives */
shared uvec2 pgs_space_start[PGS_MAX_XFB_BUFFERS]; /* address of the next vertex; 0: not captured */

/* Complete primitives that fit in a buffer. 0 if the offset lies outside of the buffer or is not a
 * multiple of 4: it may come from a counter that the application wrote. */
uint buffer_space_el(const uvec2 base, const uint offset_B, const uint size_B, const uint primitive_B)
{
    if (offset_B >= size_B || ((offset_B | base.x) & 3u) != 0u)
        return 0u;
    return (size_B - offset_B) / primitive_B;
}

/* Finds the space for the run that begins at `start`. Called by the first invocation. */
void pgs_find_space(const uint start)
{
    [[dont_unroll]] for (uint stream = 0u; stream < PGS_MAX_STREAMS; stream++)
        pgs_space_el[stream] = PGS_SPACE_UNLIMITED;
    [[dont_unroll]] for (uint index = 0u; index < PGS_MAX_XFB_BUFFERS; index++)
        pgs_space_start[index] = uvec2(0u);
    if (pgs_op_interval[start] == uvec2(0u))
        return;
    pgs_go_to_interval(pgs_op_interval[start]);
    const uint shape = pgs_op_shape[start];
    [[dont_unroll]] for (uint index = 0u; index < PGS_MAX_XFB_BUFFERS; index++) {
        const uvec2 base = pgs_op_addresses[start][index];
        const uint primitive_B = pgs_op_strides_B[start][index] * pgs_shape_vertices_per_primitive(shape);
        if (base == uvec2(0u) || primitive_B == 0u)
            continue;
        const uint stream = pgs_shape_stream(shape, index);
        const uint offset_B = pgs_at_offset_B[index];
        pgs_space_start[index] = pgs_add(base, offset_B);
        const uint fits_el = buffer_space_el(base, offset_B, pgs_op_sizes_B[start][index], primitive_B);
        pgs_space_el[stream] = min(pgs_space_el[stream], fits_el);
    }
}

/* Writes where this invocation's draw captures a stream, and how many primitives. Called by the
 * whole workgroup. in_run: the invocation has a draw of the run. is_fixed: the CPU wrote both
 * already, and another kernel may be reading them. A stream without a buffer captures nothing. */
void pgs_place_stream(const uint stream, const uint start, const bool is_single, const bool in_run, const bool is_fixed,
                      const uint wanted)
{
    pgs_some_capture_ref ref = pgs_some_capture_ref(pgs_op_capture[gl_LocalInvocationIndex]);
    const uint limit = pgs_space_el[stream];
    if (limit == PGS_SPACE_UNLIMITED) {
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
    const uint shape = pgs_op_shape[start];
    [[dont_unroll]] for (uint index = 0u; index < PGS_MAX_XFB_BUFFERS; index++) {
        const uvec2 begin = pgs_space_start[index];
        if (begin != uvec2(0u) && pgs_shape_stream(shape, index) == stream)
            ref.capture.target[index] =
                pgs_mul_add(begin, first, pgs_op_strides_B[start][index] * pgs_shape_vertices_per_primitive(shape));
    }
}

/* Clears the targets of this invocation's draw for buffers that are not bound. */
void pgs_clear_targets()
{
    pgs_some_capture_ref ref = pgs_some_capture_ref(pgs_op_capture[gl_LocalInvocationIndex]);
    [[dont_unroll]] for (uint index = 0u; index < PGS_MAX_XFB_BUFFERS; index++) {
        if (pgs_space_start[index] == uvec2(0u))
            ref.capture.target[index] = uvec2(0u);
    }
}

#endif
