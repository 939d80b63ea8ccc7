#version 450
// SPDX-License-Identifier: MIT
// What was captured.
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 shade;
layout(location = 0) out vec4 color;

void main()
{
    color = shade;
    gl_Position = position;
}
