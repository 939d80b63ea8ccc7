#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_GOOGLE_include_directive : require
#include "subgroups.glsl"
layout(isolines, point_mode) in;
layout(location = 0) patch in uint control_answers;
layout(location = 1) patch in uint patch_number;
layout(location = 0) flat out uint value;

void main()
{
    value = control_answers << 8u | answers(patch_number);
    gl_PointSize = 1.0;
    gl_Position = gl_in[0].gl_Position;
}
