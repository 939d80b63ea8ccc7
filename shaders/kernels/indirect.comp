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
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/indirect.h"
layout(local_size_x = PGS_INDIRECT_GROUP_EL) in;

#include "indirect/arguments.glsl"
#include "indirect/allocation.glsl"
#include "indirect/fallback.glsl"
#include "indirect/grids.glsl"

void main()
{
    const uint local = PGS_LOCAL_ID;
    pgs_read_call();
    pgs_grids_clear(local);
    if (local == 0u)
        pgs_fallback_clear();
    barrier();
    pgs_read_records(local);
    barrier();
    if (!pgs_is_inline_call())
        pgs_allot_records(local);
    barrier();
    const uint inline_gs_invocations = pgs_finish_records(local);
    barrier();
    if (local == 0u)
        pgs_write_inline_draw(inline_gs_invocations);
    pgs_grids_write(local, pgs_allot_draw_ref(pgs_call.records).draw.grids, !pgs_falls_back());
    pgs_tell_pool();
}
