#version 450
/* SPDX-License-Identifier: MIT */
layout(vertices = 1) out;
layout(location = 0) flat in uint value[];
layout(location = 0) out uint next[];

void main()
{
    next[gl_InvocationID] = value[gl_InvocationID] * 5u;
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelOuter[3] = 1;
    gl_TessLevelInner[0] = gl_TessLevelInner[1] = 1;
}
