#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) flat out uint number;

void main()
{
    number = uint(gl_VertexIndex) + 1000u * uint(gl_InstanceIndex);
    gl_Position = vec4(0.0);
    gl_PointSize = 1.0;
}
