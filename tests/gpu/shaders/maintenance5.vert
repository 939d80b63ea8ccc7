#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) in vec2 place;
layout(location = 0) flat out uint value;
layout(push_constant) uniform Push
{
    vec2 shift;
    uint tint;
};

void main()
{
    gl_Position = vec4((place + shift) / 32.0 - 1.0, 0.5, 1.0);
    value = tint + uint(gl_VertexIndex);
}
