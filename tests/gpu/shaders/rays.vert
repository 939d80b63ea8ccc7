#version 460
/* SPDX-License-Identifier: MIT */
#extension GL_GOOGLE_include_directive : require
#include "rays.glsl"
layout(location = 0) flat out uint value;

void main()
{
    const vec2 at = (vec2(gl_VertexIndex % 32, gl_VertexIndex / 32) + 0.5) / 16.0 - 1.0;
    value = 0x100u + meet(at);
    gl_PointSize = 1.0;
    gl_Position = vec4(at, 0.5, 1.0);
}
