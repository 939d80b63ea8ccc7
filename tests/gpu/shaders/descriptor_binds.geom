// SPDX-License-Identifier: MIT
#version 450
layout(points) in;
layout(points, max_vertices = 1) out;
layout(set = 0, binding = 0) uniform First
{
    uint first;
};
#ifndef SECOND
#define SECOND 1
#endif
layout(set = 0, binding = SECOND) uniform Second
{
    uint second;
};

#ifdef LIST
layout(set = 0, binding = 5, std430) readonly buffer Storage
{
    uint stored;
}
list[4];
#endif

layout(location = 0) flat in uint value[];
layout(location = 0) flat out uint next;

void main()
{
    next = value[0] * 31 + first * 3 + second * 5;
#ifdef LIST
    next += list[1].stored * 11;
#endif
    gl_Position = gl_in[0].gl_Position;
    gl_PointSize = 1;
    EmitVertex();
}
