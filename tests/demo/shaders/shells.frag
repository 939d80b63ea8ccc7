#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT */
#include "camera.glsl"
layout(location = 0) in vec3 color;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 world;
layout(location = 0) out vec4 result;

void main()
{
    result = display(shade(color, normalize(normal), world, 0.35));
}
