#version 450
/* SPDX-License-Identifier: MIT */
layout(vertices = 3) out;
layout(location = 0) in vec4 shade[];
layout(location = 0) out vec4 shade_out[];

void main()
{
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    shade_out[gl_InvocationID] = shade[gl_InvocationID];
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 3.0;
    gl_TessLevelInner[0] = 2.0;
}
