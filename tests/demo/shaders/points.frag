#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT */
#include "camera.glsl"
layout(set = 0, binding = 1) uniform sampler2D ball;
layout(location = 0) in vec3 color;
layout(location = 1) in vec2 place;
layout(location = 2) in vec3 world;
layout(location = 0) out vec4 result;

void main()
{
    vec4 texel = texture(ball, place);
    if (texel.a < 0.5)
        discard;
    vec2 flat_normal = texel.xy * 2.0 - 1.0;
    float toward = sqrt(max(1.0 - dot(flat_normal, flat_normal), 0.0));
    vec3 normal = normalize(camera.right.xyz * flat_normal.x + camera.up.xyz * flat_normal.y -
                            camera.forward.xyz * toward);
    vec3 base = color * mix(0.45, 1.0, texel.z);
    result = display(shade(base, normal, world, 0.55));
}
