#version 450
/* SPDX-License-Identifier: MIT
 * A point in the first row, captured by its number. */
layout(location = 0, xfb_buffer = 0, xfb_stride = 4, xfb_offset = 0) out uint number;

void main()
{
    number = uint(gl_VertexIndex);
    gl_Position = vec4((float(gl_VertexIndex) + 0.5) / 16.0 - 1.0, 0.5 / 16.0 - 1.0, 0.5, 1.0);
    gl_PointSize = 1.0;
}
