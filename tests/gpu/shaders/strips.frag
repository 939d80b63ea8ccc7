#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) flat in uint value;
layout(location = 0) out uint result;

void main()
{
    result = value | (gl_FrontFacing ? 0x80000000u : 0u);
}
