/* SPDX-License-Identifier: MIT
 *
 * Fills the records of an indirect call: reads the arguments of each draw, allocates its memory
 * from the pool, and writes the grids of the later dispatches. The arguments come from the
 * application and may have any value; nothing is written outside the layer's own memory. If one
 * draw gets no memory, all draws of the call become inline (pgs_inline_draw); if they cannot be
 * inline, only that draw is left out.
 *
 * One workgroup per call; an invocation handles every PGS_INDIRECT_GROUP_EL-th record. Root:
 * pgs_indirect. Step STEP_SETUP (layer/draw/record_compute.c).
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
