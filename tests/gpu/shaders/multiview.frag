#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_EXT_multiview : require
layout(location = 0) flat in uint value;
layout(location = 0) out uint color;

void main()
{
    color = value + (uint(gl_ViewIndex) << 24);
#ifdef NUMBERED
    color += uint(gl_PrimitiveID) << 20;
#endif
}
