// SPDX-License-Identifier: MIT
// The corners of the domain, which all lie where the vertex does.
#version 450
layout(quads, equal_spacing, point_mode) in;
layout(set = 0, binding = 2, std430) readonly buffer Single
{
    uint number;
}
single;
layout(set = 0, binding = 4) uniform usamplerBuffer texels;
layout(set = 0, binding = 6) uniform usampler2D image;
layout(set = 1, binding = 0) uniform Dynamic
{
    uint bound;
};
layout(location = 0) in uint value[];
layout(location = 0) flat out uint next;

void main()
{
    next = value[0] + single.number * 11 + bound * 17 + texelFetch(texels, 0).x * 13;
    next += textureLod(image, vec2(0.5), 0).x * 29;
    gl_Position = gl_in[0].gl_Position;
    gl_PointSize = 1;
}
