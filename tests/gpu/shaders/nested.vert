#version 450
/* SPDX-License-Identifier: MIT */
#ifdef CAPTURE
layout(location = 0, xfb_buffer = 0, xfb_stride = 4, xfb_offset = 0) flat out uint value;
#else
layout(location = 0) flat out uint value;
#endif
layout(push_constant) uniform Draw
{
    uint tint;
};

void main()
{
    value = tint + uint(gl_VertexIndex) * 7u;
    gl_Position = vec4((vec2(gl_VertexIndex % 16, gl_VertexIndex / 16) + 0.5) / 8.0 - 1.0, 0, 1);
    gl_PointSize = 1.0;
}
