#version 450
/* SPDX-License-Identifier: MIT */
layout(triangles) in;
layout(triangle_strip, max_vertices = 6) out;
layout(location = 0) flat in uint number[];
layout(location = 0) flat out uint value;

void main()
{
    for (uint copy = 0u; copy < 2u; copy++) {
        for (uint i = 0u; i < 3u; i++) {
            gl_Position = gl_in[i].gl_Position + vec4(0.0, float(copy) * 0.9, 0.0, 0.0);
            value = number[0] + copy * 16u;
            EmitVertex();
        }
        EndPrimitive();
    }
}
