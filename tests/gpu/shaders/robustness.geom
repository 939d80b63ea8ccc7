#version 450
/* SPDX-License-Identifier: MIT */
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
layout(location = 0) flat in uint number[];
layout(location = 0) flat out uint value;
layout(set = 0, binding = 0) readonly buffer Words
{
    uint words[];
};
layout(set = 0, binding = 2, r32ui) readonly uniform uimage2D image;
layout(push_constant) uniform Push
{
    uint beyond;
};

void main()
{
    const uint seen = imageLoad(image, ivec2(number[0] % 4u, 1)).x + imageLoad(image, ivec2(beyond)).x;
    for (uint i = 0u; i < 4u; i++) {
        gl_Position = gl_in[0].gl_Position + vec4(i % 2u, i / 2u, 0.0, 0.0) * 0.2;
        value = number[0] * 1000u + seen * 10u + words[beyond * 2u + i] + 1u;
        EmitVertex();
    }
}
