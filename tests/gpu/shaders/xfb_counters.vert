#version 450
/* SPDX-License-Identifier: MIT
 * Two buffers of different strides; what is captured says which vertex of which draw it was. */
layout(location = 0, xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) out uvec4 seen;
layout(location = 1, xfb_buffer = 1, xfb_stride = 12, xfb_offset = 4) out uvec2 again;

layout(push_constant) uniform Push
{
    uint draw;
};

void main()
{
    seen = uvec4(draw, gl_InstanceIndex, gl_VertexIndex, 0x5eed0000u + gl_VertexIndex);
    again = uvec2(draw * 1000u + gl_VertexIndex, 0xfeedu);
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
