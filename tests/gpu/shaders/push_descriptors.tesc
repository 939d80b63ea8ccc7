// SPDX-License-Identifier: MIT
#version 450
layout(vertices = 1) out;
layout(set = 0, binding = 1, std430) readonly buffer List
{
    uint number;
}
list[2];
layout(location = 0) flat in uint value[];
layout(location = 0) out uint next[];

void main()
{
    next[gl_InvocationID] = value[gl_InvocationID] + list[0].number * 5 + list[1].number * 7;
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelOuter[3] = 1;
    gl_TessLevelInner[0] = gl_TessLevelInner[1] = 1;
}
