// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
#define STAGE 2
#include "descriptors.glsl"

layout(quads) in;
layout(location = 0) flat in uint value[];
layout(location = 0) flat out uint next;

void main()
{
    next = weigh(value[0]);
    gl_Position = gl_in[0].gl_Position + vec4(gl_TessCoord.xy / 4, 0, 0);
}
