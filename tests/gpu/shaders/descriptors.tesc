// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
#define STAGE 1
#include "descriptors.glsl"

layout(vertices = 1) out;
layout(location = 0) flat in uint value[];
layout(location = 0) flat out uint next[];

void main()
{
    next[gl_InvocationID] = weigh(value[gl_InvocationID]);
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    gl_TessLevelOuter = float[](1, 1, 1, 1);
    gl_TessLevelInner = float[](1, 1);
}
