#version 450
/* SPDX-License-Identifier: MIT
 * For the geometry shader of the same name. */
layout(location = 0) flat out uint vertex;

void main()
{
    vertex = uint(gl_VertexIndex);
    gl_Position = vec4(0.0);
}
