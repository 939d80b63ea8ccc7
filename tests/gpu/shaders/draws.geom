#version 450
/* SPDX-License-Identifier: MIT */
layout(points) in;
layout(points, max_vertices = 2) out;
layout(location = 0) flat in uint given[];
layout(location = 0) flat out uint value;

void main()
{
    for (uint i = 0u; i < 2u; i++) {
        gl_Position = gl_in[0].gl_Position + vec4(0.0, float(i), 0.0, 0.0);
        gl_PointSize = 1.0 + 2.0 * float(i);
        value = given[0] + i * 0x80000000u;
        EmitVertex();
    }
}
