#version 450
/* SPDX-License-Identifier: MIT */
layout(triangles) in;
layout(location = 0) in vec4 o[][20];

void main()
{
    gl_Position = vec4(0.0);
    for (int i = 0; i < 20; i++)
        gl_Position += o[i][19 - i] * gl_TessCoord.x;
}
