#version 450
/* SPDX-License-Identifier: MIT */
/* Hands triangles on. With LOG defined, counts those of each number. */
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec3 coord_in[];
layout(location = 1) flat in uint number_in[];
layout(location = 0, xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) out vec3 coord;
layout(location = 1, xfb_buffer = 0, xfb_offset = 12) flat out uint number;
#ifdef LOG
layout(set = 0, binding = 0) buffer Log
{
    uint word[];
}
log_;
#endif

void main()
{
#ifdef LOG
    atomicAdd(log_.word[number_in[0]], 1u);
#endif
    for (int i = 0; i < 3; i++) {
        coord = coord_in[i];
        number = number_in[i];
        gl_Position = gl_in[i].gl_Position;
        EmitVertex();
    }
}
