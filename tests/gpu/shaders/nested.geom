#version 450
/* SPDX-License-Identifier: MIT */
layout(points) in;
layout(points, max_vertices = 1) out;
layout(location = 0) flat in uint value[];
#ifdef CAPTURE
layout(location = 0, xfb_buffer = 0, xfb_stride = 4, xfb_offset = 0) flat out uint next;
#else
layout(location = 0) flat out uint next;
#endif

void main()
{
    next = value[0] * 3u;
    gl_Position = gl_in[0].gl_Position;
    gl_PointSize = 1.0;
    EmitVertex();
}
