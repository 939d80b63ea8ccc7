#version 450
// SPDX-License-Identifier: MIT
layout(vertices = 3) out;
layout(location = 0) flat in uint values[];
layout(location = 0) flat out uint patch_values[];

void main()
{
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    patch_values[gl_InvocationID] = values[gl_InvocationID] + 1000;
    gl_TessLevelInner[0] = 2;
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 2;
}
