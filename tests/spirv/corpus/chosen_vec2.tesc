#version 450
/* SPDX-License-Identifier: MIT */
layout(vertices = 4) out;
layout(location = 0) in vec2 v[][30];
layout(location = 0) out vec2 o[][30];
layout(location = 31) patch out float sum;

void main()
{
    const int me = gl_InvocationID;
    for (int i = 0; i < 30; i++)
        o[gl_InvocationID][(i * 5 + me) % 30] = v[(me + i) % gl_PatchVerticesIn][(me + i) % 30];
    barrier();
    vec2 x = o[(me + 1) % 4][(me * 3) % 30];
    if (me == 0)
        sum = x.x;
    for (int i = 0; i < 4; i++) {
        gl_TessLevelOuter[i] = 2.0;
        gl_TessLevelInner[i & 1] = 2.0;
    }
}
