// SPDX-License-Identifier: MIT
#version 450
layout(points) in;
layout(points, max_vertices = 1) out;
layout(set = 0, binding = 1) uniform Second
{
    uint second;
};
layout(set = 0, binding = 2) uniform Shared
{
    uint both;
};
layout(set = 0, binding = 3) uniform Inline
{
    uint pad, inside;
};
layout(set = 0, binding = 4) uniform usampler2D pictures[2];
layout(set = 0, binding = 7, std430) readonly buffer Storage
{
    uint stored;
}
storages[3];

layout(location = 0) flat in uint value[];
layout(location = 0) flat out uint next;

void main()
{
    next = value[0] * 31 + second * 3 + both * 5 + inside * 7 + texelFetch(pictures[0], ivec2(1), 0).x * 11 +
           texelFetch(pictures[1], ivec2(1), 0).x * 13 + storages[0].stored * 17;
    gl_Position = gl_in[0].gl_Position;
    gl_PointSize = 1;
    EmitVertex();
}
