// SPDX-License-Identifier: MIT
// A point becomes itself, unless it is as odd as its factor makes it: only the run says how many.
#version 450
layout(points) in;
layout(points, max_vertices = 1) out;
layout(location = 0) flat in uint value[];
layout(location = 0) flat out uint result;
layout(set = 0, binding = 0) uniform Factor
{
    uint factor;
};

void main()
{
    if (value[0] % 5 == factor % 5)
        return;
    result = value[0];
    gl_Position = gl_in[0].gl_Position;
    gl_PointSize = 1;
    EmitVertex();
}
