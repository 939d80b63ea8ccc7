#version 450
/* SPDX-License-Identifier: MIT */
layout(triangles, equal_spacing, point_mode) in;
layout(location = 0) in float number[];
layout(location = 1) patch in float weight;
layout(location = 0, xfb_buffer = 0, xfb_stride = 12, xfb_offset = 0) out vec3 seen;

void main()
{
    seen = vec3(weight, number[0] + 10.0 * number[1] + 100.0 * number[2] + 1000.0 * number[3], gl_TessCoord.x);
    gl_Position = vec4(0.0);
    gl_PointSize = 1.0;
}
