#version 450
/* SPDX-License-Identifier: MIT */
// Streams share locations and buffers share streams; stream 2 has no outputs, stream 3 is never emitted to.
layout(points) in;
layout(points, max_vertices = 8) out;
layout(stream = 0, location = 0, xfb_buffer = 0, xfb_stride = 32, xfb_offset = 0) out vec4 a;
layout(stream = 0) out gl_PerVertex { vec4 gl_Position; };
layout(stream = 1, location = 1, xfb_buffer = 1, xfb_stride = 8, xfb_offset = 0) out vec2 b;
layout(stream = 1, location = 2, xfb_buffer = 2, xfb_stride = 24, xfb_offset = 8) out pairs
{
    vec2 c[2];
};
layout(stream = 3, location = 5, xfb_buffer = 3, xfb_stride = 4, xfb_offset = 0) out float never;
void main()
{
    gl_Position = vec4(0.0);
    a = vec4(1.0);
    EmitStreamVertex(0);
    b = vec2(2.0);
    c[0] = vec2(3.0);
    c[1] = vec2(4.0);
    EmitStreamVertex(1);
    EndStreamPrimitive(1);
    EmitStreamVertex(2);
    EndStreamPrimitive(3);
    never = 5.0;
}
