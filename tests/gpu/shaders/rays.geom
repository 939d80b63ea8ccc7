#version 460
/* SPDX-License-Identifier: MIT */
#extension GL_GOOGLE_include_directive : require
#include "rays.glsl"
layout(points) in;
layout(points, max_vertices = 2) out;
layout(location = 0) flat in uint below[];
layout(location = 0) flat out uint value;

void main()
{
    const uint met = meet(gl_in[0].gl_Position.xy + push.step);
    value = met << 16u | below[0];
    gl_PointSize = 1.0;
    gl_Position = gl_in[0].gl_Position;
    EmitVertex();
    if (met == 0u) { /* as many as the ray says */
        value |= 0x80000000u;
        gl_Position = gl_in[0].gl_Position + vec4(1.0 / 16.0, 0.0, 0.0, 0.0);
        EmitVertex();
    }
}
