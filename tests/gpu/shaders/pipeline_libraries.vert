#version 450
// SPDX-License-Identifier: MIT
layout(set = 0, binding = 0) uniform Place { vec2 scale; uint tint; } place;
layout(push_constant) uniform Push { vec2 shift; } push;
layout(location = 0) in vec2 at;
layout(location = 0) flat out uint value;

void main()
{
    value = place.tint;
    gl_Position = vec4(at * place.scale + push.shift, 0, 1);
}
