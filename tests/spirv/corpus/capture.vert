#version 450
/* SPDX-License-Identifier: MIT */
// Everything that a vertex shader can capture: arrays of blocks go to one buffer after another, structs and matrices are
// tight, members without an offset are left out, built-ins need not be written.
struct pair {
    float f;
    vec2 g;
};
layout(location = 0, xfb_buffer = 1, xfb_offset = 0, xfb_stride = 32) out block
{
    vec4 a;
    layout(xfb_offset = 20) vec2 b;
} blocks[2];
layout(location = 10, xfb_buffer = 0, xfb_offset = 4, xfb_stride = 200) out pair pairs[2];
layout(location = 14, xfb_buffer = 0, xfb_offset = 64) out mat3 m;
layout(location = 17, component = 1, xfb_buffer = 0, xfb_offset = 100) out uvec2 packed;
layout(location = 17, component = 3) out int left_out;
layout(location = 30, xfb_buffer = 3, xfb_stride = 128) out some
{
    float none;
    layout(xfb_offset = 16) pair q;
    layout(xfb_offset = 92) flat ivec3 r;
};
layout(location = 36, xfb_buffer = 3) out no_offset { vec4 nothing; };
layout(xfb_buffer = 3) out gl_PerVertex
{
    layout(xfb_offset = 32) vec4 gl_Position;
    layout(xfb_offset = 48) float gl_PointSize;
    layout(xfb_offset = 68) float gl_ClipDistance[2];
    float gl_CullDistance[1];
};
void main()
{
    gl_Position = vec4(gl_VertexIndex);
    gl_ClipDistance[0] = 1.0;
    gl_ClipDistance[1] = 2.0;
    gl_CullDistance[0] = 3.0;
    pairs[gl_VertexIndex & 1].f = 4.0;
    blocks[1].b = vec2(5.0);
    packed = uvec2(6u);
    left_out = 7;
    none = 8.0;
}
