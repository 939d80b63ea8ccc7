#version 450
/* SPDX-License-Identifier: MIT */
/* What one invocation stores to the patch, another one stores again behind a barrier. Nothing is read. */
/* coherent control: true */
layout(vertices = 3) out;
layout(location = 0) in vec4 color[];
layout(location = 0) out vec4 out_color[];
layout(location = 1) patch out vec4 total[3];
void main()
{
    out_color[gl_InvocationID] = color[gl_InvocationID];
    total[gl_InvocationID] = color[gl_InvocationID];
    barrier();
    total[(gl_InvocationID + 1) % 3].x = color[gl_InvocationID].w;
    gl_TessLevelOuter[gl_InvocationID] = 2.0;
    gl_TessLevelInner[0] = 2.0;
}
