#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT */
#include "tessellation_index.glsl"
layout(vertices = 8) out;
layout(location = 0) in TYPE v[][COUNT];
layout(location = 0) out TYPE o[][COUNT];
layout(location = NEXT) out float sum[];

void main()
{
    const int me = gl_InvocationID;
    for (int i = 0; i < COUNT + zero; i++)
        o[gl_InvocationID][(i * 7 + me) % COUNT] = v[(me + i) % gl_PatchVerticesIn][(i + me) % COUNT];
    barrier();
    uint hash = 3u;
    for (int i = 0; i < 8 + zero; i++) {
        hash = hashed(hash, o[(me + i) % 8][(me * 3 + i) % COUNT], i);
    }
    sum[gl_InvocationID] = float(hash & 0xffffu);
    for (int i = me; i < 4 + zero; i += 8) {
        gl_TessLevelOuter[i] = 1.0;
        gl_TessLevelInner[i / 2] = 1.0;
    }
}
