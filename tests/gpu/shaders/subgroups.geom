#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_GOOGLE_include_directive : require
#include "subgroups.glsl"
layout(points) in;
layout(points, max_vertices = 1) out;
layout(location = 0) in uint number[];
layout(location = 0) flat out uint value;

void main()
{
    value = answers(number[0]);
    gl_PointSize = 1.0;
    gl_Position = gl_in[0].gl_Position;
    EmitVertex();
}
