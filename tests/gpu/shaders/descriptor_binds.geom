// SPDX-License-Identifier: MIT
#version 450
layout(points) in;
layout(points, max_vertices = 1) out;
layout(set = 0, binding = 0) uniform First
{
    uint first;
};
layout(set = 0, binding = 1) uniform Second
{
    uint second;
};

layout(location = 0) flat in uint value[];
layout(location = 0) flat out uint next;

void main()
{
    next = value[0] * 31 + first * 3 + second * 5;
    gl_Position = gl_in[0].gl_Position;
    gl_PointSize = 1;
    EmitVertex();
}
