#version 450
/* SPDX-License-Identifier: MIT
 * SELECTED: of another stream than 0, to which gl_PrimitiveID belongs: its value is the driver's choice there. */
layout(location = 5) flat in uint value;
layout(location = 0) out uint result;

void main()
{
#ifdef SELECTED
    result = value;
#else
    result = gl_PrimitiveID == int(value) ? value : 0xFFFFFFFFu;
#endif
}
