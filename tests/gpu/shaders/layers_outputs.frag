#version 450
/* SPDX-License-Identifier: MIT
 * VIEWPORT: with gl_ViewportIndex, else with gl_Layer. */
layout(location = 0) out uint result;

void main()
{
#ifdef VIEWPORT
    uint seen = uint(gl_ViewportIndex);
#else
    uint seen = uint(gl_Layer);
#endif
    result = 0x1000u + uint(gl_PrimitiveID) + (seen << 16);
}
