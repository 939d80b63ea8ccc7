#version 460
/* SPDX-License-Identifier: MIT */
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
layout(location = 0) in uint number[];
layout(location = 0) flat out uint value;
layout(location = 1, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 16) out vec4 captured;

void main()
{
    const uint count = 3u + number[0] % 2u;
    for (uint i = 0u; i < count; i++) {
        value = 0x10000u | number[0];
        captured = vec4(float(number[0] % 16u) / 16.0, float(i), 0.0, 1.0);
        gl_PrimitiveID = int(number[0]) + 7;
        gl_Position = gl_in[0].gl_Position + vec4(vec2(i % 2u, i / 2u) / 16.0, 0.0, 0.0);
        EmitVertex();
    }
}
