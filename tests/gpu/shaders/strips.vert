#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) in uvec3 shape; /* vertices, bit i: a strip ends after vertex i, bit 0: mirrored */
layout(location = 0) flat out uvec3 cell_shape;
layout(location = 1) flat out uint cell;

void main()
{
    cell_shape = shape;
    cell = uint(gl_VertexIndex);
    gl_Position = vec4(0.0);
    gl_PointSize = 1.0;
}
