#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) flat in uint number;
layout(location = 0) out uint color;

void main()
{
    color = number + 10000u * uint(gl_PrimitiveID);
}
