#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) out uint cell;

void main()
{
    cell = uint(gl_VertexIndex) / 2u;
    gl_Position = vec4(float(gl_VertexIndex), 0.0, 0.0, 1.0);
}
