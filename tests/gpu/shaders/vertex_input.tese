#version 450
/* SPDX-License-Identifier: MIT
 * The corners of the domain, which all lie where the vertex does. */
layout(quads, equal_spacing, point_mode) in;
layout(location = 0) in uint value[];
layout(location = 0) flat out uint next;

void main()
{
    next = value[0] + 1u;
    gl_Position = gl_in[0].gl_Position;
    gl_PointSize = 1;
}
