#version 450
/* SPDX-License-Identifier: MIT
 * What it reads of the layer and of the viewport, beside the value. ALONE: nothing.
 * NUMBERED: the primitive's number, too. */
layout(location = 0) flat in uint value;
layout(location = 0) out uint result;

void main()
{
    result = 0x10000u + value * 256u;
#ifndef ALONE
    result += uint(gl_Layer) * 16u + uint(gl_ViewportIndex);
#endif
#ifdef NUMBERED
    result += uint(gl_PrimitiveID) * 0x10000u;
#endif
}
