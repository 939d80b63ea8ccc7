#version 450
/* SPDX-License-Identifier: MIT */
layout(quads, equal_spacing, cw) in;
layout(location = 0, xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) out uvec4 next;
layout(location = 1) flat out uint value;

void main()
{
    next = uvec4(gl_PrimitiveID, 1u, 2u, 3u);
    value = 1u;
    gl_Position = vec4(gl_TessCoord.xy * 2.0 - 1.0, 0.5, 1.0);
}
