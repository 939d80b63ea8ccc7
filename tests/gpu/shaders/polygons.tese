#version 450
/* SPDX-License-Identifier: MIT
 * One triangle for each patch, whose vertices may come in any order: the flat values are the patch's. */
layout(triangles, equal_spacing, ccw) in;
layout(location = 0) in uvec2 numbers[];
layout(location = 3) flat out uint vertex;
layout(location = 0) flat out uint instance;
layout(location = 1) out vec2 place;
layout(location = 2) out float along;

void main()
{
    uint corner = gl_TessCoord.x > 0.5 ? 0u : gl_TessCoord.y > 0.5 ? 1u : 2u;
    gl_Position = gl_in[corner].gl_Position;
    gl_PointSize = gl_in[corner].gl_PointSize;
    vertex = numbers[0].y;
    instance = numbers[0].x;
    place = vec2(0.125);
    along = 1.0;
}
