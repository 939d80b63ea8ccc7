#version 450
/* SPDX-License-Identifier: MIT */
in float gl_ClipDistance[2];
layout(location = 0) out uint result;

void main()
{
    result = 1u + uint(round(gl_ClipDistance[1] * 64.0));
}
