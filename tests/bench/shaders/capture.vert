#version 450
/* SPDX-License-Identifier: MIT
 * X1, X3, X4: what came in, changed a little. */
layout(location = 0) in vec4 place;
layout(location = 1) in vec4 tint;
layout(location = 0, xfb_buffer = 0, xfb_stride = 32, xfb_offset = 0) out vec4 next_place;
layout(location = 1, xfb_buffer = 0, xfb_stride = 32, xfb_offset = 16) out vec4 next_tint;

void main()
{
    next_place = place + vec4(1.0, 0.5, 0.25, 0.0);
    next_tint = tint.yzwx;
    gl_Position = place;
    gl_PointSize = 1.0;
}
