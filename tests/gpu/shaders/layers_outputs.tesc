#version 450
/* SPDX-License-Identifier: MIT */
layout(vertices = 3) out;

void main()
{
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    if (gl_InvocationID != 0)
        return;
    for (int i = 0; i < 3; i++)
        gl_TessLevelOuter[i] = 1.0;
    gl_TessLevelInner[0] = 1.0;
}
