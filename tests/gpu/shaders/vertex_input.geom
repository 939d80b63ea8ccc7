#version 450
/* SPDX-License-Identifier: MIT
 * Shows all vertices of a primitive. With CHOOSES their number depends on the data. */
#ifdef LINES
layout(lines) in;
#else
layout(points) in;
#endif
layout(points, max_vertices = 3) out;
layout(location = 0) flat in uint value[];
#ifdef CAPTURE
layout(location = 0, xfb_buffer = 0, xfb_stride = 4, xfb_offset = 0) flat out uint next;
#else
layout(location = 0) flat out uint next;
#endif

void main()
{
    for (int i = 0; i < gl_in.length(); i++) {
        next = value[i] + uint(i) * 77u;
        gl_Position = gl_in[i].gl_Position;
        gl_PointSize = 1.0;
        EmitVertex();
    }
#ifdef CHOOSES
    if ((value[0] & 3u) != 0u)
        return;
    next = value[0] * 3u;
    gl_Position = gl_in[0].gl_Position;
    gl_PointSize = 1.0;
    EmitVertex();
#endif
}
