/* SPDX-License-Identifier: MIT
 *
 * setup of a draw without records: the arguments of a native one, or the slot of a condition. CPUs take two thirds of the time to
 * compile it.
 *
 * One invocation. Root: pgs_setup, with args. Step STEP_SETUP (layer/draw/record_compute.c), and pgs_condition_record.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

#include "poly_gs/xfb.h"
layout(local_size_x = 1) in;

#include "setup.glsl"

void main()
{
    pgs_setup_args(pgs_setup_vertices(), pgs_setup_instances());
}
