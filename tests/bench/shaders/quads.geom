#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT
 * W1: a point becomes a quad. */
#include "salt.glsl"
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
layout(location = 0) in vec4 color[];
layout(location = 0) out vec4 out_color;

void main()
{
    for (int i = 0; i < 4; i++) {
        precise vec2 corner = gl_in[0].gl_Position.xy + (vec2(float(i & 1), float(i >> 1)) - 0.5) * 0.008;
        gl_Position = vec4(corner, 0.5, 1.0);
        out_color = SALTED(color[0]);
        EmitVertex();
    }
}
