#version 450
/* SPDX-License-Identifier: MIT */
layout(vertices = 4) out;
struct Part {
    vec2 a;
    float b[2];
    mat2 c;
};
layout(location = 0) in Part v[][6];
layout(location = 0) out Part o[][6];
layout(location = 31) patch out float sum;

void main()
{
    const int me = gl_InvocationID;
    for (int i = 0; i < 6; i++)
        o[gl_InvocationID][(i * 5 + me) % 6] = v[(me + i) % gl_PatchVerticesIn][(me + i) % 6];
    barrier();
    Part x = o[(me + 1) % 4][(me * 3) % 6];
    if (me == 0)
        sum = x.a.x;
    for (int i = 0; i < 4; i++) {
        gl_TessLevelOuter[i] = 2.0;
        gl_TessLevelInner[i & 1] = 2.0;
    }
}
