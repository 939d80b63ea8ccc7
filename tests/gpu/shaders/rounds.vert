#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) flat out uint number;

void main()
{
    number = uint(gl_VertexIndex) * 7u + uint(gl_InstanceIndex) * 5003u;
    gl_Position = vec4(0.0);
}
