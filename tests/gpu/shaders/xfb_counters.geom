#version 450
/* SPDX-License-Identifier: MIT
 * Each triangle becomes none to three triangles: (PrimitiveID + 1) modulo 4 of them. */
layout(triangles) in;
layout(triangle_strip, max_vertices = 5) out;
layout(location = 0) flat in uint vertex[];
layout(location = 0, xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) out uvec4 seen;
layout(location = 1, xfb_buffer = 1, xfb_stride = 12, xfb_offset = 4) out uvec2 again;

layout(push_constant) uniform Push
{
    uint draw;
};

void main()
{
    uint count = (uint(gl_PrimitiveIDIn) + 1u) % 4u;
    for (uint n = 0u; count > 0u && n < count + 2u; n++) {
        seen = uvec4(draw, gl_PrimitiveIDIn, n, vertex[n % 3u]);
        again = uvec2(draw * 1000u + uint(gl_PrimitiveIDIn), n);
        gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
        EmitVertex();
    }
}
