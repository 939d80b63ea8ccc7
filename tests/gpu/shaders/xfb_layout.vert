#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT */
#include "xfb_layout.glsl"

void main()
{
    shade(uint(gl_VertexIndex));
}
