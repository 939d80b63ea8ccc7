#version 450
/* SPDX-License-Identifier: MIT */
/* Elements that are chosen are stored at once, but nothing is read, and there is no barrier. */
/* coherent control: false */
layout(vertices = 3) out;
layout(location = 0) in vec4 color[];
layout(location = 0) out vec4 out_color[];
layout(location = 1) patch out vec4 total[3];
void main()
{
    out_color[gl_InvocationID] = color[gl_InvocationID];
    total[gl_InvocationID] = color[gl_InvocationID];
    gl_TessLevelOuter[gl_InvocationID] = 2.0;
    gl_TessLevelInner[0] = 2.0;
}
