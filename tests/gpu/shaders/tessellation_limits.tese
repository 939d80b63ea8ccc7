#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT */
#include "tessellation_limits.glsl"
layout(quads, equal_spacing, point_mode) in;
layout(location = 0) in vec4 o[][COUNT];
#ifdef PATCH
layout(location = COUNT) patch in vec4 once[PATCH];
#endif
layout(location = 0, xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) out vec2 coord;
layout(location = 1, xfb_buffer = 0, xfb_offset = 8) out uint patch_number;
layout(location = 2, xfb_buffer = 0, xfb_offset = 12) out uint sum;

void main()
{
    uint hash = 2u;
    const int corner = int(gl_TessCoord.x * 16.0 + gl_TessCoord.y * 8.0);
    for (int k = 0; k < 32 + zero; k++)
        hash = mixed(hash, o[k][COUNT - 1]);
    for (int i = 0; i < COUNT; i++)
        hash = mixed(hash, o[corner][i]);
#ifdef PATCH
    for (int i = 0; i < PATCH; i++)
        hash = mixed(hash, once[i]);
#endif
    coord = gl_TessCoord.xy;
    patch_number = uint(gl_PrimitiveID);
    sum = hash;
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
    gl_PointSize = 1.0;
}
