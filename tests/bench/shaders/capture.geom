#version 450
/* SPDX-License-Identifier: MIT
 * X2: a point becomes a quad, that is six captured vertices. */
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
layout(location = 0) in vec4 color[];
layout(location = 0, xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) out vec4 corner;

void main()
{
    for (int i = 0; i < 4; i++) {
        corner = gl_in[0].gl_Position + vec4(float(i & 1), float(i >> 1), color[0].x, 0.0);
        gl_Position = corner;
        EmitVertex();
    }
}
