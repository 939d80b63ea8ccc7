#version 450
/* SPDX-License-Identifier: MIT */
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
layout(location = 0) flat in uint number[];
layout(location = 0) flat out uint value;
layout(push_constant) uniform Push
{
    float infinity;
};

void main()
{
    for (uint i = 0u; i < 4u; i++) {
        gl_Position = gl_in[0].gl_Position + vec4(i % 2u, i / 2u, 0.0, 0.0) * 0.2;
        const uint difference = floatBitsToUint(infinity - infinity);
        const uint product = floatBitsToUint(infinity * 0.0);
        value = number[0] + ((difference & 0x7FFFFFFFu) > 0x7F800000u ? 4u : 0u) + ((product & 0x7FFFFFFFu) > 0x7F800000u ? 8u : 0u) + 16u;
        EmitVertex();
    }
}
