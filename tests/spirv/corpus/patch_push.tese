#version 450
/* SPDX-License-Identifier: MIT */
// Push constants, in the order of a block that begins late.
layout(triangles, equal_spacing, cw) in;
layout(push_constant) uniform Push
{
    layout(offset = 24) uint salt;
    float scale;
} push;
layout(location = 0) out uint number;

void main()
{
    number = push.salt + uint(gl_PrimitiveID);
    gl_Position = vec4(gl_TessCoord * push.scale, 1.0);
}
