#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) in uvec2 shape; /* vertices of the strip; bits: turned, far, behind */
layout(location = 1) in uint row;    /* of the instance */
layout(location = 0) flat out uvec2 cell_shape;
layout(location = 1) flat out uint cell;

void main()
{
    cell_shape = shape;
    cell = row * 32u + uint(gl_VertexIndex) % 32u;
    gl_Position = vec4(0.0);
}
