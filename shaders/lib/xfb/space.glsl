/* SPDX-License-Identifier: MIT
 *
 * Kernel xfb_program: space in the bound buffers for what a run captures, and where each of its
 * draws writes.
 */
#ifndef PGS_XFB_SPACE_GLSL
#define PGS_XFB_SPACE_GLSL

#include "xfb/buffer_space.glsl"
#include "xfb/intervals.glsl"

shared uint pgs_space_el[PGS_MAX_STREAMS];         /* primitives; UNLIMITED: the stream is not captured */
shared uvec2 pgs_space_start[PGS_MAX_XFB_BUFFERS]; /* address of the next vertex; 0: not captured */

/* Finds the space for the run that begins at `start` in the buffer of this invocation. pgs_space_el
 * must be UNLIMITED before. */
void pgs_find_space(const uint start)
{
    const uint at = start * PGS_MAX_XFB_BUFFERS + PGS_LOCAL_ID;
    const uint primitive_B = pgs_op_primitive_B[at];
    const uvec2 base = pgs_op_address[at];
    uvec2 next = uvec2(0u);
    if (base != uvec2(0u) && primitive_B != 0u) {
        pgs_go_to_interval(pgs_op_interval[start]);
        next = pgs_add(base, pgs_at_offset_B);
        atomicMin(pgs_space_el[pgs_op_stream[at]], pgs_buffer_space_el(base, pgs_at_offset_B, pgs_op_bytes[at], primitive_B));
    }
    pgs_space_start[PGS_LOCAL_ID] = next;
}

/* Advances the offset of this invocation's buffer by what the run start .. end - 1 captures. */
void pgs_advance(const uint start, const uint end)
{
    const uint at = start * PGS_MAX_XFB_BUFFERS + PGS_LOCAL_ID;
    if (pgs_space_start[PGS_LOCAL_ID] != uvec2(0u)) {
        const uvec2 last = pgs_op_counts[(end - 1u) * PGS_COUNT_COUNT + pgs_op_stream[at]];
        pgs_at_offset_B += (last.x + last.y) * pgs_op_primitive_B[at];
        pgs_store_offset();
    }
}

/* Writes to the capture of operation i, a draw, how many primitives of stream `index` it captures,
 * and where its first vertex in buffer `index` is. Nothing if the CPU wrote both already, as another
 * kernel may be reading them. */
void pgs_place_draw(const uint i, const uint index)
{
    const uint at = i * PGS_MAX_XFB_BUFFERS + index;
    const uint first = i * PGS_COUNT_COUNT;
    const bool is_captured = pgs_space_el[index] != PGS_SPACE_UNLIMITED;
    uvec2 target = pgs_space_start[index];
    if (target != uvec2(0u))
        target = pgs_mul_add(target, pgs_op_counts[first + pgs_op_stream[at]].x, pgs_op_primitive_B[at]);
    if ((pgs_op_flags[i] & PGS_CAPTURE_FIXED) == 0u) {
        pgs_some_capture_ref captured = pgs_some_capture_ref(pgs_op_capture[i]);
        captured.capture.written[index] = is_captured ? pgs_op_counts[first + index].y : 0u;
        captured.capture.target[index] = target;
    }
}

#endif
