#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) out uint result;

void main()
{
    result = uint(gl_FragCoord.x) + 1u;
}
