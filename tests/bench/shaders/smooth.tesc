#version 450
/* SPDX-License-Identifier: MIT
 * T1: each triangle becomes four, as meshes are smoothed. */
layout(vertices = 3) out;
layout(location = 0) in vec4 color[];
layout(location = 0) out vec4 out_color[];

void main()
{
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    out_color[gl_InvocationID] = color[gl_InvocationID];
    gl_TessLevelInner[0] = 2.0;
    for (int i = 0; i < 3; i++)
        gl_TessLevelOuter[i] = 2.0;
}
