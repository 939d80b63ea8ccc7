#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_GOOGLE_include_directive : require
#include "multiview.glsl"
layout(location = 0) in vec2 place;
layout(push_constant) uniform Push
{
    vec2 shift;
    uint tint;
};
layout(location = 0) flat out uint value;

void main()
{
    gl_Position = vec4((place + shift + vec2(0.0, 1.5 * float(view_index))) / 32.0 - 1.0, 0.0, 1.0);
    value = tint + 16u * view_index + uint(gl_VertexIndex / 3);
#ifdef STORES
    atomicAdd(vertices, 1u + uint(gl_VertexIndex));
#endif
}
