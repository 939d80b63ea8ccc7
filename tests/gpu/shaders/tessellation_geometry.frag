#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 3) flat in uint number;
layout(location = 0) out uint color;

void main()
{
    color = number * 1000u + uint(gl_PrimitiveID);
}
