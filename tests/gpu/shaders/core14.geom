#version 450
/* SPDX-License-Identifier: MIT */
layout(triangles) in;
layout(triangle_strip, max_vertices = 6) out;
layout(location = 0) flat in uint number[];
layout(location = 0) flat out uint value;
layout(set = 0, binding = 0) readonly buffer Pushed
{
    uint pushed[4];
};
layout(set = 1, binding = 0) uniform Bound
{
    uvec4 bound;
};

void main()
{
    for (uint copy = 0u; copy < 2u; copy++) {
        for (uint i = 0u; i < 3u; i++) {
            gl_Position = gl_in[i].gl_Position + vec4(0.0, float(copy) * 0.9, 0.0, 0.0);
            value = number[0] + pushed[copy] * 1000u + bound[copy] * 1000000u;
            EmitVertex();
        }
        EndPrimitive();
    }
}
