#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT */
#include "tessellation_index.glsl"
layout(quads, equal_spacing, point_mode) in;
layout(location = 0) in TYPE o[][COUNT];
layout(location = NEXT) in float sum[];
#ifdef HANDED
layout(location = 0) out TYPE w[COUNT];
layout(location = NEXT) out flat uvec2 last;
#else
layout(location = 0, xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) out vec2 coord;
layout(location = 1, xfb_buffer = 0, xfb_offset = 8) out uint patch_number;
layout(location = 2, xfb_buffer = 0, xfb_offset = 12) out uint result;
#endif

void main()
{
    uint hash = 4u;
    const int corner = int(gl_TessCoord.x * 2.0 + gl_TessCoord.y);
    for (int i = 0; i < 64 + zero; i++) {
        const int k = (i + corner) % 8;
        hash = hashed(hash, o[k][(i * 5 + corner) % COUNT], i);
        hash = mixed(hash, sum[k]);
    }
    hash = mixed(hash, gl_TessLevelOuter[corner & 3] + gl_TessLevelInner[corner & 1]);
#ifdef HANDED
    for (int i = 0; i < COUNT; i++)
        w[(i + corner) % COUNT] = o[i % 8][(i * 3 + corner) % COUNT];
    last = uvec2(gl_PrimitiveID * 4 + corner, hash);
#else
    coord = gl_TessCoord.xy;
    patch_number = uint(gl_PrimitiveID);
    result = hash;
#endif
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
    gl_PointSize = 1.0;
}
