#version 450
/* SPDX-License-Identifier: MIT
 * Item n becomes (n + number of the primitive) modulo 4 of them, side by side. */
layout(points) in;
layout(points, max_vertices = 3) out;
layout(location = 0) in uvec4 moved[];
#ifdef CAPTURE
layout(location = 0, xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) out uvec4 next;
#else
layout(location = 0) out uvec4 next;
#endif
layout(location = 1) flat out uint value;

void main()
{
    uint count = (moved[0].x + uint(gl_PrimitiveIDIn)) % 4u;
    for (uint i = 0u; i < count; i++) {
        next = moved[0] + uvec4(i, 100u * i, i, 0u);
        value = next.y;
        gl_Position = vec4((vec2(next.zw % 64u) + vec2(0.375, 0.3125)) / 32.0 - 1.0, 0.5, 1.0);
        gl_PointSize = 1.0;
        EmitVertex();
    }
}
