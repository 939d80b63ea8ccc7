#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT */
#include "salt.glsl"
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 result;

void main()
{
    result = SALTED(color);
}
