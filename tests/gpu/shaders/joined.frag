#version 450
/* SPDX-License-Identifier: MIT
 * KIND 0: whose value it is, and the side; 1: gl_PrimitiveID; 2: what is interpolated. */
layout(location = 0) flat in uint value;
layout(location = 1) in float shade;
layout(location = 0) out uint result;

void main()
{
#if KIND == 0
    result = value | (gl_FrontFacing ? 0x80000000u : 0u);
#elif KIND == 1
    result = uint(gl_PrimitiveID + 1);
#else
    result = uint(shade * 200.0) + 1u;
#endif
}
