#version 450
/* SPDX-License-Identifier: MIT */
// env: vulkan1.1
// expect instanced: unsupported
#extension GL_EXT_multiview : require
layout(location = 0) in vec4 place;
layout(location = 0) flat out int view;
void main()
{
    gl_Position = place;
    view = gl_ViewIndex;
}
