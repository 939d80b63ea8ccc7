#version 450
/* SPDX-License-Identifier: MIT */
layout(vertices = 4) out;
layout(location = 0) in mat3x2 v[][9];
layout(location = 0) out mat3x2 o[][9];
layout(location = 31) patch out float sum;

void main()
{
    const int me = gl_InvocationID;
    for (int i = 0; i < 9; i++)
        o[gl_InvocationID][(i * 5 + me) % 9] = v[(me + i) % gl_PatchVerticesIn][(me + i) % 9];
    barrier();
    mat3x2 x = o[(me + 1) % 4][(me * 3) % 9];
    if (me == 0)
        sum = x[1].x;
    for (int i = 0; i < 4; i++) {
        gl_TessLevelOuter[i] = 2.0;
        gl_TessLevelInner[i & 1] = 2.0;
    }
}
