#version 450
/* SPDX-License-Identifier: MIT */
/* All components that are reported, in and out. */
layout(vertices = 32) out;
layout(location = 0) in vec4 v[][31];
layout(location = 0) out vec4 o[][32];
layout(location = 32) patch out vec4 once[30];

void main()
{
    for (int i = 0; i < 31; i++)
        for (int k = 0; k < 4; k++)
            o[gl_InvocationID][i][k] = v[gl_InvocationID][i][k];
    for (int i = gl_InvocationID; i < 30; i += 32)
        once[i] = vec4(v[i][i][0]);
    barrier();
    o[gl_InvocationID][31] = o[31 - gl_InvocationID][gl_InvocationID % 31] + once[(gl_InvocationID * 7) % 30];
    for (int i = gl_InvocationID; i < 4; i += 32) {
        gl_TessLevelOuter[i] = 1.0;
        gl_TessLevelInner[i / 2] = gl_TessLevelOuter[i];
    }
}
