#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) flat out uint number;

void main()
{
    number = uint(gl_VertexIndex);
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
