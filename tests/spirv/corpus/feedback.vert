#version 450
/* SPDX-License-Identifier: MIT */
layout(xfb_buffer = 0, xfb_offset = 16, xfb_stride = 32, location = 0) out vec4 captured;
void main() { captured = vec4(gl_VertexIndex); gl_Position = captured; }
