#version 450
/* SPDX-License-Identifier: MIT */
/* A point for each pixel of 64 x 64. */
layout(location = 0) flat out uint number;

void main()
{
    number = uint(gl_VertexIndex);
    gl_Position = vec4((vec2(number & 63u, number >> 6) + 0.5) / 32.0 - 1.0, 0.0, 1.0);
    gl_PointSize = 1.0;
}
