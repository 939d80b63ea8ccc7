#version 450
/* SPDX-License-Identifier: MIT */
/* Much that others read behind a barrier. */
layout(vertices = 32) out;
layout(location = 0) in vec4 v[][20];
layout(location = 0) out vec4 o[][20];

void main()
{
    for (int i = 0; i < 20; i++)
        o[gl_InvocationID][i] = v[gl_InvocationID][i] * 2.0;
    barrier();
    float sum = 0.0;
    for (int i = 0; i < 20; i++)
        sum += o[(gl_InvocationID + 1) % 32][i].x;
    gl_TessLevelOuter[0] = sum;
    gl_TessLevelOuter[1] = sum;
    gl_TessLevelOuter[2] = sum;
    gl_TessLevelInner[0] = sum;
}
