#version 450
/* SPDX-License-Identifier: MIT
 * Of a point (VERTICES 1) as many points as it says, of a triangle itself. */
#if VERTICES == 1
layout(points) in;
layout(points, max_vertices = 3) out;
#else
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
#endif
layout(location = 0) in uvec4 moved[];
layout(location = 0, xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) out uvec4 next;
layout(location = 1) flat out uint value;

void main()
{
#if VERTICES == 1
    uint count = moved[0].x % 4u;
#else
    const uint count = 3u;
#endif
    for (uint i = 0u; i < count; i++) {
        next = moved[i % VERTICES] + uvec4(0u, 0u, i, gl_PrimitiveIDIn);
        value = next.y;
        gl_Position = vec4((vec2(next.zw % 64u) + vec2(0.375, 0.3125)) / 32.0 - 1.0, 0.5, 1.0);
        gl_PointSize = 1.0;
        EmitVertex();
    }
}
