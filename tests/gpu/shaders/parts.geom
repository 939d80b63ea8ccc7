#version 450
/* SPDX-License-Identifier: MIT
 * Each triangle, and a smaller one beside it, with READ of a word of memory; with STORE the tint is
 * stored there. */
layout(triangles) in;
layout(triangle_strip, max_vertices = 6) out;
layout(push_constant) uniform Push
{
    vec2 shift;
    float depth;
    uint tint, word;
};
layout(std430, set = 0, binding = 0) buffer Words
{
    uint words[];
};
layout(location = 0) flat in uint first[];
layout(location = 0) flat out uint value;

void main()
{
    uint second = tint + 100u;
#if defined(STORE)
    words[word] = tint;
#elif defined(READ)
    second = 100u + words[word];
#endif
    for (int copy = 0; copy < 2; copy++) {
        for (int i = 0; i < 3; i++) {
            gl_Position = gl_in[i].gl_Position;
            gl_Position.xy = gl_Position.xy * (1.0 - 0.5 * copy) + vec2(0.375 * copy);
            value = copy == 0 ? first[0] : second;
            EmitVertex();
        }
        EndPrimitive();
    }
}
