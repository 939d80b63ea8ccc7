#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) in vec4 place;
layout(location = 1) in vec4 tint;
layout(location = 0) out vec4 color;

void main()
{
    gl_Position = place;
    color = tint;
    gl_PointSize = 1.0;
}
