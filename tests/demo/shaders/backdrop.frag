#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT */
#include "camera.glsl"
layout(location = 0) in vec2 place;
layout(location = 0) out vec4 color;

void main()
{
    vec2 from_center = (place - vec2(0.5, 0.46)) * vec2(1.2, 1.0);
    float glow = 1.0 - smoothstep(0.0, 0.75, length(from_center));
    color = display(mix(vec3(0.010, 0.012, 0.024), vec3(0.060, 0.085, 0.150), glow * glow));
}
