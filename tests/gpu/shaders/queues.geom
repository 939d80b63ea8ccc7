#version 450
/* SPDX-License-Identifier: MIT */
/* Up to three times the point. */
layout(points) in;
layout(points, max_vertices = 3) out;
layout(location = 0) flat in uint number[];
layout(location = 0) flat out uint value;

void main()
{
    for (uint i = 0u; i < (number[0] & 3u); i++) {
        value = number[0] * 7u + i;
        gl_Position = gl_in[0].gl_Position;
        gl_PointSize = 1.0;
        EmitVertex();
        EndPrimitive();
    }
}
