#version 450
/* SPDX-License-Identifier: MIT */
layout(triangles) in;
layout(location = 0, xfb_buffer = 1, xfb_stride = 32, xfb_offset = 4) out vec3 normal;
layout(location = 1, xfb_buffer = 2, xfb_stride = 24) out block { layout(xfb_offset = 8) vec2 uv; vec4 not_captured; } b;
layout(location = 3) out vec4 other;
layout(xfb_buffer = 1) out gl_PerVertex { layout(xfb_offset = 16) vec4 gl_Position; float gl_PointSize; };
void main()
{
    gl_Position = vec4(gl_TessCoord, 1.0);
    gl_PointSize = 2.0;
    normal = gl_TessCoord;
    b.uv = gl_TessCoord.xy;
    b.not_captured = vec4(1.0);
    other = vec4(gl_PrimitiveID);
}
