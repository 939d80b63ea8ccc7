#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT */
#include "tessellation_index.glsl"
layout(location = 0) out TYPE v[COUNT];

void main()
{
    for (int i = 0; i < COUNT + zero; i++)
        v[(i + gl_VertexIndex) % COUNT] = made(float(i * 3 + gl_VertexIndex + 7 * gl_InstanceIndex));
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
