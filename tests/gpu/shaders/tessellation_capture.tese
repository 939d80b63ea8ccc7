#version 450
/* SPDX-License-Identifier: MIT */
/* The modes are placeholders, see tess_modes. Two buffers, with a hole in the second. */
layout(triangles, equal_spacing, cw) in;
layout(location = 0, xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) out vec3 coord;
layout(location = 1, xfb_buffer = 0, xfb_offset = 12) out uint patch_number;
layout(xfb_buffer = 1, xfb_stride = 28, xfb_offset = 8) out gl_PerVertex
{
    vec4 gl_Position;
    float gl_PointSize;
};

void main()
{
    coord = gl_TessCoord;
    patch_number = uint(gl_PrimitiveID);
    gl_Position = vec4(gl_TessCoord.xy - 0.5, float(gl_PrimitiveID) / 16.0, 1.0);
    gl_PointSize = 1.0;
}
