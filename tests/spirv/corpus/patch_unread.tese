#version 450
/* SPDX-License-Identifier: MIT */
layout(isolines, point_mode) in;
void main()
{
    gl_Position = vec4(gl_TessCoord, 1.0);
}
