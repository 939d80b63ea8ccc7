// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
#define STAGE 3
#include "descriptors.glsl"

#ifdef CELLS
layout(triangles) in;
#else
layout(points) in;
#endif
layout(triangle_strip, max_vertices = 4) out;
layout(location = 0) flat in uint value[];
layout(location = 0) flat out uint next;

void main()
{
    const uint sum = weigh(value[0]);
    for (uint i = 0; i < (gl_in.length() == 1 ? 4 : 3); i++) {
        next = sum;
        gl_Position = gl_in[gl_in.length() == 1 ? 0 : i].gl_Position;
        if (gl_in.length() == 1)
            gl_Position.xy += vec2(i & 1, i >> 1) / 4;
        EmitVertex();
    }
}
