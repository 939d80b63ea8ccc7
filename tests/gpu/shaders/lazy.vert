#version 450
/* SPDX-License-Identifier: MIT */
layout(push_constant) uniform Push
{
    vec2 shift;
    float depth;
    uint tint;
};
layout(location = 0) flat out uint value;

void main()
{
    const vec2 corners[3] = vec2[](vec2(-0.75, -0.75), vec2(0.5, -0.25), vec2(-0.25, 0.5));
    gl_Position = vec4(corners[gl_VertexIndex % 3] + shift, depth, 1.0);
    value = tint + uint(gl_InstanceIndex);
}
