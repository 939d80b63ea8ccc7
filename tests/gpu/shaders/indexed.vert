#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) in uint row; /* of the instance */
layout(location = 0) flat out uint cell;

void main()
{
    cell = row * 32u + uint(gl_VertexIndex);
    gl_Position = vec4(0.0);
}
