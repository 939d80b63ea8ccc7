#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) in vec4 corner;

void main()
{
    gl_Position = corner;
}
