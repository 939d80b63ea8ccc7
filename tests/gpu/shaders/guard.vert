#version 450
/* SPDX-License-Identifier: MIT
 * Hands on what it reads, changed by the numbers of the vertex and the instance. With CAPTURE that is captured. */
layout(location = 0) in uvec4 item;
layout(location = 1) in uvec2 of_instance;
#ifdef CAPTURE
layout(location = 0, xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) out uvec4 next;
#else
layout(location = 0) out uvec4 next;
#endif
layout(location = 1) flat out uint value;

void main()
{
    next = item + uvec4(gl_VertexIndex, gl_InstanceIndex, of_instance);
    value = next.y;
    gl_Position = vec4((vec2(next.zw % 64u) + vec2(0.375, 0.3125)) / 32.0 - 1.0, 0.5, 1.0);
    gl_PointSize = 1.0;
}
