// SPDX-License-Identifier: MIT
#version 450
layout(points) in;
layout(points, max_vertices = 1) out;
layout(set = 0, binding = 0) uniform Bound
{
    uint bound;
};
layout(location = 0) flat in uint value[];
layout(location = 0) flat out uint next;

void main()
{
    next = value[0] + bound;
    gl_Position = gl_in[0].gl_Position;
    gl_PointSize = 1;
    EmitVertex();
}
