#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) in vec2 position;
layout(location = 1) in uint color;
layout(push_constant) uniform Push
{
    vec2 shift;
    float depth;
    uint first_layer, layer_count, tint;
};
layout(location = 0) flat out uint value;

void main()
{
    gl_Position = vec4(position + shift, depth, 1.0);
    gl_PointSize = 1.0;
    value = color + tint;
}
