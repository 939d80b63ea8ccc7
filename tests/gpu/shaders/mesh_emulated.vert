#version 460
/* SPDX-License-Identifier: MIT */
layout(location = 0) out uint number;

void main()
{
    number = gl_VertexIndex;
    gl_PointSize = 1.0;
    gl_Position = vec4(vec2(gl_VertexIndex % 16, gl_VertexIndex / 16 % 16) / 8.0 - 1.0, 0.5, 1.0);
}
