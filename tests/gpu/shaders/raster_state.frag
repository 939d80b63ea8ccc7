#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) flat in uint value;
layout(location = 0) out uint result;

/* Shows the middle of the fragment, whatever its size. */
void main()
{
    result = value << 16 | uint(gl_FragCoord.x * 2.0) << 8 | uint(gl_FragCoord.y * 2.0);
}
