#version 450
/* SPDX-License-Identifier: MIT */
layout(vertices = 3) out;
layout(location = 0) flat in uint value[];
layout(location = 0) flat out uint patch_value[];

void main()
{
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    patch_value[gl_InvocationID] = value[gl_InvocationID];
    gl_TessLevelOuter = float[4](2.0, 1.0, 3.0, 0.0);
    gl_TessLevelInner = float[2](2.0, 0.0);
}
