#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) in float shade;
layout(location = 1) flat in uint value;
layout(location = 0) out uint result;

void main()
{
    result = value * 32u + (gl_FrontFacing ? 16u : 0u) + uint(shade + 0.5) % 16u + 1u;
}
