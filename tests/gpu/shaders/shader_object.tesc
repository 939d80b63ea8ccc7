#version 450
/* SPDX-License-Identifier: MIT */
layout(vertices = 3) out;
layout(location = 0) flat in uint value[];
layout(location = 0) out uint tint[];

void main()
{
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    tint[gl_InvocationID] = value[0] + 7u;
    for (int i = 0; i < 3; i++)
        gl_TessLevelOuter[i] = 2.0;
    gl_TessLevelInner[0] = 2.0;
}
