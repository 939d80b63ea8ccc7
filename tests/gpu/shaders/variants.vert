// SPDX-License-Identifier: MIT
#version 450
layout(location = 0) flat out uint value;

void main()
{
    value = gl_VertexIndex;
    gl_Position = vec4((vec2(gl_VertexIndex % 8, gl_VertexIndex / 8) + 0.5) / 4 - 1, 0, 1);
    gl_PointSize = 1;
}
