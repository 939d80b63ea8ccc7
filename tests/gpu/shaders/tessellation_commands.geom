#version 450
/* SPDX-License-Identifier: MIT */
/* Hands triangles on. */
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec3 coord_in[];
layout(location = 1) flat in uint number_in[];
layout(location = 0, xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) out vec3 coord;
layout(location = 1, xfb_buffer = 0, xfb_offset = 12) flat out uint number;

void main()
{
    for (int i = 0; i < 3; i++) {
        coord = coord_in[i];
        number = number_in[i];
        gl_Position = gl_in[i].gl_Position;
        EmitVertex();
    }
}
