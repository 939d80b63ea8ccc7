/* SPDX-License-Identifier: MIT
 *
 * indirect_inline for a call of one draw, by one invocation: CPUs take long to compile what waits for a workgroup.
 *
 * Root: pgs_indirect, with a record_count of 1. Step STEP_SETUP (layer/draw/record_compute.c).
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/indirect.h"
layout(local_size_x = 1) in;

#include "indirect/inline_records.glsl"

void main()
{
    pgs_read_call();
    pgs_drawn_end = 0u;
    pgs_allot_draw_ref record = pgs_allot_draw_ref(pgs_call.records);
    const uint gs_invocations = read_inline(record, 0u, draw_count() != 0u);
    record.draw.gs_invocation_first = 0u;
    pgs_write_inline_draw(gs_invocations);
    pgs_grids_write_none(record.draw.grids);
    pgs_tell_pool();
}
