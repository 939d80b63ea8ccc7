#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) in vec4 position; /* z: depth, w: half of a side */
layout(location = 1) in uvec2 numbers; /* color, viewport */
layout(push_constant) uniform Push
{
    vec2 shift;
    uint viewport_count, step, copies, tint;
};
layout(location = 0) flat out uvec2 value;
layout(location = 1) out float half_side;

void main()
{
    gl_Position = vec4(position.xy + shift, position.z, 1.0);
    gl_PointSize = 1.0;
    value = uvec2(numbers.x + tint, numbers.y);
    half_side = position.w;
}
