#version 450
/* SPDX-License-Identifier: MIT */
layout(triangles) in;
layout(triangle_strip, max_vertices = 6) out;
layout(location = 0) flat in uint vertex_tint[];
layout(location = 0) flat out uint tint;
layout(push_constant) uniform Push
{
    layout(offset = 16) vec2 second_shift;
    uint slot;
};
layout(set = 0, binding = 0) uniform Common
{
    vec2 scale;
    uint base;
};
layout(set = 0, binding = 1) buffer Counters
{
    uint counters[];
};

void main()
{
    atomicAdd(counters[slot], 1u);
    for (int copy = 0; copy < 2; copy++) {
        for (int i = 0; i < 3; i++) {
            gl_Position = gl_in[i].gl_Position + vec4(float(copy) * second_shift / 32.0, 0.0, 0.0);
            tint = vertex_tint[0] + uint(copy) * 7u + base;
            EmitVertex();
        }
        EndPrimitive();
    }
}
