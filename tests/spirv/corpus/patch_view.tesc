#version 450
/* SPDX-License-Identifier: MIT */
// env: vulkan1.1
#extension GL_EXT_multiview : require
layout(vertices = 3) out;
void main()
{
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position + float(gl_ViewIndex);
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = float(gl_ViewIndex);
    gl_TessLevelInner[0] = 1.0;
}
