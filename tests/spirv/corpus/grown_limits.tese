#version 450
/* SPDX-License-Identifier: MIT */
layout(quads) in;
layout(location = 0) in vec4 o[][32];
layout(location = 32) patch in vec4 once[30];

void main()
{
    const int i = int(gl_TessCoord.x * 29.0);
    gl_Position = o[i][i] + once[i] * gl_TessLevelOuter[i & 3];
}
