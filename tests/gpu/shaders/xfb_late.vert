#version 450
/* SPDX-License-Identifier: MIT
 * Items in a buffer that the shader reads itself; with POINTERS in one whose address is in the
 * buffer. */
#ifdef POINTERS
#extension GL_EXT_buffer_reference : require
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Items
{
    uvec4 stored[];
};
layout(set = 0, binding = 0) readonly buffer Stored
{
    Items items;
};
#define stored items.stored
#else
layout(set = 0, binding = 0) readonly buffer Stored
{
    uvec4 stored[];
};
#endif

layout(location = 0) out uvec4 next;
layout(location = 1) flat out uint value;

layout(push_constant) uniform Push
{
    uvec4 change;
};

void main()
{
    next = stored[gl_VertexIndex] + change;
    value = next.y;
    gl_Position = vec4((vec2(next.zw % 64u) + vec2(0.375, 0.3125)) / 32.0 - 1.0, 0.5, 1.0);
    gl_PointSize = 1.0;
}
