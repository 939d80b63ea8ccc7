#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT */
#include "tessellation_index.glsl"
layout(points) in;
layout(points, max_vertices = 1) out;
layout(location = 0) in TYPE w[][COUNT];
layout(location = NEXT) in flat uvec2 last[];
layout(location = 0, xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) out vec2 coord;
layout(location = 1, xfb_buffer = 0, xfb_offset = 8) out uint patch_number;
layout(location = 2, xfb_buffer = 0, xfb_offset = 12) out uint result;

void main()
{
    uint hash = last[0].y;
    const int corner = int(last[0].x & 3u);
    for (int i = 0; i < 40 + zero; i++)
        hash = hashed(hash, w[0][(i * 7 + corner) % COUNT], i);
    coord = vec2(corner >> 1, corner & 1);
    patch_number = last[0].x >> 2;
    result = hash;
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
    gl_PointSize = 1.0;
    EmitVertex();
}
