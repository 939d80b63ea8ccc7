#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) in vec3 shade;
layout(location = 1) flat in uint value;
layout(location = 0) out uint result;

void main()
{
    result = value * 16u + uint(gl_PrimitiveID) % 3u + (gl_FrontFacing ? 4u : 0u) + uint(shade.y + 0.5) * 8u;
}
