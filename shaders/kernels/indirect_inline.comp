/* SPDX-License-Identifier: MIT
 *
 * As `indirect` for a call whose draws are always inline: fills their records and writes the
 * arguments of the one draw that stands for them. Much shorter, since it takes no memory.
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

#include "indirect/inline_records.glsl"

void main()
{
    const uint local = PGS_LOCAL_ID;
    pgs_read_call();
    pgs_grids_clear(local);
    barrier();
    const uint gs_invocations = pgs_read_inline_records(local);
    barrier();
    if (local == 0u)
        pgs_write_inline_draw(gs_invocations);
    pgs_grids_write(local, pgs_allot_draw_ref(pgs_call.records).draw.grids, false);
    pgs_tell_pool();
}
