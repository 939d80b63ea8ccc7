#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 5) flat in uint value;
layout(location = 0) out uint result;

void main()
{
    result = gl_PrimitiveID == int(value) ? value : 0xFFFFFFFFu;
}
