#version 450
/* SPDX-License-Identifier: MIT
 * NUMBER: see CMakeLists.txt. */
layout(location = 1) flat in uint value;
layout(location = 0) out uint result;

void main()
{
#if NUMBER
    result = value + 100000u * uint(gl_PrimitiveID);
#else
    result = value;
#endif
}
