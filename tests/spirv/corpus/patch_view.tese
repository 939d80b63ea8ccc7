#version 450
/* SPDX-License-Identifier: MIT */
// env: vulkan1.1
#extension GL_EXT_multiview : require
layout(quads) in;
void main()
{
    gl_Position = vec4(gl_TessCoord, float(gl_ViewIndex));
}
