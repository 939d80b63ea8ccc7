#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_GOOGLE_include_directive : require
#include "subgroups.glsl"
layout(vertices = 1) out;
layout(location = 0) in uint number[];
layout(location = 0) patch out uint control_answers;
layout(location = 1) patch out uint patch_number;

void main()
{
    control_answers = answers(number[0]);
    patch_number = number[0];
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = 1.0;
}
