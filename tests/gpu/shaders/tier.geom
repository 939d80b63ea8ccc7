#version 450
/* SPDX-License-Identifier: MIT
 * MAX comes from the command line. How many lines a point becomes, and where they are, follows from its number; the
 * depth says whose they are. */
layout(points) in;
layout(line_strip, max_vertices = MAX) out;
out gl_PerVertex
{
    vec4 gl_Position;
};
layout(location = 0) flat in uint number[];

uint hash(uint x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

void main()
{
    uint pairs = hash(number[0]) % (uint(MAX) / 2u + 1u);
    for (uint i = 0u; i < pairs; i++) {
        uint place = hash(number[0] * 64u + i) % 4096u;
        vec2 pixel = vec2(float(place % 64u), float(place / 64u)) + 0.5;
        float depth = float((number[0] * 131u + i * 7u) % 65521u + 1u) / 65536.0;
        gl_Position = vec4((pixel + vec2(-0.4375, 0.0)) / 32.0 - 1.0, depth, 1.0);
        EmitVertex();
        gl_Position = vec4((pixel + vec2(0.5625, 0.0)) / 32.0 - 1.0, depth, 1.0);
        EmitVertex();
        EndPrimitive();
    }
}
