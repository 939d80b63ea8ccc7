#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) in vec2 place;
layout(location = 1) in uint tint;
layout(location = 0) flat out uint vertex_tint;
layout(push_constant) uniform Push
{
    vec2 shift;
};
layout(set = 0, binding = 0) uniform Common
{
    vec2 scale;
    uint base;
};

void main()
{
    gl_Position = vec4((place * scale + shift) / 32.0 - 1.0, 0.5, 1.0);
    vertex_tint = tint + base + uint(gl_InstanceIndex) * 100u;
}
