#version 450
/* SPDX-License-Identifier: MIT
 * Moves an item on; with CAPTURE it is captured, and drawn in any case. */
layout(location = 0) in uvec4 item; /* number, value, x and y of a pixel */
#ifdef CAPTURE
layout(location = 0, xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) out uvec4 next;
#else
layout(location = 0) out uvec4 next;
#endif
layout(location = 1) flat out uint value;

layout(push_constant) uniform Push
{
    uvec4 change;
};

void main()
{
    next = item + change + uvec4(0u, gl_InstanceIndex, 5u * gl_InstanceIndex, 0u);
    value = next.y;
    gl_Position = vec4((vec2(next.zw % 64u) + vec2(0.375, 0.3125)) / 32.0 - 1.0, 0.5, 1.0);
    gl_PointSize = 1.0;
}
