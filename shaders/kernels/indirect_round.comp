/* SPDX-License-Identifier: MIT
 *
 * What `indirect` does, for a call that goes in rounds since it is lost without memory. This round
 * takes the GS invocations that the former ones left, in the order of the draws, as many as the pool
 * holds; all other records draw nothing.
 *
 * One workgroup per call. Root: pgs_indirect. Step STEP_SETUP (layer/draw/record_compute.c).
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/indirect.h"
layout(local_size_x = PGS_INDIRECT_GROUP_EL) in;

#include "indirect/arguments.glsl"
#include "indirect/fallback.glsl"
#include "indirect/round.glsl"
#include "indirect/grids.glsl"

void main()
{
    const uint local = gl_LocalInvocationIndex;
    pgs_read_call();
    pgs_grids_clear(local);
    pgs_round_begin();
    barrier();
    const uint count = draw_count();
    for (uint chunk = 0u; chunk < pgs_call.record_count; chunk += PGS_INDIRECT_GROUP_EL) {
        pgs_round_read(chunk + local, count);
        barrier();
        if (local == 0u)
            pgs_round_share(chunk);
        barrier();
        pgs_round_take(chunk + local);
    }
    barrier();
    if (local == 0u)
        pgs_round_end();
    pgs_grids_write(local, pgs_allot_draw_ref(pgs_call.records).draw.grids, true);
    pgs_tell_pool();
}
