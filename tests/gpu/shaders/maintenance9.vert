#version 450
/* SPDX-License-Identifier: MIT
 * As maintenance5.vert, with inputs that have no attribute. */
layout(location = 0) in vec2 place;
layout(location = 1) in vec4 real;
layout(location = 2) in uvec4 whole;
layout(location = 3) in ivec2 pair;
layout(location = 0) flat out uint value;
layout(push_constant) uniform Push
{
    vec2 shift;
    uint tint;
};

void main()
{
    gl_Position = vec4((place + shift) / 32.0 - 1.0, 0.5, 1.0);
    uint unset = uint(real.x + real.y + real.z) + whole.x + whole.y + whole.z + uint(pair.x + pair.y);
    value = tint + uint(gl_VertexIndex) + 10000u * unset + 20000u * uint(real.w) + 40000u * whole.w;
}
