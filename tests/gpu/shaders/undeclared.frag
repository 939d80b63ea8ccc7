#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) flat in uint number;
layout(location = 0) out uint result;

void main()
{
#ifdef PRIMITIVE
    result = number * 1000u + uint(gl_PrimitiveID);
#else
    result = number;
#endif
}
