#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT */
layout(points) in;
layout(points, max_vertices = 2) out;
layout(location = 0) in uint number[];
#include "xfb_layout.glsl"

void main()
{
    for (uint i = 0u; i < 2u; i++) {
        shade(2u * number[0] + i);
        EmitVertex();
    }
}
