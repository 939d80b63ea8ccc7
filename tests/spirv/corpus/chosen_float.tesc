#version 450
/* SPDX-License-Identifier: MIT */
layout(vertices = 4) out;
layout(location = 0) in float v[][31];
layout(location = 0) out float o[][31];
layout(location = 31) patch out float sum;

void main()
{
    const int me = gl_InvocationID;
    for (int i = 0; i < 31; i++)
        o[gl_InvocationID][(i * 5 + me) % 31] = v[(me + i) % gl_PatchVerticesIn][(me + i) % 31];
    barrier();
    float x = o[(me + 1) % 4][(me * 3) % 31];
    if (me == 0)
        sum = x;
    for (int i = 0; i < 4; i++) {
        gl_TessLevelOuter[i] = 2.0;
        gl_TessLevelInner[i & 1] = 2.0;
    }
}
