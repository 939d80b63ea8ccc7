// SPDX-License-Identifier: MIT
// A point becomes itself; with DYNAMIC not each of them, so that only the run says how many.
#version 450
layout(points) in;
layout(points, max_vertices = 1) out;
layout(location = 0) flat in uint value[];
layout(location = 0) flat out uint result;

void main()
{
#ifdef DYNAMIC
    if (value[0] % 3 == 1)
        return;
#endif
    result = value[0] * 3 + 1;
    gl_Position = gl_in[0].gl_Position;
    gl_PointSize = 1;
    EmitVertex();
}
