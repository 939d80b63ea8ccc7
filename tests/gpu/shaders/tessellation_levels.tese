#version 450
/* SPDX-License-Identifier: MIT */
/* The modes are placeholders, see tess_modes. */
layout(triangles, equal_spacing, cw) in;
layout(location = 0, xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) out vec3 coord;
layout(location = 1, xfb_buffer = 0, xfb_offset = 12) out uint patch_number;

void main()
{
    coord = gl_TessCoord;
    patch_number = uint(gl_PrimitiveID);
    gl_Position = vec4(0.0);
    gl_PointSize = 1.0;
}
