#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT */
#include "bound.glsl"
#include "salt.glsl"
layout(location = 0) in vec4 place;
layout(location = 1) in vec4 tint;
layout(location = 0) out vec4 color;

void main()
{
    gl_Position = place;
    color = SALTED(BOUND_TO(tint));
    gl_PointSize = 1.0;
}
