#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT
 * W5: a point becomes a strip of 4 to 64 vertices, as many as its tint says. */
#include "salt.glsl"
layout(points) in;
layout(triangle_strip, max_vertices = 64) out;
layout(location = 0) in vec4 color[];
layout(location = 0) out vec4 out_color;

void main()
{
    int count = 4 + int(color[0].x * 60.0);
    for (int i = 0; i < count; i++) {
        precise vec2 at = gl_in[0].gl_Position.xy + vec2(float(i >> 1) * 0.0015, float(i & 1) * 0.006);
        gl_Position = vec4(at, 0.5, 1.0);
        out_color = SALTED(color[0]);
        EmitVertex();
    }
}
