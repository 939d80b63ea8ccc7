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
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/indirect.h"
layout(local_size_x = PGS_INDIRECT_GROUP_EL) in;

#include "indirect/round.glsl"

void main()
{
    pgs_round_main();
}
