#version 450
/* SPDX-License-Identifier: MIT
 * What the geometry shader makes of a vertex: so many vertices, a strip ending after vertex n where bit n is set. */
layout(location = 0) in uvec2 shape;
layout(location = 0) flat out uvec3 cell;

void main()
{
    cell = uvec3(shape, uint(gl_InstanceIndex) * 1000u + uint(gl_VertexIndex));
    gl_Position = vec4(0.0);
    gl_PointSize = 1.0;
}
