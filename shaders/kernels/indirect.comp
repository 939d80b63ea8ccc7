/* SPDX-License-Identifier: MIT
 *
 * Indirect draws: reads the arguments of a call, finds out how much work and memory each draw is, takes the memory from the
 * pool, and writes the grids of the dispatches that follow. One workgroup for a call; the root is a pgs_indirect. An
 * invocation takes every PGS_INDIRECT_GROUP_EL-th record.
 *
 * The arguments are the application's and may say anything: nothing is ever written outside of the layer's own memory. If
 * one draw does not get its memory, all draws of the call are drawn inline (pgs_inline_draw). If they cannot be, that draw is
 * left out.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/indirect.h"
layout(local_size_x = PGS_INDIRECT_GROUP_EL) in;

#include "indirect/arguments.glsl"
#include "indirect/allocation.glsl"
#include "indirect/fallback.glsl"
#include "indirect/grids.glsl"

void main()
{
    const uint first = gl_LocalInvocationIndex;
    if (first == 0u) {
        pgs_grids_clear();
        pgs_fallback_clear();
    }
    barrier();
    pgs_read_records(first);
    barrier();
    if (!pgs_falls_back())
        pgs_allot_records(first);
    barrier();
    if (pgs_falls_back())
        pgs_draw_inline(first);
    else if (first == 0u)
        pgs_draw_none_inline();
    barrier();
    if (first == 0u)
        pgs_grids_write(pgs_allot_draw_ref(PGS_INDIRECT.records).draw.grids);
}
