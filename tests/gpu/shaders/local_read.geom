#version 450
/* SPDX-License-Identifier: MIT */
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
layout(location = 0) flat in uint number[];
layout(location = 0) flat out uint value;

void main()
{
    for (uint i = 0u; i < 4u; i++) {
        gl_Position = gl_in[0].gl_Position + vec4(vec2(i % 2u, i / 2u) * 0.4 - 0.1, 0.0, 0.0);
        value = number[0] * 4u + 1u;
        EmitVertex();
    }
}
